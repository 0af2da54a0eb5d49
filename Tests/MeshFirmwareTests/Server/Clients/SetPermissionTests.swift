import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshFirmware

/// `setperm` and `get acl`.
@Suite struct SetPermissionTests {
    private var table = ClientTable()
    private static let alice = InfrastructureVectors.identity("alice").publicKey
    private static let bob = InfrastructureVectors.identity("bob").publicKey

    /// Types what follows `setperm `.
    @discardableResult
    private mutating func type(_ arguments: String) -> String {
        let answer = table.handleSetPermissions([UInt8](arguments.utf8), identity: InfrastructureVectors.server)
        #expect(answer.isChanged == ("\(answer.reply)" == "OK"))
        return "\(answer.reply)"
    }

    private struct Script: Decodable {
        struct Line: Decodable {
            let command: String
            let reply: String?
        }

        let script: [Line]
    }

    @Test(.proves("INF-201")) mutating func `the setperm lines of the recorded script are answered as recorded`() {
        let lines = InfrastructureVectors.read("CLI-SCRIPT", as: Script.self).script.filter {
            $0.command.hasPrefix("setperm ")
        }

        for line in lines { #expect(type(String(line.command.dropFirst(8))) == line.reply) }

        #expect(lines.map(\.command) == ["setperm aa ", "setperm aabb 3", "setperm abc 1"])
    }

    @Test(.proves("INF-027")) mutating func `a key that is given permissions has its secret at once`() throws {
        #expect(type("\(Self.alice.hex) 3") == "OK")

        let client = try #require(table.clients.first)
        #expect(client.publicKey == Self.alice)
        #expect(client.permissions == ClientPermissions(.admin))
        #expect(client.secret.hex == InfrastructureVectors.all.sharedSecrets["server-alice"])
        #expect(client.lastTimestamp == 0)
    }

    @Test mutating func `somebody who is known gets exactly these permissions and keeps the rest`() {
        table.insert(Self.alice, permissions: [.lowAlerts, .highAlerts])
        table[0].lastTimestamp = 9

        #expect(type("\(Self.alice.hex.uppercased()) 2") == "OK")

        #expect(table.count == 1)
        #expect(table[0].permissions.rawValue == 2)
        #expect(table[0].lastTimestamp == 9)
        #expect(!table[0].secret.isZero)
    }

    @Test(.proves("INF-028")) mutating func `the first client whose key begins like this is removed`() {
        for key in [[1, 2], [1, 3], [1, 2, 9]] as [[UInt8]] {
            table.insert(PublicKey(key), permissions: ClientPermissions(.admin))
        }

        #expect(type("0102 0") == "OK")
        #expect(table.clients.map { $0.publicKey[1] } == [3, 2])
        #expect(type("01020900 0") == "OK")
        #expect(type("0102 0") == "Err - invalid params")
    }

    @Test(.proves("INF-029"), arguments: ["192", "4", "256", "0", "", "x", "+0", " 0", "-4", "1024 3", "-2147483648"])
    mutating func `any number whose lower two bits are 0 removes, and so does no number`(number: String) {
        type("\(Self.alice.hex) 3")

        #expect(type("\(Self.alice.hex.prefix(8)) \(number)") == "OK")
        #expect(table.clients.isEmpty)
    }

    @Test(
        arguments: [
            ("1", 1), ("195", 0xC3), ("257", 1), ("-1", 0xFF), (" 7", 7), ("\t+2x", 2), ("3 0", 3),
            ("99999999999999999999", 0xFF), ("2147483647", 0xFF), ("02", 2),
        ] as [(String, UInt8)])
    mutating func `of a number the lower eight bits count`(number: String, permissions: UInt8) {
        #expect(type("\(Self.alice.hex) \(number)") == "OK")
        #expect(table.clients.first?.permissions.rawValue == permissions)
    }

    @Test(.proves("INF-030"), arguments: ["aabb 3", "\(String(repeating: "a", count: 62)) 1", "aa 0", " 0", " 3"])
    mutating func `a part of a key gives no permissions, and one that nobody has removes none`(line: String) {
        #expect(type(line) == "Err - invalid params")
        #expect(table.clients.isEmpty)
    }

    @Test(.proves("INF-031")) mutating func `an odd number of digits is no key, and one part is too few`() {
        #expect(type("abc 1") == "Err - bad pubkey")
        #expect(type(String(repeating: "a", count: 63) + " 1") == "Err - bad pubkey")
        #expect(type(String(repeating: "a", count: 66) + " 1") == "Err - bad pubkey")
        #expect(type("abcd") == "Err - bad params")
        #expect(type("") == "Err - bad params")
        #expect(type("abcd\0 1") == "Err - bad params")
    }

    @Test mutating func `what is no digit counts as 0, and no digits at all remove the first client`() {
        table.insert(PublicKey([0x0A, 0xB0]), permissions: ClientPermissions(.admin))
        table.insert(PublicKey([0x55]), permissions: ClientPermissions(.admin))

        #expect(type("zabz 0") == "OK")
        #expect(table.clients.map { $0.publicKey[0] } == [0x55])
        #expect(type(" 0") == "OK")
        #expect(table.clients.isEmpty)
    }

    @Test(.proves("INF-025")) mutating func `the last admin of twenty gives way to a key that is given permissions`() {
        for number in 1...20 as ClosedRange<UInt8> {
            table.insert(PublicKey([number]), permissions: ClientPermissions(.admin))
        }

        #expect(type("\(Self.alice.hex) 1") == "OK")

        #expect(table[19].publicKey == Self.alice)
        #expect(table.count == 20)
    }

    @Test mutating func `the console lists permissions and whole keys of those that have any`() {
        type("\(Self.alice.hex) 3")
        table.insert(Self.bob)
        type("\(InfrastructureVectors.identity("carol").publicKey.hex) 195")

        let text = ByteText(bytes: table.accessListText()).string
        #expect(
            text == """
                ACL:\r
                03 8139770EA87D175F56A35466C34C7ECCCB8D8A91B4EE37A25DF60F5B8FC9B394
                C3 CA93AC1705187071D67B83C7FF0EFE8108E8EC4530575D7726879333DBDABE7C

                """)
        #expect(ClientTable().accessListText() == [UInt8]("ACL:\r\n".utf8))
    }
}
