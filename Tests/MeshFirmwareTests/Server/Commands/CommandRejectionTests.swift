import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Lines that are refused: the exact answer, and nothing has changed.
@Suite struct CommandRejectionTests {
    /// A line, its answer, and the roles that give it.
    private static let rejections: [(line: String, answer: String)] = [
        ("frobnicate", "Unknown command"), ("VER", "Unknown command"), ("Reboot", "Unknown command"),
        ("get", "Unknown command"), ("set", "Unknown command"), ("password", "Unknown command"),
        ("time", "Unknown command"), ("tempradio", "Unknown command"), ("neighbor.remove", "Unknown command"),
        ("sensor", "Unknown command"), ("sensor get", "Unknown command"), ("setperm", "Unknown command"),
        ("statistics", "Unknown command"), ("stats-core2", "Unknown command"), ("erase all", "Unknown command"),
        ("gps on", "Unknown command"), ("eth.status", "Unknown command"), ("clear", "Unknown command"),
        ("get ", "??: "), ("get nothing", "??: nothing"), ("get Name", "??: Name"),
        ("get bridge.enabled", "??: bridge.enabled"), ("get txpower", "??: txpower"),
        ("set nothing here", "unknown config: nothing here"), ("set name", "unknown config: name"),
        ("set  name X", "unknown config:  name X"), ("set public.key 00", "unknown config: public.key 00"),
        ("set role sensor", "unknown config: role sensor"), ("set extra.sf 9", "unknown config: extra.sf 9"),
        ("set bridge.delay 5", "unknown config: bridge.delay 5"),
        ("set name a:b", "Error, bad chars"), ("set name ?", "Error, bad chars"),
        ("set dutycycle 0.9", "ERROR: dutycycle must be 1-100"),
        ("set dutycycle 101", "ERROR: dutycycle must be 1-100"),
        ("set advert.interval 59", "Error: interval range is 60-240 minutes"),
        ("set advert.interval 241", "Error: interval range is 60-240 minutes"),
        ("set flood.advert.interval 2", "Error: interval range is 3-168 hours"),
        ("set flood.advert.interval 169", "Error: interval range is 3-168 hours"),
        ("set flood.max 65", "Error, max 64"), ("set flood.max.unscoped -1", "Error, max 64"),
        ("set flood.max.advert 321", "Error, max 64"),
        ("set rxdelay 20.1", "Error, must be 0-20"), ("set rxdelay -0.1", "Error, must be 0-20"),
        ("set txdelay 2.1", "Error, must be 0-2"), ("set direct.txdelay -1", "Error, must be 0-2"),
        ("set path.hash.mode 3", "Error, must be 0,1, or 2"), ("set path.hash.mode -1", "Error, must be 0,1, or 2"),
        ("set loop.detect maybe", "Error, must be: off, minimal, moderate, or strict"),
        ("set radio 149,62.5,8,5", "Error, invalid radio params"),
        ("set radio 2501,62.5,8,5", "Error, invalid radio params"),
        ("set radio 869,6.9,8,5", "Error, invalid radio params"),
        ("set radio 869,501,8,5", "Error, invalid radio params"),
        ("set radio 869,62.5,4,5", "Error, invalid radio params"),
        ("set radio 869,62.5,13,5", "Error, invalid radio params"),
        ("set radio 869,62.5,8,4", "Error, invalid radio params"),
        ("set radio 869,62.5,8,9", "Error, invalid radio params"),
        ("set radio 869,62.5,8", "Error, invalid radio params"), ("set radio ", "Error, invalid radio params"),
        ("set prv.key 00", "Error, bad key"), ("set prv.key " + String(repeating: "0", count: 127), "Error, bad key"),
        ("set radio.fem.rxgain on", "Error: unsupported"), ("set adc.multiplier 2", "Error: unsupported"),
        ("tempradio 869,62.5,8,5,0", "Error, invalid params"), ("tempradio 869,62.5,8,5,-1", "Error, invalid params"),
        ("tempradio 869,62.5,8,5", "Error, invalid params"), ("tempradio 1,62.5,8,5,1", "Error, invalid params"),
        ("tempradio ", "Error, invalid params"),
        ("neighbor.remove abc", "ERR: bad pubkey"),
        ("neighbor.remove " + String(repeating: "a", count: 66), "ERR: bad pubkey"),
        ("time 1", "(ERR: clock cannot go backwards)"), ("clock sync", "ERR: clock cannot go backwards"),
        ("setperm aabb", "Err - bad params"), ("setperm abc 1", "Err - bad pubkey"),
        ("setperm aabb 0", "Err - invalid params"), ("setperm aabb 3", "Err - invalid params"),
        ("sensor get gps", "null"), ("sensor set gps 1", "can't find custom var"), ("sensor list", "no custom var"),
        ("region foo", "Err - ??"), ("region get x", "Err - unknown region"),
        ("region put a b", "Err - unknown parent"),
        ("region put a*b", "Err - unable to put"), ("region remove *", "Err - not empty"),
        ("region home x", "Err - unknown region"), ("region list x", "Err - use 'allowed' or 'denied'"),
        ("region def", "Err - empty def"), ("start ota", "Error"), ("powersaving on", "Board not supported"),
    ]

    @Test(.proves("INF-210"), arguments: ServerRole.allCases)
    func `a line that is refused has its answer and changes nothing`(role: ServerRole) {
        for (line, answer) in Self.rejections {
            var console = ConsoleBench(role)
            let before = console.server

            #expect(console.type(line) == answer, "\(line)")

            #expect(console.server == before, "\(line)")
            #expect(console.writtenFiles == [], "\(line)")
        }
    }

    @Test(arguments: ServerRole.allCases)
    func `commands of other roles are unknown`(role: ServerRole) {
        let lines: [(String, ServerRole)] = [
            ("discover.neighbors", .repeater), ("room.post hi", .roomServer), ("magic", .sensor), ("io 1", .sensor),
        ]
        for (line, owner) in lines where owner != role {
            var console = ConsoleBench(role)
            let before = console.server

            #expect(console.type(line) == "Unknown command")

            #expect(console.server == before)
        }
    }

    @Test(arguments: ServerRole.allCases)
    func `a line is the first command that it begins with`(role: ServerRole) {
        var console = ConsoleBench(role)
        for (line, like) in [
            ("version", "ver"), ("boardx", "board"), ("clockwork", "clock"), ("powersavingx", "powersaving"),
            ("neighborsx", "neighbors"), ("getx", "frob"), ("advertise", "advert"), ("advert.zerohopx", "advert"),
        ] {
            #expect(console.type(line) == console.type(like), "\(line)")
        }
        #expect(console.type("advert.zerohop x") == "OK - zerohop advert sent")
        #expect(console.type("rebootnow") == "")
        #expect(console.restarts == 1)
    }

    @Test func `a command stands before those whose beginning it is longer than`() {
        let words = CommonCommand.allCases.map(\.rawValue)
        for (index, word) in words.enumerated() {
            #expect(!words[..<index].contains { word.hasPrefix($0) && $0 != word }, "\(word) cannot be reached")
        }
        #expect(Set(words).count == words.count)
    }

    @Test(arguments: ServerRole.allCases)
    func `lines of any bytes are answered or not, and a node lives on`(role: ServerRole) {
        var console = ConsoleBench(role)
        var random = Seed(20_240_515).stream("lines", role.commandName)
        let words =
            CommonCommand.allCases.map { [UInt8]($0.rawValue.utf8) }
            + [
                "setperm ", "get acl", "io ", "room.post ", "discover.neighbors", "set radio ", "set name ",
                "region put ",
            ]
            .map { [UInt8]($0.utf8) }
        for _ in 0..<33_334 {
            var line = random.next() % 4 == 0 ? [] : words[Int(random.next() % UInt64(words.count))]
            line += (0..<Int(random.next() % 24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            console.send(line + [UInt8(ascii: "\r")])
            if console.server.regionLoader != nil { console.send(" \r".utf8) }
        }

        console.send("\r".utf8)
        if console.server.regionLoader != nil { console.send(" \r".utf8) }
        #expect(console.type("get role") == "> \(role.commandName)")
        #expect(console.server.regions.regions.count <= RegionTable.capacity)
        #expect(console.server.preferences.name.count <= 31)
        #expect(console.server.flash.usedBytes < 40_000)
    }
}
