import MeshFirmware
import MeshTime
import MeshWire
import Testing

/// `/regions2`, and what tables are after any edits and any file.
@Suite struct RegionFileTests {
    private struct File: Decodable {
        let content: String
    }

    private static let recorded = [UInt8](hex: InfrastructureVectors.read("FILE-REGIONS2", as: File.self).content) ?? []

    /// A head with this next id, then these records.
    private static func file(next: UInt16 = 1, _ regions: [(id: UInt8, parent: UInt8, name: String)] = []) -> [UInt8] {
        let head = [0, 0, 0, 0, 0, 0, 0, 0, UInt8(next & 255), UInt8(next >> 8)]
        return regions.reduce(into: head) { file, region in
            file += [region.id, 0, region.parent, 0] + FixedBytes<31>(text: ByteText(region.name)).array
            file += [UInt8](repeating: 0, count: 129)
        }
    }

    @Test func `the recorded file is read and written byte for byte`() {
        var table = RegionTable()
        table.put("eu")
        table.setHome("eu")
        table.setDefault("eu")

        #expect(table.stored() == Self.recorded)
        #expect(RegionTable(stored: Self.recorded) == table)
        #expect(Self.fault(in: Self.recorded) == nil)
    }

    @Test func `a cut file gives the regions before the cut`() {
        var table = RegionTable()
        for name in ["a", "b", "c"] { table.put(ByteText(name), under: "*", allowsFlood: name != "b") }
        table.setHome("c")
        let stored = table.stored()

        for count in 0..<stored.count {
            let cut = RegionTable(stored: Array(stored.prefix(count)))

            #expect(cut.regions == Array(table.regions.prefix(max(0, count - 10) / 164)))
            #expect(cut.homeID == (count < 7 ? 0 : 3))
            #expect(cut.nextID == (count < 10 ? 1 : 4))
            let isWhole = count >= 10 && (count - 10).isMultiple(of: 164)
            #expect((Self.fault(in: Array(stored.prefix(count))) == nil) == isWhole)
        }
    }

    @Test func `ids in a file push the next one on`() {
        let table = RegionTable(stored: Self.file(next: 3, [(7, 0, "a"), (2, 7, "b")]))

        #expect(table.nextID == 8)
    }

    @Test func `more than 32 regions are not read`() {
        let file = Self.file((1...40).map { ($0, 0, "r\($0)") })

        #expect(RegionTable(stored: file).regions.count == 32)
        #expect(Self.fault(in: file)?.description == "/regions2, region 32: 1312 bytes behind the last one")
    }

    @Test(
        arguments: [
            (file([(0, 0, "a")]), "region 0, id"), (file([(1, 0, "a"), (1, 0, "b")]), "region 1, id"),
            (file([(1, 2, "a")]), "region 0, parent"), (file([(1, 0, "a b")]), "region 0, name"),
            (file([(1, 0, "a"), (2, 1, String(repeating: "x", count: 31))]), "region 1, name"),
            (file() + [0], "region 0"), ([UInt8](file().prefix(9)), "next_id"), ([], "reserved"),
        ])
    func `a file that no node has written is refused by name, and a node still starts from it`(
        file: [UInt8], field: String
    ) {
        #expect(Self.fault(in: file)?.field == field)

        Self.useAll(of: RegionTable(stored: file))
    }

    @Test func `a region that is its own parent, or that of the wildcard, ends no printing`() {
        let ring = RegionTable(stored: Self.file([(0, 0, ""), (5, 0, "a"), (5, 5, "b")]))

        #expect(ring.tree().count == 159)
    }

    @Test func `ids start over behind the last one`() {
        var table = RegionTable(stored: Self.file(next: 65_535))

        for name in ["a", "b", "c"] { table.put(ByteText(name)) }

        #expect(table.regions.map(\.id) == [65_535, 0, 1])
        #expect(table.tree().count == 159)
        let isRemoved = table.remove("b")
        #expect(!isRemoved)
    }

    private static func fault(in file: [UInt8]) -> StorageError? {
        do {
            try RegionTable.validate(file)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Properties

    /// Asks for everything that could trap.
    private static func useAll(of table: RegionTable) {
        var table = table
        #expect(table.tree().count <= 159)
        #expect(table.names(within: 172).count < 172)
        for line in ["region get a", "region home a", "region default b", "region def a b|a c", "region remove a"] {
            #expect(table.handleCommand([UInt8](line.utf8), role: .repeater).reply.count < 160)
        }
        #expect(RegionTable(stored: table.stored()).regions == table.regions)
    }

    /// Checks the conditions that hold after any commands.
    private static func checkSoundness(of table: RegionTable, after line: String) {
        let ids = table.regions.map(\.id)
        #expect(table.regions.count <= RegionTable.capacity, "\(line)")
        #expect(Set(ids).count == ids.count && !ids.contains(0), "\(line)")
        #expect(ids.allSatisfy { $0 < table.nextID }, "\(line)")
        #expect(table.regions.allSatisfy { $0.parent == 0 || ids.contains($0.parent) }, "\(line)")
        #expect(table.regions.allSatisfy { !$0.name.isEmpty && $0.name.count <= 30 }, "\(line)")
        let stored = table.stored()
        #expect(RegionTable(stored: stored) == table, "\(line)")
        #expect(fault(in: stored) == nil, "\(line)")
    }

    private static let names = ["a", "ab", "abc", "#b", "b", "$c", "*", "k0", "k1", "k2", "d.e", "<null>"]

    private static func line(_ draw: inout RandomStream) -> String {
        func name() -> String { draw.draw(0, 3) == 0 ? "n\(draw.draw(0, 60))" : names[Int(draw.draw(0, 12))] }
        return switch draw.draw(0, 12) {
        case 0...4: "region put \(name()) \(name())"
        case 5: "region put \(name())"
        case 6, 7: "region remove \(name())"
        case 8: "region denyf \(name())"
        case 9: "region home \(name())"
        case 10: "region default \(name())"
        default: "region def \(name()) \(name())|\(name()) \(name())"
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `any edits leave a sound table that a file keeps whole`(seed: UInt64) {
        var draw = Seed(seed).stream("regions")
        var table = RegionTable()

        for _ in 0..<150 {
            let line = Self.line(&draw)
            _ = table.handleCommand([UInt8](line.utf8), role: .repeater)
            Self.checkSoundness(of: table, after: "seed \(seed): \(line)")
        }
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `no file and no line traps`(seed: UInt64) {
        var draw = Seed(seed).stream("hostile")
        var file = (0..<draw.draw(0, 6000)).map { _ in draw.draw(0, 2) == 0 ? 0 : draw.nextByte() }
        if draw.draw(0, 2) == 0 { file = Self.recorded + file }

        var table = RegionTable(stored: file)
        Self.useAll(of: table)
        _ = Self.fault(in: file)
        var loader = RegionLoader(replacing: table)
        for _ in 0..<40 {
            var line = (0..<draw.draw(0, 40)).map { _ in draw.draw(0, 3) == 0 ? 0x20 : draw.nextByte() }
            if let end = loader.take(line) { table = end.table }
            if draw.draw(0, 2) == 0 { line = [UInt8](Self.line(&draw).utf8).prefix(12) + line }
            #expect(table.handleCommand([UInt8]("region".utf8) + line, role: .roomServer).reply.count < 160)
        }
    }
}
