import MeshFirmware
import Testing

@testable import MeshRoleCompliance

/// The state of a node as its console tells it, and the lines that bring it from one to another.
@Suite struct ConsoleRecordTests {
    private static let tree = "* F\n eu^ F\n  west\n  east F\n uk\n"

    private func record(_ tree: String, home: String? = nil) throws -> ConsoleRecord {
        let found = try #require(ConsoleRecord.tree(in: tree))
        var record = ConsoleRecord()
        (record.regions, record.home) = found
        record.defaultRegion = ConsoleRecord.noRegion
        return record
    }

    @Test func `a tree of regions has parents, floods and a home`() throws {
        let record = try record(Self.tree)

        #expect(record.home == "eu")
        #expect(record.regions.map(\.name) == ["*", "eu", "west", "east", "uk"])
        #expect(record.regions.map(\.parent) == [nil, "*", "eu", "eu", "*"])
        #expect(record.regions.map(\.allowsFlood) == [true, true, false, true, false])
        for wrong in ["", "eu F\n", "*^ F\n   deep F\n", "*^ F\n* F\n", "Unknown command"] {
            #expect(ConsoleRecord.tree(in: wrong) == nil, "\(wrong)")
        }
    }

    @Test func `regions are removed part by part, and put under their parents again`() throws {
        let (mine, none) = (try record(Self.tree), try record("*^ F\n"))

        #expect(
            mine.lines(to: none) == [
                "region remove uk", "region remove east", "region remove west", "region remove eu", "region allowf *",
                "region home *",
            ])
        #expect(
            none.lines(to: mine) == [
                "region allowf *", "region put eu *", "region allowf eu", "region put west eu", "region denyf west",
                "region put east eu", "region allowf east", "region put uk *", "region denyf uk", "region home eu",
            ])
        #expect(mine.lines(to: mine) == [])
    }

    @Test func `settings are typed where they differ, and fractions without the error of a float`() {
        var (now, before) = (ConsoleRecord(), ConsoleRecord())
        now.settings = [
            .init(name: "name", value: "X"), .init(name: "lat", value: "0.0"), .init(name: "af", value: "1.0"),
        ]
        before.settings = [
            .init(name: "name", value: "Hill"), .init(name: "lat", value: "-0.1277999"),
            .init(name: "af", value: "1.0"),
        ]

        #expect(now.lines(to: before) == ["set name Hill", "set lat -0.127800"])
    }

    @Test func `clients are removed and given their permissions again`() {
        let (ann, ben) = (String(repeating: "A1", count: 32), String(repeating: "B2", count: 32))
        var (now, before) = (ConsoleRecord(), ConsoleRecord())
        now.clients = ConsoleRecord.clients(in: "get acl\r\nACL:\r\n03 \(ann)\n")
        before.clients = ConsoleRecord.clients(in: "get acl\r\nACL:\r\nC3 \(ben.lowercased())\nnoise 03\n")

        #expect(before.clients == [.init(key: ben, permissions: 0xC3)])
        #expect(now.lines(to: before) == ["setperm \(ann) 0", "setperm \(ben) 195"])
    }

    @Test func `statements begin at factory settings, without adverts and regions`() throws {
        var mine = try record(Self.tree)
        mine.settings = [
            .init(name: "name", value: "Hill"), .init(name: "txdelay", value: "0.7"),
            .init(name: "advert.interval", value: "120"),
        ]

        let baseline = mine.baseline(of: .repeater, on: .heltecV3, removesClients: false)

        #expect(baseline.settings.map(\.value) == ["Hill", "0.5", "0"])
        #expect(baseline.regions.map(\.name) == ["*"])
        #expect(baseline.location == nil)
    }

    @Test(
        arguments: [
            ("10:52 - 15/5/2024 UTC", 1_715_770_320), ("00:00 - 1/1/1970 UTC", 0),
            ("23:59 - 29/2/2000 UTC", 951_868_740),
            ("08:00 - 15/1/2027 UTC", 1_800_000_000), ("06:28 - 7/2/2106 UTC", 4_294_967_280),
        ] as [(String, UInt32)])
    func `the clock of a console is read and written`(text: String, seconds: UInt32) {
        #expect(NodeClock.seconds(in: text) == seconds)
        #expect(NodeClock.text(seconds) == text)
        #expect(NodeClock.text(seconds + 15) == text)
    }

    @Test func `what is no clock is none`() {
        for text in ["", "Unknown command", "24:00 - 1/1/2026 UTC", "00:00 - 1/13/2026 UTC", "00:00 - 1/1/9999 UTC"] {
            #expect(NodeClock.seconds(in: text) == nil, "\(text)")
        }
    }
}
