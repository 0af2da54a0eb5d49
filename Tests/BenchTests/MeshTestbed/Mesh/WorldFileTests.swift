import Foundation
import MeshCompanion
import MeshFiles
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Testing

@Suite struct WorldFileTests {
    private static let valley: String = {
        let file = Bundle.module.bundleURL.appendingPathComponent("Resources/valley.json")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    private func read(_ text: String) throws(FileProblem) -> WorldPlan {
        try WorldFile.read([UInt8](text.utf8), name: "file", seed: Seed(1))
    }

    @Test func `the example of the article gives the world that it describes`() throws {
        let plan = try read(Self.valley)
        let topology = plan.topology

        #expect(topology.name == "valley")
        #expect(topology.nodes.map(\.label) == ["alice", "hill", "mill", "bob"])
        #expect(topology.nodes.map(\.role) == [.companion, .repeater, .repeater, .companion])
        #expect(topology.nodes[0].place == Place(eastMetres: 0, northMetres: 0))
        // 0.0265 degrees of longitude at 48.12 degrees north, 0.0055 of latitude.
        #expect(topology.nodes[3].place == Place(eastMetres: 1969, northMetres: 612))
        #expect(plan.equipment.map(\.board.name) == ["heltec-v3", "rak4631", "heltec-v3", "heltec-v3"])
        #expect(plan.equipment.map { $0.board.radio.codingRate } == [8, 8, 5, 8])
        #expect(plan.equipment.map(\.board.preambleSymbols) == [nil, nil, 16, nil])
        #expect(plan.equipment.map { $0.quirks.contains(.zeroKeyChannels) } == [true, true, true, false])
        let repeaters = plan.equipment[1...2].map(\.setup)
        #expect(repeaters.allSatisfy { $0.preferences.advertInterval == 0 && !$0.advertsOnBoot })
        #expect(plan.traffic.rules.count == 4)
    }

    @Test func `places on both sides of 180 degrees are near, and a map may go round the earth`() throws {
        func places(_ longitudes: [Double]) throws -> [Place?] {
            let nodes = longitudes.enumerated().map { #"{"name": "n\#($0)", "lat": 0, "lon": \#($1)}"# }
            let text = #"{"format": "meshbed world 1", "nodes": [\#(nodes.joined(separator: ","))]}"#
            return try read(text).topology.nodes.map(\.place)
        }

        #expect(try places([179.98, -179.98]).map { $0?.eastMetres } == [0, 4453])
        #expect(try places([-179.98, 179.98]).map { $0?.eastMetres } == [4453, 0])
        // The Pacific is the widest gap: from Hawaii to Japan there are 297 degrees the other way.
        let round = try places([-157, -100, -70, -30, 0, 50, 100, 140])
        #expect(round.first??.eastMetres == 0 && round.last??.eastMetres == 33_062_040)
    }

    private func plan(file firmware: String, node: String, board: String = "") throws -> WorldPlan {
        try read(
            """
            {"format": "meshbed world 1", \(firmware) "nodes": [{"name": "a", \(node) \(board) "links": [{"to": "b"}]},
            {"name": "b", "role": "companion"}]}
            """)
    }

    @Test func `a node runs its own version, else that of the file, else the standard one`() throws {
        let mixed = try plan(
            file: #""firmware": "1.15","#, node: #""firmware": "1.18","#, board: #""board": "rak4631","#)
        let old = try plan(file: #""firmware": "1.15","#, node: #""board": "rak4631","#)

        #expect(mixed.equipment.map(\.board.firmware) == [.v1_18, .v1_15])
        #expect(old.equipment.map(\.board.firmware) == [.v1_15, .v1_15])
        #expect(try plan(file: "", node: "").equipment.map(\.board.firmware) == [.standard, .standard])
        // A new repeater of the version (FWV-072, FWV-113).
        #expect(mixed.equipment[0].setup.preferences.loopDetection == .minimal)
        #expect(old.equipment[0].setup.preferences.floodAdvertInterval == 12)
    }

    @Test func `a version that is none is refused with the list of versions`() throws {
        let known = "known are 1.14, 1.15, 1.16, 1.17.1, 1.18"
        #expect {
            try plan(file: #""firmware": "1.13","#, node: "")
        } throws: { "\($0)".contains("firmware") && "\($0)".contains(known) }
        #expect {
            try plan(file: "", node: #""firmware": "2","#)
        } throws: { "\($0)".contains("nodes[0].firmware") && "\($0)".contains(known) }
    }

    @Test func `the article shows the file that is read here`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appending(path: "Sources/MeshTestbed/MeshTestbed.docc/WorldFiles.md"), encoding: .utf8)

        #expect(article.contains(Self.valley.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test func `a node of another process hears and says nothing while its program is not there`() throws {
        let plan = try read(
            """
            {"format": "meshbed world 1", "traffic": "adverts:10s", "nodes": [
            {"name": "alice", "role": "external", "links": [{"to": "bob"}]}, {"name": "bob", "role": "companion"}]}
            """)
        var run = MeshRun(plan, seed: Seed(1), span: .seconds(60))
        _ = run.perform()

        #expect(plan.topology.nodes.map(\.role) == [.external, .companion])
        #expect(run.world.framesSent(by: NodeID(index: 0)) == 0)
        #expect(run.world.framesSent(by: NodeID(index: 1)) > 0)
    }

    private func met(_ words: String) throws -> WorldPlan {
        try read(
            #"""
            {"format": "meshbed world 1", "nodes": [
            {"name": "alice", "role": "companion", "links": [{"to": "hill"}]}, {"name": "hill"},
            {"name": "far", "role": "external"}, {"name": "bob", "role": "companion", "board": "small"}],
            "met": \#(words)}
            """#)
    }

    @Test func `nodes that have met know each other from the start`() throws {
        #expect(try met("true").met == [0, 1, 3])
        #expect(try met(#"["bob", "alice"]"#).met == [3, 0])
        #expect(try met("false").met.isEmpty)

        let plan = try met("true")
        for world in [plan.world(seed: Seed(1)), World(plan.description, seed: Seed(1))] {
            let contacts = world.companion(NodeID(index: 0))?.contacts.listed ?? []
            #expect(contacts.map(\.publicKey) == [1, 3].map { world.firmware(NodeID(index: $0))?.publicKey })
            #expect(contacts.first?.displayName.string == "hill")
        }
    }

    @Test(arguments: [
        ("3", "line 4: met: must be true, false or a list of names, this is a number"),
        (#"["alice"]"#, "line 4: met: needs two names at least"), ("[]", "line 4: met: needs two names at least"),
        (#"["alice", "carol"]"#, #"line 4: met[1]: there is no node "carol""#),
        (#"["alice", "bob", "alice"]"#, #"line 4: met[2]: "alice" is there twice"#),
        (#"["alice", 7]"#, "line 4: met[1]: must be the name of a node"),
        (#"["alice", "far"]"#, #"line 4: met[1]: "far" lives in another program, whose key is not known here"#),
    ])
    func `a meeting that makes no sense is refused with its line and field`(_ words: String, _ reason: String) {
        let problem = #expect(throws: FileProblem.self) { try met(words) }

        #expect(problem.map { "\($0)" } == reason)
    }

    @Test func `more nodes than radios remember, or than may have met, are refused`() {
        func crowd(_ count: Int, _ board: String) -> String {
            let nodes = (0..<count).map { #"{"name": "n\#($0)", "role": "companion", "board": "\#(board)"}"# }
            return #"{"format": "meshbed world 1", "met": true, "nodes": [\#(nodes.joined(separator: ","))]}"#
        }
        let many = #expect(throws: FileProblem.self) { try read(crowd(257, "heltec-v3")) }
        let small = #expect(throws: FileProblem.self) { try read(crowd(200, "small")) }

        #expect(many?.reason == "are 257 nodes, and 256 may have met: list those that have")
        #expect(small?.reason.hasPrefix(#""n0" has room for "#) == true)
    }

    @Test func `a file that is nested too deep is refused`() {
        let problem = #expect(throws: FileProblem.self) { try read(String(repeating: "[", count: 513)) }

        #expect(problem?.reason.contains("nested deeper than 32 levels") == true)
    }

    @Test func `a mark in front of the text, as some editors put it, means nothing`() throws {
        #expect(try read("\u{FEFF}" + Self.valley).topology == read(Self.valley).topology)
    }

    @Test func `links keep both directions and their loss`() throws {
        let links = try read(Self.valley).topology.links

        let expected = [
            Topology.Link(2, 0, Signal(snrHundredths: -325, rssiHundredths: -11_800)),
            Topology.Link(0, 1, Signal(snrHundredths: 750, rssiHundredths: -9200)),
            Topology.Link(1, 2, .benchmark),
            Topology.Link(
                1, 3, there: Signal(snrHundredths: 400, rssiHundredths: -10_100),
                back: Signal(snrHundredths: 150, rssiHundredths: -10_400), lossPerTenThousand: 200),
            Topology.Link(2, 3, there: Signal(snrHundredths: -600, rssiHundredths: -11_900), back: nil),
        ]
        #expect(links == expected)
        let world = try read(Self.valley).world(seed: Seed(1))
        let (mill, bob) = (NodeID(index: 2), NodeID(index: 3))
        #expect(world.links[mill, bob]?.snrHundredths == -600)
        #expect(world.links[bob, mill] == nil)
        #expect(world.links[link: bob, NodeID(index: 1)]?.lossPerTenThousand == 200)
    }

    @Test func `places make links where a file has none`() throws {
        let near = """
            {"format": "meshbed world 1", "nodes": [
              {"name": "a", "x": 0, "y": 0}, {"name": "b", "x": 500, "y": 0}, {"name": "c", "x": 90000, "y": 0}]}
            """

        #expect(try read(near).topology.links.map { [$0.from, $0.to] } == [[0, 1]])
        let propagation = #""propagation": {"loss_at_km_db": 80}, "nodes""#
        let open = near.replacingOccurrences(of: "\"nodes\"", with: propagation)
        #expect(try read(open).topology.links.count > 1)
    }

    @Test func `a file states faults of every kind`() throws {
        let faults = #"""
            "faults": [
            {"kind": "loss", "share": 0.25, "from": "b"}, {"kind": "loss", "at": "10s", "for": "500ms"},
            {"kind": "partition", "nodes": ["b", "a"], "for": "1m"}, {"kind": "deafness", "node": "a", "at": "1s"},
            {"kind": "crash", "node": "b", "at": "2s", "for": "3s"}, {"kind": "reboot", "node": "a", "at": "1h"},
            {"kind": "reboot", "node": "a", "erases_flash": true}, {"kind": "clock-jump", "node": "b", "seconds": -60},
            {"kind": "flash-failure", "node": "a"}, {"kind": "corruption", "share": 0.5, "to": "a"},
            {"kind": "corruption", "passes_checksum": true}, {"kind": "replay", "node": "a", "after": "2s"},
            {"kind": "link", "from": "a", "to": "b", "for": "1s", "about": "a door is shut"},
            {"kind": "link", "from": "b", "to": "a", "snr": -3, "loss": 0.1}],
            """#
        let (a, b) = (NodeID(index: 0), NodeID(index: 1))
        let weak = AirLink(Signal(snrHundredths: -300, rssiHundredths: -8000), lossPerTenThousand: 1000)

        let plan = try read(Self.file(#""links": [{"from": "a", "to": "b"}], "# + faults))

        let expected = [
            Fault(.loss(perTenThousand: 2500, from: b)),
            Fault(.loss(perTenThousand: 10_000), from: .seconds(10), to: .milliseconds(10_500)),
            Fault(.partition([b, a]), to: .seconds(60)), Fault(.deafness(a), from: .seconds(1)),
            Fault(.crash(b), from: .seconds(2), to: .seconds(5)), Fault(.reboot(a), from: .seconds(3600)),
            Fault(.reboot(a, keepingFlash: false)), Fault(.clockJump(b, seconds: -60)), Fault(.flashFailure(a)),
            Fault(.corruption(perTenThousand: 5000, to: a)),
            Fault(.corruption(perTenThousand: 10_000, passesChecksum: true)),
            Fault(.replay(near: a, after: .seconds(2))), Fault(.link(from: a, to: b, nil), to: .seconds(1)),
            Fault(.link(from: b, to: a, weak)),
        ]
        #expect(plan.faults == expected)
    }

    @Test func `a fault of a file happens in its world`() throws {
        let text = Self.file(
            #""links": [{"from": "a", "to": "b"}], "faults": [{"kind": "link", "from": "a", "to": "b", "at": "5s"}],"#)
        let (a, b) = (NodeID(index: 0), NodeID(index: 1))

        var world = try read(text).world(seed: Seed(1))
        world.run(until: .seconds(4))
        #expect(world.links[a, b] != nil)
        world.run(until: .seconds(6))

        #expect(world.links[a, b] == nil && world.links[b, a] != nil)
    }

    @Test func `a fault of a link that is not there is refused, unless it may do nothing`() throws {
        func faults(_ fault: String) -> String { Self.file(#""faults": [{"kind": "crash", "node": "a"}, \#(fault)],"#) }

        for fault in [
            #"{"kind": "link", "from": "a", "to": "b"}"#, #"{"kind": "loss", "from": "b", "to": "a"}"#,
            #"{"kind": "corruption", "from": "a", "to": "b"}"#,
        ] {
            let problem = #expect(throws: FileProblem.self) { try read(faults(fault)) }
            #expect(problem?.field == "faults[1]" && problem?.line == 2)
            #expect(problem?.reason.contains("there is no link from") == true)
            #expect(try read(faults(String(fault.dropLast()) + #", "may_not_fire": true}"#)).faults[1].mayNotFire)
        }
        let given = #"{"kind": "link", "from": "a", "to": "b", "snr": 3}, {"kind": "loss", "from": "a", "to": "b"}"#
        #expect(try read(faults(given)).faults.count == 3)
    }

    @Test func `a fault that begins when the run is over is known before`() throws {
        let plan = try read(Self.file(#""faults": [{"kind": "loss"}, {"kind": "crash", "node": "a", "at": "1h"}],"#))
        let willing = try read(
            Self.file(#""faults": [{"kind": "crash", "node": "a", "at": "1h", "may_not_fire": true}],"#))

        #expect(plan.unreachedFault(in: .seconds(3601)) == nil)
        #expect(plan.unreachedFault(in: .seconds(3600))?.contains("fault 1, crash of a, begins at 3600.0 s") == true)
        #expect(willing.unreachedFault(in: .seconds(1)) == nil)
    }

    /// A file of two nodes, one a line, with one more line.
    private static func file(nodes: String = "", _ members: String = "") -> String {
        """
        {"format": "meshbed world 1",
        \(members)
        "nodes": [{"name": "a"},
        {"name": "b", "role": "companion"}
        \(nodes)]}
        """
    }

    @Test(arguments: [
        (file(nodes: #",{"name": "a"}"#), 5, "nodes[2].name", "nodes[0]"),
        (file(nodes: #",{"role": "repeater"}"#), 5, "nodes[2].name", "missing"),
        (file(nodes: #",{"name": ""}"#), 5, "nodes[2].name", "1 to 31"),
        (file(nodes: #",{"name": "c", "role": "router"}"#), 5, "nodes[2].role", "companion"),
        (file(nodes: #",{"name": "c", "board": "brick"}"#), 5, "nodes[2].board", "heltec-v3"),
        (file(nodes: #",{"name": "c", "x": 1}"#), 5, "nodes[2].y", "missing"),
        (file(nodes: #",{"name": "c", "lat": 91, "lon": 0}"#), 5, "nodes[2].lat", "-90…90"),
        (file(nodes: #",{"name": "c", "colour": 1}"#), 5, "nodes[2].colour", "not known"),
        (file(nodes: #",{"name": "c", "links": [{"to": "d"}]}"#), 5, "nodes[2].links[0].to", "no node \"d\""),
        (file(nodes: #",{"name": "c", "links": [{"to": "c"}]}"#), 5, "nodes[2].links[0].to", "itself"),
        (file(#""links": [{"from": "a", "to": "x"}],"#), 2, "links[0].to", "no node \"x\""),
        (file(#""links": [{"to": "a"}],"#), 2, "links[0].from", "missing"),
        (
            file("\"links\": [{\"from\": \"a\", \"to\": \"b\"},\n{\"from\": \"b\", \"to\": \"a\"}],"), 3, "links[1]",
            "line 2"
        ),
        (file(#""links": [{"from": "a", "to": "b", "snr": 40}],"#), 2, "links[0].snr", "-32…32"),
        (file(#""links": [{"from": "a", "to": "b", "loss": 1.5}],"#), 2, "links[0].loss", "0…1"),
        (file(#""links": {"from": "a"},"#), 2, "links", "list"),
        (file(#""radio": {"spreading_factor": 13},"#), 2, "radio.spreading_factor", "5…12"),
        (file(#""radio": {"frequency_khz": 869.618},"#), 2, "radio.frequency_khz", "150000…2500000"),
        (file(#""radio": {"bandwidth_hz": 60000},"#), 2, "radio.bandwidth_hz", "chip"),
        (file(#""radio": "eu-wide","#), 2, "radio", "eu-narrow"),
        (file(#""radio": {"coding_rate": 5.5},"#), 2, "radio.coding_rate", "whole"),
        (file(#""repeater": {"advert_minutes": 3},"#), 2, "repeater.advert_minutes", "even"),
        (file(#""quirks_off": ["haste"],"#), 2, "quirks_off[0]", "no quirk"),
        (file(#""propagation": {"exponent": 9},"#), 2, "propagation.exponent", "1.5…7"),
        (file(#""traffic": "shouting","#), 2, "traffic[0]", "no kind"),
        (file(#""traffic": [{"from": "z", "text": "t"}],"#), 2, "traffic[0]", "no node \"z\""),
        (file(#""traffic": [{"from": "a", "text": "t"}],"#), 2, "traffic[0]", "repeater"),
        (file(#""traffic": [{"from": "b", "to": "b", "text": "t"}],"#), 2, "traffic[0]", "to itself"),
        (file(#""traffic": [{"from": "b", "text": "t", "count": 2}],"#), 2, "traffic[0]", "every"),
        (file(#""traffic": [{"from": "b", "text": "t", "at": "soon"}],"#), 2, "traffic[0].at", "no time"),
        (file(#""faults": [{"node": "a"}],"#), 2, "faults[0].kind", "missing"),
        (file(#""faults": [{"kind": "storm"}],"#), 2, "faults[0].kind", "flash-failure"),
        (file(#""faults": [{"kind": "crash"}],"#), 2, "faults[0].node", "missing"),
        (file(#""faults": [{"kind": "crash", "node": "z"}],"#), 2, "faults[0].node", "no node \"z\""),
        (file(#""faults": [{"kind": "crash", "node": "a", "share": 1}],"#), 2, "faults[0].share", "not known"),
        (
            file("\"faults\": [{\"kind\": \"loss\"},\n{\"kind\": \"loss\", \"share\": 2}],"), 3, "faults[1].share",
            "0…1"
        ),
        (file(#""faults": [{"kind": "loss", "to": "z"}],"#), 2, "faults[0].to", "no node \"z\""),
        (file(#""faults": [{"kind": "loss", "at": "late"}],"#), 2, "faults[0].at", "no time"),
        (file(#""faults": [{"kind": "loss", "for": "0s"}],"#), 2, "faults[0].for", "longer than nothing"),
        (file(#""faults": [{"kind": "partition", "nodes": []}],"#), 2, "faults[0].nodes", "no node"),
        (file(#""faults": [{"kind": "partition", "nodes": ["a", 1]}],"#), 2, "faults[0].nodes[1]", "no name"),
        (file(#""faults": [{"kind": "reboot", "node": "a", "for": "1s"}],"#), 2, "faults[0].for", "not known"),
        (file(#""faults": [{"kind": "clock-jump", "node": "a"}],"#), 2, "faults[0].seconds", "missing"),
        (
            file(#""faults": [{"kind": "clock-jump", "node": "a", "seconds": 3e9}],"#), 2, "faults[0].seconds",
            "2147483647"
        ),
        (file(#""faults": [{"kind": "link", "from": "a", "to": "a"}],"#), 2, "faults[0].to", "itself"),
        (file(#""faults": [{"kind": "link", "from": "a", "to": "b", "snr": 99}],"#), 2, "faults[0].snr", "-32…32"),
        (file(#""faults": {"kind": "loss"},"#), 2, "faults", "list"),
        ("{\"format\": \"meshbed world 2\"}", 1, "format", "meshbed world 1"),
        ("{\"format\": \"meshbed world 1\",\n\"nodes\": []}", 1, "nodes", "no node"),
        ("[]", 1, "", "object"),
    ])
    func `a complaint names line and field`(text: String, line: Int, field: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try read(text) }

        #expect(problem?.line == line)
        #expect(problem?.field == field)
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test(arguments: [
        ("", 1), ("{", 1), ("{\"a\": 1\n,\n}", 3), ("{\"a\" 1}", 1), ("{\"a\": 1, \"a\": 2}", 1), ("[1, 2", 1),
        ("[1 2]", 1),
        ("\"open", 1), ("[\n\n\"\u{1}\"]", 3), ("[nul]", 1), ("[01x]", 1), ("[+1]", 1), ("{} {}", 1), ("[\"\\q\"]", 1),
        ("[\"\\u12\"]", 1), ("[1e999]", 1), (String(repeating: "[", count: 100_000), 1),
    ])
    func `what is no JSON is refused with its line`(text: String, line: Int) {
        let problem = #expect(throws: FileProblem.self) { try read(text) }

        #expect(problem?.line == line)
        #expect(problem?.reason.hasPrefix("is no JSON") == true)
    }

    @Test func `a file has so many different radio settings, and one more is refused where it stands`() throws {
        func text(_ count: Int) -> String {
            let nodes = (0..<count).map { number in
                // Every third node has the settings of the one before.
                #"{"name": "n\#(number)", "radio": {"frequency_khz": \#(600_000 + number - number / 3)}}"#
            }
            return "{\"format\": \"meshbed world 1\", \"nodes\": [\n\(nodes.joined(separator: ",\n"))]}"
        }
        let most = WorldFile.mostRadios * 3 / 2

        #expect(try read(text(most - 1)).topology.nodes.count == most - 1)
        let problem = #expect(throws: FileProblem.self) { try read(text(most + 6)) }
        #expect(problem?.reason == "is one of more than 1000 different settings")
        #expect(problem?.field == "nodes[1499].radio" && problem?.line == 1501)
    }

    @Test func `a file cut or changed anywhere is read or refused, and never more than that`() throws {
        let bytes = [UInt8](Self.valley.utf8)
        var stream = Seed(4).stream("damage")

        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? WorldFile.read(Array(bytes.prefix(length)), name: "cut", seed: Seed(1))
        }
        for _ in 0..<2000 {
            var changed = bytes
            for _ in 0..<3 { changed[Int(stream.draw(0, UInt32(bytes.count)))] = stream.nextByte() }
            _ = try? WorldFile.read(changed, name: "changed", seed: Seed(1))
        }
        #expect(throws: Never.self) { try read(Self.valley) }
    }

    @Test func `escapes stand for the characters that they name`() throws {
        let file = #"{"format": "meshbed world 1", "nodes": [{"name": "\u00e9\ud83d\ude00\/\"\ud800"}]}"#
        #expect(try read(file).topology.nodes[0].label == "é😀/\"\u{FFFD}")
    }

    // MARK: From names and files to worlds

    @Test(arguments: [
        ("grit:3", "no shape"), ("/nowhere/world.json", "no such file"), ("nowhere.jsonl", "no such file"),
        ("city:900000", "choose a smaller world"),
    ])
    func `a world that cannot be had says why before it starts`(name: String, reason: String) {
        let problem = #expect(throws: WorldSourceProblem.self) { try WorldSource(name, seed: Seed(1), memory: 8 << 30) }
        #expect(problem?.description.contains(reason) == true)
    }

    @Test func `a world takes no more memory than was reckoned`() throws {
        let source = try WorldSource("grid:10x10", seed: Seed(1), memory: 1 << 30)
        #expect(source.plan.estimatedBytes < 40 << 20)
    }
}
