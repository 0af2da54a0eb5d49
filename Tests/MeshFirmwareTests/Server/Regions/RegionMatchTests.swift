import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// The region that a flood belongs to.
@Suite struct RegionMatchTests {
    private struct Codes: Decodable {
        struct Case: Decodable {
            let region: String
            let key: String
            let payload: String
            let rawMacValue: UInt16?
            let code: UInt16
            let raw: String
        }

        let cases: [Case]
    }

    private static let cases = InfrastructureVectors.read("TRANSPORT-CODE", as: Codes.self).cases

    private static func packet(_ hex: String) throws -> PacketView { try PacketView(#require([UInt8](hex: hex))) }

    @Test(.proves("INF-100")) func `names with and without # have the same key and find the same floods`() throws {
        for row in Self.cases {
            let key = try #require(FixedBytes<16>(hex: row.key))
            for name in [row.region, "#" + row.region.drop { $0 == "#" }, String(row.region.drop { $0 == "#" })] {
                var table = RegionTable()
                table.put(ByteText(name))

                let packet = try Self.packet(row.raw)
                #expect(table.match(packet) == .region(id: 1, key: key))
                #expect(packet.transportCode(for: key) == row.code)
            }
        }

        #expect(Self.cases.count == 5)
    }

    @Test(.proves("INF-101")) func `a code of 0 is 1 and one of FFFF is FFFE`() throws {
        let corners = Self.cases.filter { $0.rawMacValue != nil }
        var table = RegionTable()
        table.put("eu")

        for row in corners {
            let packet = try Self.packet(row.raw)
            #expect(packet.transportCodes?.region == (row.rawMacValue == 0 ? 1 : 0xFFFE))
            #expect(table.match(packet) != nil)
        }

        #expect(corners.map(\.rawMacValue) == [0, 0xFFFF])
    }

    @Test func `un-scoped floods belong to the wildcard where it allows them, and direct packets to nothing`() throws {
        let flood = try Self.packet("1500" + "62f400000000000000000000")
        let direct = try Self.packet("1600" + "62f400000000000000000000")
        let scopedDirect = try Self.packet("17" + Self.cases[0].raw.dropFirst(2))
        var table = RegionTable()
        table.put("eu")

        #expect(table.match(flood) == .wildcard)
        #expect(table.match(direct) == nil)
        #expect(table.match(scopedDirect) == nil)

        table.allowsUnscopedFloods = false
        #expect(table.match(flood) == nil)
        #expect(try table.match(Self.packet(Self.cases[0].raw)) != nil)
    }

    @Test func `a code that no region has is in none, whatever the wildcard says`() throws {
        var table = RegionTable()
        table.put("asia")

        #expect(try table.match(Self.packet(Self.cases[0].raw)) == nil)
    }

    @Test func `the table follows every change: denied, allowed, removed, moved`() throws {
        let packet = try Self.packet(Self.cases[0].raw)
        let key = try #require(FixedBytes<16>(hex: Self.cases[0].key))
        var table = RegionTable()
        table.put("asia")
        table.put("eu", under: "asia")
        #expect(table.match(packet) == .region(id: 2, key: key))

        table.setAllowsFlood(false, in: "eu")
        #expect(table.match(packet) == nil)

        table.setAllowsFlood(true, in: "eu")
        table.setAllowsFlood(false, in: "asia")
        #expect(table.match(packet) == .region(id: 2, key: key))

        table.remove("eu")
        #expect(table.match(packet) == nil)

        table.put("#eu")
        #expect(table.match(packet) == .region(id: 3, key: key))
        #expect(RegionTable(stored: table.stored()).match(packet) == .region(id: 3, key: key))
    }

    @Test func `private regions have no key and match nothing`() throws {
        var table = RegionTable()
        table.put("$eu")
        table.setDefault("$eu")

        #expect(table.regions[0].key == nil)
        #expect(table.defaultKey == nil)
        #expect(try table.match(Self.packet(Self.cases[0].raw)) == nil)
    }

    @Test func `only the first of two codes counts`() throws {
        let raw = Self.cases[0].raw
        var table = RegionTable()
        table.put("eu")

        // Header, second code in the place of the first, then the right one.
        let swapped = try Self.packet("14" + "0000" + raw.dropFirst(2).prefix(4) + raw.dropFirst(10))
        #expect(table.match(swapped) == nil)
    }
}
