import MeshCompanion
import MeshFiles
import MeshTransports
import Testing

@testable import MeshBoards
@testable import MeshCompliance

/// `bench.json`: the boards of a lab.
@Suite struct BenchFileTests {
    private static let whole = """
        {"format": "meshbed-bench/1", "radios": [
          {"label": "heltec", "address": "serial:/dev/ttyUSB0", "usb": "E4B063", "firmware": "1.17.1",
           "allow": ["power", "restart", "erase", "clock", "crash", "transmit"], "near": ["shelf"], "reset": "rts",
           "power": {"cycle": ["uhubctl", "-a", "cycle"], "seconds": 20}, "note": "on the window sill"},
          {"label": "shelf", "address": "rfc2217://lab.example:4000", "allow": ["transmit"]},
          {"label": "any", "usb": "0001"},
          {"label": "far", "place": "roof-1", "allow": ["restart"]},
          {"label": "rigged", "address": "tcp://192.0.2.7", "rig": "tcp://192.0.2.7:5999"}
        ]}
        """

    private static func read(_ text: String) throws(FileProblem) -> Bench { try BenchFile().read(Array(text.utf8)) }

    @Test func `a file has labels, addresses, permissions and neighbours`() throws {
        let bench = try Self.read(Self.whole)

        let heltec = try bench["heltec"]
        #expect(heltec.addresses == [.serial(path: "/dev/ttyUSB0")])
        #expect(heltec.allowed == .destructive)
        #expect(heltec.board?.firmware?.name == "1.17.1" && heltec.board?.usb == "E4B063")
        #expect(heltec.board?.reset == .rts && heltec.board?.power?.limitSeconds == 20)
        #expect(try bench.abilities(of: "heltec") == [.destructive, .emptyContacts, .secondRadio, .power])
        #expect(try bench["shelf"].addresses == [.remote(.init(host: "lab.example", port: 4000, wire: .rfc2217))])
        #expect(try bench.abilities(of: "shelf") == .secondRadio)
        #expect(try bench["any"].addresses.isEmpty && bench["any"].isReal)
        #expect(try bench.abilities(of: "any") == [])
        #expect(try bench["far"].board?.place == "roof-1" && bench["far"].allowed == .restart)
        #expect(try bench["rigged"].rig == .tcp(host: "192.0.2.7", port: 5999))
        #expect(bench.areNear("shelf", "heltec") && !bench.areNear("shelf", "far"))
    }

    @Test func `a label repeats a check, and its file says what is allowed`() throws {
        var run = try Self.read(Self.whole).complianceRun(target: "heltec", peer: "shelf")
        run.benchArguments = ["--bench", "lab.json"]
        let check = try #require(Check.all.first)

        #expect(
            run.repeatCommand([check.id])
                == "meshbed comply --target heltec --peer shelf --bench lab.json --only \(check.id)")
    }

    /// The radios of a file with these fields each.
    private static func file(_ radios: String...) -> String {
        "{\"format\": \"meshbed-bench/1\", \"radios\": [\n" + radios.joined(separator: ",\n") + "\n]}"
    }

    /// A file with one radio, in line 2.
    private static func one(_ fields: String) -> String { file("{\(fields)}") }

    @Test(
        arguments: [
            ("[]", "line 1: must be an object, this is a list"),
            (#"{"format": "meshbed-bench/2", "boards": 7}"#, #"line 1: format: must be "meshbed-bench/1""#),
            (#"{"radios": []}"#, #"line 1: format: must be "meshbed-bench/1""#),
            (#"{"format": "meshbed-bench/1"}"#, "line 1: radios: is missing"),
            (
                #"{"format": "meshbed-bench/1", "radios": [], "x": 1}"#,
                "x: is not known here; known are format, radios"
            ),
            (file(#"{"address": "tcp://a:1"}"#), "line 2: radios[0].label: is missing"),
            (one(#""label": "a b", "usb": "1""#), "label: may have letters"),
            (one(#""label": "", "usb": "1""#), "label: must have 1 to 32 bytes"),
            (one(#""label": "emulator", "usb": "1""#), "label: means something else"),
            (one(#""label": "localhost", "usb": "1""#), "label: means something else"),
            (one(#""label": "a""#), "address: is missing; usb or place can stand in its place"),
            (one(#""label": "a", "address": "tcp://a:99999""#), #"address: address "tcp://a:99999": the port"#),
            (one(#""label": "a", "adress": "tcp://a:1""#), "adress: is not known here"),
            (one(#""label": "a", "usb": "x y""#), "usb: must have 1 to 126 visible characters"),
            (one(#""label": "a", "usb": "1", "address": "tcp://a:1""#), "usb: is of a serial line"),
            (one(#""label": "a", "address": "tcp://a:1", "reset": "rts""#), "reset: is of a serial line"),
            (one(#""label": "a", "usb": "1", "reset": "cts""#), #"reset: "cts" is none of dtr, rts"#),
            (one(#""label": "a", "place": "p", "usb": "1""#), "place: goes without address, usb and rig"),
            (one(#""label": "a", "place": "-p""#), "place: must have 1 to 128 visible characters"),
            (one(#""label": "a", "usb": "1", "firmware": "9""#), #"firmware: "9" is none of "#),
            (one(#""label": "a", "usb": "1", "allow": ["all"]"#), #"allow: "all" is none of restart, "#),
            (one(#""label": "a", "usb": "1", "allow": "erase""#), "allow: must be a list, this is a text"),
            (one(#""label": "a", "usb": "1", "allow": [7]"#), "allow[0]: must be a text, this is a number"),
            (one(#""label": "a", "usb": "1", "power": {"on": []}"#), "power.on: must begin with a program"),
            (one(#""label": "a", "usb": "1", "power": {"on": "x"}"#), "power.on: must be a list"),
            (one(#""label": "a", "usb": "1", "power": {"seconds": 0}"#), "power.seconds: 0 is not within"),
            (one(#""label": "a", "usb": "1", "power": {"up": []}"#), "power.up: is not known here"),
            (
                file(#"{"label": "a", "usb": "1"}"#, #"{"label": "b", "usb": "1"}"#),
                #"line 3: radios[1].usb: "1" is that of "a", too: one board is one radio"#
            ),
            (
                file(#"{"label": "a", "usb": "1"}"#, #"{"label": "a", "usb": "2"}"#),
                #"line 3: radios[1].label: "a" is the label of the radio in line 2, too"#
            ),
            (
                file(#"{"label": "a", "address": "tcp://h"}"#, #"{"label": "b", "address": "tcp://h:5000"}"#),
                #"line 3: radios[1].address: "tcp://h:5000" is that of "a", too: one board is one radio"#
            ),
            (one(#""label": "a", "usb": "1", "near": ["b"]"#), #"near: "b" is no label of this file"#),
            (one(#""label": "a", "usb": "1", "near": ["a"]"#), #"near: "a" is the radio itself"#),
        ])
    func `a mistake is named with its line`(text: String, reason: String) throws {
        let problem = #expect(throws: FileProblem.self) { try Self.read(text) }

        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test func `a file is bounded`() throws {
        let many = (0...BenchFile.mostRadios).map { "{\"label\": \"r\($0)\", \"usb\": \"\($0)\"}" }
        let problem = #expect(throws: FileProblem.self) {
            try Self.read("{\"format\": \"meshbed-bench/1\", \"radios\": [\(many.joined(separator: ","))]}")
        }
        let long = #expect(throws: FileProblem.self) {
            try Self.read(String(repeating: " ", count: BenchFile.longest) + "{}")
        }

        #expect(problem?.description == "line 1: radios: has more than 1000 radios")
        #expect(long?.description == "is longer than 1024 KiB")
    }

    @Test func `a place of labgrid is a target without a file`() throws {
        let target = try Target("labgrid:roof-1")

        #expect(target.isReal && target.addresses.isEmpty && target.board?.place == "roof-1")
        #expect(target.description == "labgrid:roof-1" && target.arguments == ["--target", "labgrid:roof-1"])
        #expect(throws: LinkError.self) { try Target("labgrid:") }
        #expect(throws: LinkError.self) { try Target("labgrid:-x") }
    }

    @Test func `what labgrid-client shows has the address of the serial port`() throws {
        func shown(_ resources: String...) -> String {
            "Place 'roof-1':\n  acquired: host/ann\n"
                + resources.map { "Acquired resource 'x' (exporter/group/NetworkSerialPort/x):\n  \($0)\n" }.joined()
        }
        let port = """
            {'acquired': 'roof-1',
               'avail': True,
               'cls': 'NetworkSerialPort',
               'params': {'extra': {'path': '/dev/ttyUSB0', 'proxy': 'other', 'proxy_required': False},
                          'host': 'lab-2',
                          'port': 40123,
                          'protocol': 'PROTOCOL'}}
            """
        let power = "{'avail': True, 'cls': 'NetworkPowerPort', 'params': {'host': 'pdu', 'index': '1'}}"
        let line = port.replacing("PROTOCOL", with: "rfc2217")

        #expect(
            try LabgridPlace.address(shown: shown(power, line))
                == .remote(.init(host: "lab-2", port: 40_123, wire: .rfc2217)))
        #expect(
            try LabgridPlace.address(shown: shown(port.replacing("PROTOCOL", with: "raw")))
                == .remote(.init(host: "lab-2", port: 40_123, wire: .raw)))
        for text in [shown(), shown(power), shown(line, line), shown(line.replacing("'port': 40123", with: ""))] {
            #expect(throws: LabgridPlace.Refusal.self) { try LabgridPlace.address(shown: text) }
        }
    }
}
