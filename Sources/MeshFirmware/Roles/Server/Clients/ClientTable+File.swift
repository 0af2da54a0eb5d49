import MeshCompanion
public import MeshCrypto
import MeshPacket
import MeshWire

/// One client in `/s_contacts`: 136 bytes.
private struct StoredClient: FieldGroup {
    static let size = 136

    var publicKey = PublicKey()
    var permissions = ClientPermissions()
    var syncSince: UInt32 = 0
    var outPathLength = PathLength.unknown
    var outPath = FixedBytes<64>()
    var secret = SharedSecret()

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        var unused: UInt16 = 0
        w.fixed("pub_key", &publicKey)
        w.raw("permissions", &permissions, unit: .hex)
        w.u32("sync_since", &syncSince, unit: .unixTime)
        w.u16("unused", &unused)
        w.raw("out_path_len", &outPathLength)
        w.fixed("out_path", &outPath)
        w.fixed("shared_secret", &secret)
    }
}

// InfrastructureNodes, "Files and preferences" and "Client table" (INF-014); firmware, `ClientACL::load` and `save`.
extension ClientTable {
    /// The path at which it is stored.
    public static let path = "/s_contacts"

    /// Makes the table that a node of this identity reads from stored clients: whole records, as many as it has
    /// room for.
    ///
    /// Secrets are computed anew, which costs some 80 µs each. Times are lost, so that an old packet is good once more.
    public init(stored bytes: [UInt8], identity: LocalIdentity, capacity: Int? = nil) {
        let capacity = capacity ?? FirmwareSwitches().serverClients
        let longest = [UInt8](bytes.prefix(capacity * StoredClient.size))
        self.init(
            records(in: longest, size: StoredClient.size, as: StoredClient.self).map { record in
                var client = Client(record.publicKey, permissions: record.permissions)
                client.syncSince = record.syncSince
                client.outPathLength = record.outPathLength
                client.outPath = record.outPath
                client.secret = identity.sharedSecret(with: record.publicKey)
                return client
            }, capacity: capacity)
    }

    /// The clients that a server of this role keeps, as they are stored.
    public func stored(role: ServerRole) -> [UInt8] {
        var writer = FieldWriter(reserving: clients.count * StoredClient.size)
        for client in clients where client.isStored(by: role) {
            var record = StoredClient(
                publicKey: client.publicKey, permissions: client.permissions, syncSince: client.syncSince,
                outPathLength: client.outPathLength, outPath: client.outPath, secret: client.secret)
            record.walk(&writer)
        }
        return writer.output
    }

    /// Throws the first fault of stored clients that no node can have written.
    ///
    /// A node that boots from such a file reads as much of it as possible.
    public static func validate(_ bytes: [UInt8]) throws(StorageError) {
        let count = bytes.count / StoredClient.size
        guard bytes.count.isMultiple(of: StoredClient.size) else {
            throw fault(count, "", "\(bytes.count % StoredClient.size) bytes instead of \(StoredClient.size)")
        }
        guard count <= largest else { throw fault(largest, "", "there is room for \(largest)") }
        let clients = records(in: bytes, size: StoredClient.size, as: StoredClient.self)
        for (index, client) in clients.enumerated() {
            if clients[..<index].contains(where: { $0.publicKey == client.publicKey }) {
                throw fault(index, ", pub_key", "is there twice")
            }
            if client.permissions.rawValue == 0 { throw fault(index, ", permissions", "are none") }
            if !client.outPathLength.isValid, !client.outPathLength.isUnknown {
                throw fault(index, ", out_path_len", "\(client.outPathLength.rawValue) is no length")
            }
        }
    }

    private static func fault(_ index: Int, _ field: String, _ reason: String) -> StorageError {
        StorageError(file: path, field: "client \(index)\(field)", reason: reason)
    }
}
