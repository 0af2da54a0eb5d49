import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// `/s_contacts`.
@Suite struct ClientFileTests {
    private struct File: Decodable {
        let record: String
    }

    private static let recorded =
        [UInt8](hex: InfrastructureVectors.read("FILE-S-CONTACTS", as: File.self).record) ?? []
    private static let server = InfrastructureVectors.server

    private static func table(_ permissions: UInt8...) -> ClientTable {
        var table = ClientTable()
        for (number, raw) in permissions.enumerated() {
            table.insert(PublicKey([UInt8(number + 1)]), permissions: ClientPermissions(rawValue: raw))
        }
        return table
    }

    @Test(.proves("INF-014")) func `a client is written in the recorded 136 bytes, and read from them`() throws {
        let alice = InfrastructureVectors.identity("alice").publicKey
        var table = ClientTable()
        _ = table.setPermissions(ClientPermissions(.admin), for: alice.array, identity: Self.server)
        ([0xA1, 0xA2] as [UInt8]).withUnsafeBytes { table[0].setPath(PathLength(hashSize: 1, hops: 2), $0) }

        for role in ServerRole.allCases { #expect(table.stored(role: role) == Self.recorded) }
        #expect(Self.recorded.count == 136)
        #expect(ClientTable(stored: Self.recorded, identity: Self.server) == table)
        try ClientTable.validate(Self.recorded)
    }

    @Test(.proves("INF-015")) func `a guest is in no file`() {
        #expect(Self.table(0).stored(role: .repeater).isEmpty)
    }

    @Test(.proves("INF-016")) func `a room server writes its admins only, the others whoever has permissions`() {
        let table = Self.table(0, 3, 2, 1, 0xC3, 0x40)

        #expect(Self.keys(table.stored(role: .roomServer)) == [2, 5])
        #expect(Self.keys(table.stored(role: .repeater)) == [2, 3, 4, 5, 6])
        #expect(Self.keys(table.stored(role: .sensor)) == [2, 3, 4, 5, 6])
    }

    private static func keys(_ file: [UInt8]) -> [UInt8] {
        stride(from: 0, to: file.count, by: 136).map { file[$0] }
    }

    @Test(.proves("INF-017")) func `times are lost at a restart, so that an old login is newer than all`() {
        var table = Self.table(3)
        table[0].lastTimestamp = 1_767_225_600
        table[0].lastActivity = 1_767_225_605
        table[0].syncSince = 0x0102_0304
        table[0].pendingAck = 5
        table[0].pushFailures = 1

        let restarted = ClientTable(stored: table.stored(role: .roomServer), identity: Self.server)

        #expect(restarted[0].lastTimestamp == 0)
        #expect(restarted[0].lastActivity == 0)
        #expect(restarted[0].syncSince == 0x0102_0304)
        #expect((restarted[0].pendingAck, restarted[0].pushFailures) == (0, 0))
    }

    @Test func `secrets are those of the node's present key`() {
        let carol = InfrastructureVectors.identity("carol")

        let table = ClientTable(stored: Self.recorded, identity: carol)

        #expect(table[0].secret == carol.sharedSecret(with: table[0].publicKey))
        #expect(table[0].secret.hex != InfrastructureVectors.all.sharedSecrets["server-alice"])
    }

    /// So many clients, each with another key.
    private static func copies(_ count: UInt8) -> [UInt8] {
        (1...count).flatMap { (first: UInt8) -> [UInt8] in [first] + recorded.dropFirst() }
    }

    @Test func `more than twenty are not read, nor is a piece at the end`() {
        let many = Self.copies(30)

        #expect(ClientTable(stored: many, identity: Self.server).clients.map { $0.publicKey[0] } == Array(1...20))
        for count in [0, 1, 135, 136, 137, 271] {
            let cut = ClientTable(stored: Array(many.prefix(count)), identity: Self.server)
            #expect(cut.count == count / 136)
        }
    }

    @Test(
        arguments: [
            (Array(recorded.dropLast()), "client 0"), (recorded + recorded, "client 1, pub_key"),
            (recorded.replacing(at: 32, with: 0), "client 0, permissions"),
            (recorded.replacing(at: 39, with: 0xC1), "client 0, out_path_len"),
            (copies(33), "client 32"),
        ] as [([UInt8], String)])
    func `a file that no node has written is refused by name, and a node still starts from it`(
        file: [UInt8], field: String
    ) {
        let error = #expect(throws: StorageError.self) { try ClientTable.validate(file) }
        #expect(error?.field == field)

        #expect(ClientTable(stored: file, identity: Self.server).count == min(20, file.count / 136))
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `no file traps, and what was read is written again`(seed: UInt64) {
        var draw = Seed(seed).stream("clients")
        let file = (0..<draw.draw(0, 1000)).map { _ in draw.nextByte() }

        let table = ClientTable(stored: file, identity: Self.server)
        let again = ClientTable(stored: table.stored(role: .repeater), identity: Self.server)

        #expect(table.count == file.count / 136)
        #expect(again.clients == table.clients.filter { $0.permissions.rawValue != 0 })
        try? ClientTable.validate(file)
    }
}

extension [UInt8] {
    fileprivate func replacing(at index: Int, with byte: UInt8) -> [UInt8] {
        var bytes = self
        bytes[index] = byte
        return bytes
    }
}
