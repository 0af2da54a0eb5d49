import MeshCrypto
import MeshPacket
import MeshWire

// What a server tells of its clients.
extension ClientTable {
    /// The answer to a request for the access list: six bytes of key and the permissions of each (INF-086).
    ///
    /// A room server names its admins only.
    func accessList(role: ServerRole) -> [UInt8] {
        clients.filter { $0.isStored(by: role) }.flatMap { $0.publicKey.prefix(6) + [$0.permissions.rawValue] }
    }

    /// Returns the output of `get acl` on the serial console, line ends included: all clients with any permissions.
    func accessListText() -> [UInt8] {
        clients.filter { $0.permissions.rawValue != 0 }.reduce(into: [UInt8]("ACL:\r\n".utf8)) { text, client in
            text += "\([client.permissions.rawValue].hex) \(client.publicKey.hex)\n".uppercased().utf8
        }
    }
}

// The `setperm` command. Source: InfrastructureNodes, "Commands" (INF-027 to INF-031); firmware, `handleCommand` of the
// roles.
extension ClientTable {
    /// Carries out what stands behind `setperm `: a key or the beginning of one in hex, a space, and the permissions.
    ///
    /// `isChanged` asks for the table to be written soon. Of the permissions the lower eight bits of a decimal number
    /// count, and text that is none is 0.
    mutating func handleSetPermissions(
        _ arguments: [UInt8], identity: LocalIdentity
    ) -> (reply: StaticString, isChanged: Bool) {
        let arguments = ByteText(bytes: arguments).untilNUL.bytes
        guard let space = arguments.firstIndex(of: UInt8(ascii: " ")) else { return ("Err - bad params", false) }
        guard let prefix = Self.key(hex: arguments[..<space]) else { return ("Err - bad pubkey", false) }
        let number = NumberReading.integer(arguments[(space + 1)...])
        let permissions = ClientPermissions(rawValue: UInt8(truncatingIfNeeded: number))
        guard setPermissions(permissions, for: prefix, identity: identity) else {
            return ("Err - invalid params", false)
        }
        return ("OK", true)
    }

    /// Up to 32 bytes from an even number of digits; another character counts as 0 (`Utils::fromHex`).
    private static func key(hex: ArraySlice<UInt8>) -> [UInt8]? {
        hex.count <= 64 ? NumberReading.hex(hex, count: hex.count / 2) : nil
    }
}
