import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Settings of a whole node.
@Suite struct PreferenceNodeTests {
    private struct Files: Decodable {
        let content: [String: String]
    }

    @Test(.proves("INF-018"), arguments: ServerRole.allCases)
    func `a fresh node writes the recorded file with its first setting`(role: ServerRole) throws {
        let files = InfrastructureVectors.read("FILE-PREFS", as: Files.self).content
        var bench = ConsoleBench(role)
        #expect(bench.node.flash["/prefs.json"] == nil)

        #expect(bench.type("set name Hill") == "OK")

        let content = try #require(bench.node.flash["/prefs.json"])
        #expect(String(decoding: content, as: UTF8.self) == files[role.commandName])
        var next = ConsoleBench(role, flash: bench.node.flash)
        #expect(next.type("get name") == "> Hill")
        #expect(next.type("get advert.interval") == "> 0")
    }

    @Test(arguments: ServerRole.allCases)
    func `a node that finds the older file alone converts it at boot`(role: ServerRole) throws {
        let name = [UInt8](repeating: 0, count: 4) + [UInt8]("Old hill".utf8) + [UInt8](repeating: 0, count: 28)

        var bench = ConsoleBench(role, flash: Flash(files: [("/com_prefs", name)]))

        #expect(bench.type("get name") == "> Old hill")
        let content = try #require(bench.node.flash["/prefs.json"])
        #expect(content.starts(with: "{name:\"Old hill\",".utf8))
        #expect(bench.node.flash["/com_prefs"] == name)
        // Converting is no setting: the adverts of a fresh node go on.
        #expect(bench.type("get advert.interval") == "> 2")
    }

    /// Every setting at the ends of what a file can say.
    @Test(arguments: ServerRole.allCases, ["nan", "inf", "-inf", "-1", "255", "1e38", "1e-38", "4294967295"])
    func `a node runs with any value that a file may hold`(role: ServerRole, value: String) {
        for row in ServerPreferences.rows {
            guard let name = row.fileName else { continue }
            let setting = "\(name):\(value)"
            let text = row.fileGroup.map { "{\($0):{\(setting)}}" } ?? "{\(setting)}"
            var bench = ConsoleBench(role, flash: Flash(files: [("/prefs.json", [UInt8](text.utf8))]))

            bench.run(.seconds(20))
            bench.handle(
                .heard(
                    RadioFrame(InfrastructureVectors.peer("alice").advert(1, .flood([7, 8]))),
                    Signal(snrHundredths: 500, rssiHundredths: -9000)))
            bench.run(.seconds(30))
            #expect(bench.type("advert") == "OK - Advert sent")
            bench.run(.seconds(5))

            for keyword in [row.keyword ?? "name", "dutycycle", "radio"] {
                #expect(!bench.type("get \(keyword)").isEmpty)
            }
        }
    }
}
