import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// The clients in the table, and the one that gives way.
@Suite struct ClientTableTests {
    /// A key that begins with these bytes.
    private static func key(_ bytes: UInt8...) -> PublicKey { PublicKey(bytes) }

    /// A table of these clients, the role of each and when it was active.
    private static func table(_ clients: [(role: ClientRole, activity: UInt32)]) -> ClientTable {
        var table = ClientTable()
        for (number, client) in clients.enumerated() {
            let index = table.insert(key(UInt8(number + 1)), permissions: ClientPermissions(client.role))
            table[index].lastActivity = client.activity
        }
        return table
    }

    private static func full(of role: ClientRole) -> [(role: ClientRole, activity: UInt32)] {
        (0..<20).map { (role, 1000 + UInt32($0)) }
    }

    // MARK: Room

    private struct Evictions: Decodable {
        struct Case: Decodable {
            let situation: String
            let evicts: String
        }

        let cases: [Case]
    }

    @Test func `the slot of the recorded cases gives way`() {
        for row in InfrastructureVectors.read("ACL-EVICTION", as: Evictions.self).cases {
            var clients = Self.full(of: row.situation == "all 20 are admins" ? .admin : .readWrite)
            if row.situation == "some admins" { clients[4].role = .admin }
            clients[4].activity = 1
            clients[7].activity = 2
            clients[9].activity = 2
            let expected =
                switch row.evicts {
                case "smallest last_activity (server clock seconds), lowest index on ties": 4
                case "smallest last_activity among non-admins": 7
                case "index 19 (the last slot)": 19
                default: -1
                }
            var table = Self.table(clients)

            #expect(table.insert(Self.key(0xFF)) == expected, "\(row.situation)")
            #expect(table[expected].publicKey == Self.key(0xFF))
            #expect(table.count == 20)
        }
    }

    @Test(.proves("INF-023")) func `the table holds twenty clients`() {
        var table = Self.table(Self.full(of: .guest))
        let before = Set(table.clients.map(\.publicKey))

        table.insert(Self.key(0xFF))

        #expect(table.count == 20)
        #expect(before.subtracting(table.clients.map(\.publicKey)).count == 1)
    }

    @Test(.proves("INF-024")) func `of twenty that are no admins those with the oldest activity give way`() {
        var table = Self.table(Self.full(of: .guest))

        for number in 21...25 as ClosedRange<UInt8> {
            let index = table.insert(Self.key(number))
            table[index].lastActivity = 1000 + UInt32(number)
        }

        #expect(Set(table.clients.map { $0.publicKey[0] }) == Set(6...25))
    }

    @Test(.proves("INF-025")) func `of twenty admins the last slot is overwritten, again and again`() {
        var table = Self.table(Self.full(of: .admin))

        for number in 21...25 as ClosedRange<UInt8> {
            table.insert(Self.key(number), permissions: ClientPermissions(.admin))
        }

        #expect(table.clients.map { $0.publicKey[0] } == [UInt8](1...19) + [25])
    }

    @Test(.proves("INF-026")) func `no admin gives way to a newcomer while there is somebody else`() {
        var clients = Self.full(of: .guest)
        clients[0] = (.admin, 0)
        var table = Self.table(clients)

        for number in 21...60 as ClosedRange<UInt8> {
            let index = table.insert(Self.key(number))
            table[index].lastActivity = 2000 + UInt32(number)
        }

        #expect(table[0].publicKey == Self.key(1))
    }

    @Test func `somebody who is known keeps the place and all that is known of it`() {
        var table = Self.table(Self.full(of: .guest))
        table[3].lastTimestamp = 77
        let before = table

        #expect(table.insert(Self.key(4), permissions: [.lowAlerts, .highAlerts]) == 3)

        #expect(table == before)
    }

    @Test func `a newcomer has no path, no secret and no times, also in a place that was taken`() {
        var table = Self.table(Self.full(of: .readWrite))
        table[0].setPath(PathLength(hashSize: 1, hops: 1), UnsafeRawBufferPointer(start: nil, count: 0))
        table[0].secret = SharedSecret(repeatElement(1, count: 32))
        table[0].pushFailures = 3

        let index = table.insert(Self.key(0xFF), permissions: [.lowAlerts, .highAlerts])

        #expect(index == 0)
        #expect(table[0] == ClientTable.Client(Self.key(0xFF), permissions: ClientPermissions(rawValue: 0xC0)))
        #expect(table[0].outPathLength.isUnknown)
        #expect(table[0].secret.isZero && table[0].lastActivity == 0)
    }

    @Test func `a table that nobody is in takes no memory of its own`() {
        // The clients, and how many there is room for.
        #expect(MemoryLayout<ClientTable>.size == 2 * MemoryLayout<Int>.size)
        #expect(ClientTable().clients.capacity == 0)
        #expect(MemoryLayout<RegionTable>.size <= 32)
    }

    // MARK: Paths

    @Test(.proves("INF-032", "INF-033")) func `a path is replaced by the next one and forgotten by its length alone`() {
        var client = ClientTable.Client(Self.key(1), permissions: [])

        ([0xA1, 0xA2, 0xA3] as [UInt8]).withUnsafeBytes { client.setPath(PathLength(hashSize: 1, hops: 3), $0) }
        #expect(client.outPath.starts(with: [0xA1, 0xA2, 0xA3] as [UInt8]))

        ([0xB1] as [UInt8]).withUnsafeBytes { client.setPath(PathLength(hashSize: 1, hops: 1), $0) }
        #expect(client.outPathLength == PathLength(hashSize: 1, hops: 1))
        #expect(client.outPath.starts(with: [0xB1, 0xA2, 0xA3, 0] as [UInt8]))

        client.outPathLength = .unknown
        #expect(client.outPath.starts(with: [0xB1, 0xA2, 0xA3, 0] as [UInt8]))
    }

    @Test func `of a path that is too long only the length is kept`() {
        var client = ClientTable.Client(Self.key(1), permissions: [])

        for raw in UInt8.min...UInt8.max {
            let length = PathLength(rawValue: raw)
            [UInt8](repeating: 7, count: 70).withUnsafeBytes { client.setPath(length, $0) }
            #expect(client.outPathLength == length)
        }

        #expect(client.outPath == FixedBytes(repeatElement(7, count: 64)))
    }

    // MARK: Looking up

    @Test func `all clients of a hash are found in table order, on a sensor eight`() {
        var table = ClientTable()
        for number in 0..<20 as Range<UInt8> { table.insert(Self.key(number < 10 ? 0x42 : 0x43, number)) }

        let all = table.matches(hash: 0x42, role: .repeater)
        #expect((0..<all.count).map { all[$0] } == Array(0..<10))
        #expect(table.matches(hash: 0x42, role: .sensor).count == 8)
        #expect(table.matches(hash: 0x43, role: .roomServer).count == 10)
        #expect(table.matches(hash: 0x44, role: .roomServer).count == 0)
    }

    @Test func `the lists of peers hold the whole table`() {
        var table = ClientTable()
        for number in 0..<20 as Range<UInt8> { table.insert(Self.key(0x42, number)) }

        #expect(table.matches(hash: 0x42, role: .roomServer).count == 20)
    }

    // MARK: Access list

    private struct AccessList: Decodable {
        struct Entry: Decodable {
            let prefix: String
            let permissions: UInt8
        }

        let entries: [Entry]
        let body: String
    }

    @Test(.proves("INF-086")) func `repeaters and sensors list whoever has permissions, in table order`() throws {
        let recorded = InfrastructureVectors.read("ACL-RESP", as: AccessList.self)
        var table = ClientTable()
        for (number, entry) in recorded.entries.enumerated() {
            table.insert(
                PublicKey(try #require([UInt8](hex: entry.prefix))),
                permissions: ClientPermissions(rawValue: entry.permissions))
            table.insert(Self.key(UInt8(number)), permissions: [])
        }

        #expect(table.accessList(role: .repeater).hex == recorded.body)
        #expect(table.accessList(role: .sensor).hex == recorded.body)
    }

    @Test(.proves("INF-087")) func `a room server lists its admins only`() {
        var table = Self.table([(.guest, 0), (.admin, 0), (.readWrite, 0), (.readOnly, 0)])
        table.insert(Self.key(9), permissions: ClientPermissions(rawValue: 0xC3))

        #expect(table.accessList(role: .roomServer).hex == "02000000000003" + "090000000000c3")
    }

    // MARK: Properties

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any logins and removals leave each key once and no admin pushed out by others`(seed: UInt64) {
        var draw = Seed(seed).stream("clients")
        var table = ClientTable()

        for step in 0..<400 {
            let key = Self.key(UInt8(draw.draw(0, 40)))
            let admins = table.clients.filter(\.permissions.isAdmin).map(\.publicKey)
            if draw.draw(0, 8) == 0, let index = table.index(of: key) {
                let isRemoved = table.setPermissions(
                    [], for: table[index].publicKey.array, identity: InfrastructureVectors.server)
                #expect(isRemoved)
            } else {
                let index = table.insert(key)
                table[index].lastActivity = UInt32(step)
                if draw.draw(0, 3) == 0 { table[index].permissions.role = .admin }
                let left = Set(table.clients.map(\.publicKey))
                #expect(admins.count == 20 || admins.allSatisfy(left.contains), "seed \(seed), step \(step)")
            }
            #expect(table.count <= 20 && Set(table.clients.map(\.publicKey)).count == table.count)
        }
    }
}
