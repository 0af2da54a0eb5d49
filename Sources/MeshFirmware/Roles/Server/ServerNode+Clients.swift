import MeshCrypto
import MeshPacket
import MeshWire

// Clients: who may have sent what, and where they are. Source: InfrastructureNodes, "Client table".
extension ServerNode {
    mutating func peers(withHash hash: UInt8) -> PeerMatches { server.clients.matches(hash: hash, role: server.role) }

    mutating func secret(ofPeer index: Int) -> SharedSecret { server.clients[index].secret }

    /// Stores the path that a client has sent. No path is sent back (INF-032, INF-035).
    mutating func receivedPath(
        _ packet: PacketView, peer index: Int, secret: SharedSecret, pathLength: PathLength,
        path: UnsafeRawBufferPointer, extraType: UInt8, extra: UnsafeRawBufferPointer
    ) -> Bool {
        server.clients[index].setPath(pathLength, path)
        server.clients[index].lastActivity = core.unixTime
        learnedPath(to: index, extraType: extraType, extra: extra)
        return false
    }

    /// Has the clients written a while after the last reason to.
    mutating func writeClientsSoon() {
        server.clientsWriteDue = core.future(ServerTiming.clientsWrite)
    }

    mutating func writeClientsWhenDue() {
        guard let due = server.clientsWriteDue, core.hasPassed(due) else { return }
        server.clientsWriteDue = nil
        store(server.clients.stored(role: server.role), at: ClientTable.path)
    }

    /// Writes a file; `false` when the flash fails, or the power goes meanwhile.
    @discardableResult
    mutating func store(_ bytes: [UInt8], at path: String) -> Bool {
        let hadPower = !server.flash.hasLostPower
        guard server.flash.write(bytes, to: path) else {
            if hadPower, server.flash.hasLostPower {
                core.effects += [.flash(server.flash.remains(of: path)), .powerOff]
            }
            return false
        }
        core.effects.append(.flash(.wrote(path: path, bytes: bytes)))
        return true
    }
}

// Logins. Source: InfrastructureNodes, "Login".
extension ServerNode {
    /// Enters a client who knows a password; its index, or `nil` for a replay (INF-023 to INF-026, INF-044).
    ///
    /// The entry is made before the replay is noticed, as in the firmware.
    mutating func admit(
        _ sender: PublicKey, secret: SharedSecret, timestamp: UInt32, newcomers permissions: ClientPermissions = []
    ) -> Int? {
        let index = server.clients.insert(sender, permissions: permissions)
        guard timestamp > server.clients[index].lastTimestamp else { return nil }
        server.clients[index].lastTimestamp = timestamp
        server.clients[index].lastActivity = core.unixTime
        server.clients[index].secret = secret
        return index
    }

    /// The answer to a login that is granted (INF-039). One that came by flood makes the stored path forgotten.
    mutating func grantLogin(to client: Int, after packet: PacketView) -> [UInt8] {
        if packet.isFlood { server.clients[client].outPathLength = .unknown }
        let permissions = server.clients[client].permissions
        let isRoomGuest = server.role == .roomServer && permissions.rawValue == 0
        let time = core.uniqueTime()
        let random = withUnsafeBytes(of: core.randomBytes().littleEndian) { FixedBytes<4>($0) }
        return LoginResponsePlaintext(
            serverTime: time, admin: permissions.isAdmin ? 1 : isRoomGuest ? 2 : 0, permissions: permissions.rawValue,
            random: random, level: server.role.featureLevel
        ).written()
    }
}
