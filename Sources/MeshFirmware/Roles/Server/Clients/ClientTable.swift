import MeshCompanion
public import MeshCrypto
public import MeshPacket
public import MeshWire

/// The clients of a server, as many as the version has room for, in the order in which they came.
///
/// An empty table needs no memory of its own. Source: InfrastructureNodes, "Client table"; firmware, `ClientACL`.
public struct ClientTable: Hashable, Sendable {
    /// A client that has logged in or was given permissions.
    public struct Client: Hashable, Sendable {
        /// The key that identifies the client.
        public let publicKey: PublicKey
        /// The permissions of the client.
        public internal(set) var permissions: ClientPermissions
        /// Number and size of the hashes in the path to it; `unknown` when answers are flooded.
        public internal(set) var outPathLength = PathLength.unknown
        /// Bytes behind the path are those of longer ones before it.
        public internal(set) var outPath = FixedBytes<64>()
        /// All zero until the client has logged in by password or was entered by `setperm`.
        public internal(set) var secret = SharedSecret()
        /// The newest time that the client has given, by its own clock; lost at a reboot.
        public internal(set) var lastTimestamp: UInt32 = 0
        /// Unix seconds of this node; lost at a reboot.
        public internal(set) var lastActivity: UInt32 = 0

        // MARK: Room server

        /// Posts up to this time of the server have reached the client.
        public internal(set) var syncSince: UInt32 = 0
        /// The acknowledgement of the post that was pushed last; 0 for none.
        public internal(set) var pendingAck: UInt32 = 0
        /// The time of that post.
        public internal(set) var pushPostTimestamp: UInt32 = 0
        /// The moment at which that post is given up.
        var ackTimeout = Millis(0)
        /// Posts in a row that the member has not acknowledged.
        public internal(set) var pushFailures: UInt8 = 0

        init(_ publicKey: PublicKey, permissions: ClientPermissions) {
            self.publicKey = publicKey
            self.permissions = permissions
        }

        /// Keeps the way to the client; of an impossible length only the length is kept, as in the firmware.
        mutating func setPath(_ length: PathLength, _ path: UnsafeRawBufferPointer) {
            outPathLength = length
            guard length.byteCount <= PacketLimits.path, length.byteCount <= path.count else { return }
            outPath.withUnsafeMutableBytes {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: path.prefix(length.byteCount)))
            }
        }

        /// Returns whether a server of this role writes the client to flash: admins only on a room server (INF-016).
        func isStored(by role: ServerRole) -> Bool {
            role == .roomServer ? permissions.isAdmin : permissions.rawValue != 0
        }
    }

    /// `MAX_CLIENTS` of the newest version, for all roles.
    public static let largest = 32

    /// `MAX_CLIENTS`: 20, and 32 since 1.18.
    public let capacity: Int

    /// The clients in the order in which they came.
    public private(set) var clients: [Client] = []

    /// A table without clients.
    ///
    /// - Parameter capacity: that of 1.17.1 unless given.
    public init(capacity: Int? = nil) {
        self.capacity = min(capacity ?? FirmwareSwitches().serverClients, Self.largest)
    }

    /// Restores stored clients, as many as fit.
    init(_ clients: some Sequence<Client>, capacity: Int) {
        self.init(capacity: capacity)
        self.clients = [Client](clients.prefix(self.capacity))
    }

    /// The number of clients.
    public var count: Int { clients.count }

    /// The client at this place. A removal moves those behind it up.
    public internal(set) subscript(index: Int) -> Client {
        get { clients[index] }
        set { clients[index] = newValue }
    }
}

// MARK: Looking up

extension ClientTable {
    /// The first client of this key.
    public func index(of key: PublicKey) -> Int? {
        clients.firstIndex { $0.publicKey == key }
    }

    /// The first client whose key begins like this; no bytes find the first of all.
    public func index(ofPrefix prefix: some Collection<UInt8>) -> Int? {
        clients.firstIndex { $0.publicKey.starts(with: prefix) }
    }

    /// Clients whose key starts with `hash`, in table order: eight at most on a sensor, all on the others.
    func matches(hash: UInt8, role: ServerRole) -> PeerMatches {
        var matches = PeerMatches(limit: role == .sensor ? 8 : capacity)
        for index in clients.indices where clients[index].publicKey[0] == hash {
            if !matches.add(index) { break }
        }
        return matches
    }
}

// MARK: Changing

extension ClientTable {
    /// The place of a client, who is entered with these permissions when unknown; in a full table in place of
    /// another.
    ///
    /// That is the client with the oldest activity that is no admin, the first of several; else the last in the
    /// table. Source: InfrastructureNodes, "Client table" (INF-023 to INF-026); firmware, `putClient`.
    @discardableResult
    mutating func insert(_ key: PublicKey, permissions: ClientPermissions = []) -> Int {
        if let known = index(of: key) { return known }
        let client = Client(key, permissions: permissions)
        guard clients.count >= capacity else {
            clients.append(client)
            return clients.count - 1
        }
        var victim = capacity - 1
        var age = UInt32.max
        for index in clients.indices where !clients[index].permissions.isAdmin && clients[index].lastActivity < age {
            victim = index
            age = clients[index].lastActivity
        }
        clients[victim] = client
        return victim
    }

    /// Gives a client permissions, or removes it when their role is that of a guest; `false` when that cannot be.
    ///
    /// Removing applies to the first client whose key begins with `prefix`. Giving needs a whole key, and computes
    /// the secret. Source: InfrastructureNodes, "Client table" (INF-027 to INF-030); firmware, `applyPermissions`.
    mutating func setPermissions(
        _ permissions: ClientPermissions, for prefix: [UInt8], identity: LocalIdentity
    ) -> Bool {
        guard permissions.role != .guest else {
            guard let index = index(ofPrefix: prefix) else { return false }
            clients.remove(at: index)
            return true
        }
        guard prefix.count >= 32 else { return false }
        let key = PublicKey(prefix)
        let index = insert(key)
        clients[index].permissions = permissions
        clients[index].secret = identity.sharedSecret(with: key)
        return true
    }
}
