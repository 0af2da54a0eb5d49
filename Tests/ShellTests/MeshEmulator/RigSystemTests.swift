import Foundation
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import MeshEmulator

/// The requests to a rig, line by line, from a client that has no code of ours.
@Suite struct RigSystemTests {
    /// A control connection.
    private struct Steering {
        let client: TestClient

        init(_ rig: Rig) throws {
            client = try TestClient.connect(port: RigSystemTests.port(rig.control))
        }

        /// One line there, one back.
        func ask(_ line: String) throws -> RigReply {
            client.send([UInt8]((line + "\n").utf8))
            return try answer()
        }

        func answer() throws -> RigReply {
            var line: [UInt8] = []
            while let byte = client.receive(1, within: 10_000).first, byte != UInt8(ascii: "\n") { line.append(byte) }
            return try JSONDecoder().decode(RigReply.self, from: Data(line))
        }

        func state(_ line: String) throws -> RigState {
            guard case .state(let state) = try ask(line) else { throw TestClient.Failure(reason: line) }
            return state
        }
    }

    private static func port(_ endpoint: LinkAddress) -> Int {
        if case .tcp(_, let port) = endpoint { Int(port) } else { 0 }
    }

    private func radioPort(of rig: Rig) -> Int { rig.endpoints.map { Self.port($0.endpoint) }.max() ?? 0 }

    private func with(_ configuration: Rig.Configuration = .init(), _ body: (Rig) throws -> Void) throws {
        let rig = try Rig.start(configuration)
        defer { rig.stop() }
        try body(rig)
    }

    /// The article is all that a client in another language has.
    @Test func `answers look as the article shows them`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appending(path: "Sources/MeshTestbed/MeshTestbed.docc/Rigs.md"), encoding: .utf8)
        var shown = RigState()
        (shown.isConnected, shown.now, shown.sent, shown.written) = (true, 1200, ["1100AA"], 8)
        let state = RigReply.state(shown)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys

        let line = String(decoding: try encoder.encode(state), as: UTF8.self)

        #expect(article.contains("\n\(line)\n"), "\(line)")
        for reply in [state, .refused(reason: "no"), .welcome(RigWelcome(board: .heltecV3, endpoints: []))] {
            #expect(try JSONDecoder().decode(RigReply.self, from: encoder.encode(reply)) == reply)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RigReply.self, from: Data("{}".utf8)) }
    }

    @Test func `a rig says which board it has and where its interfaces are`() throws {
        try with { rig in
            guard case .welcome(let welcome) = try Steering(rig).ask(#"{"hello":{}}"#) else {
                Issue.record("no welcome")
                return
            }

            #expect(welcome.number == 1)
            #expect(welcome.board == .heltecV3)
            #expect(welcome.endpoints.map(\.links) == [[.wifi, .ethernet, .paced], [.serial]])
            #expect(welcome.endpoints.map(\.address) == rig.endpoints.map { "\($0.endpoint)" })
        }
    }

    @Test func `the radio answers when its time is let go on, and not before`() throws {
        try with { rig in
            let steering = try Steering(rig)
            #expect(try steering.state(#"{"prepare":{"link":"wifi"}}"#).isConnected == false)
            let app = try TestClient.connect(port: radioPort(of: rig))
            #expect(try steering.state(#"{"linkUp":{}}"#).isConnected)

            app.send([0x3C, 0x01, 0x00, 0x05])
            let held = try steering.state(#"{"taken":{"bytes":4}}"#)
            let early = app.receiveSome(100, within: 50)
            let ran = try steering.state(#"{"run":{"microseconds":1000000,"until":"written"}}"#)

            #expect(held.written == 0)
            #expect(early == nil)
            #expect(ran.written == 8)
            #expect(0..<1_000_000 ~= ran.now)
            #expect(app.receive(8).prefix(4) == [0x3E, 0x05, 0x00, 0x09])
        }
    }

    @Test func `time is let go on to the microsecond, and never back`() throws {
        try with { rig in
            let steering = try Steering(rig)
            _ = try steering.ask(#"{"prepare":{"link":"serial"}}"#)

            #expect(try steering.state(#"{"run":{"microseconds":1234567,"until":"never"}}"#).now == 1_234_567)
            #expect(
                try steering.ask(#"{"run":{"microseconds":-1,"until":"never"}}"#)
                    == .refused(reason: "time does not go back"))
            #expect(try steering.state(#"{"run":{"microseconds":0,"until":"never"}}"#).now == 1_234_567)
        }
    }

    @Test func `another board can be asked for, whole`() throws {
        try with { rig in
            let steering = try Steering(rig)
            var board = BoardProfile.small
            board.model = "Mine"
            let request = try JSONEncoder().encode(RigRequest.prepare(link: .wifi, board: board))
            _ = try steering.state(String(decoding: request, as: UTF8.self))
            let app = try TestClient.connect(port: radioPort(of: rig))
            _ = try steering.state(#"{"linkUp":{}}"#)

            app.sendFrame([0x16, 0x03])
            _ = try steering.state(#"{"taken":{"bytes":5}}"#)
            _ = try steering.state(#"{"run":{"microseconds":1000000,"until":"written"}}"#)

            let info = app.receiveFrame() ?? []
            #expect(info.count > 64 && info[2] == 50 && info[3] == 8)
            #expect(String(decoding: info.dropFirst(20).prefix(4), as: UTF8.self) == "Mine")
        }
    }

    @Test(arguments: [
        #"{"jump":{}}"#, "{", "", #"{"run":{"microseconds":1,"until":"doomsday"}}"#, #"{"prepare":{}}"#,
        String(repeating: "[", count: 33), String(repeating: "[", count: 513),
    ])
    func `a line that is no request is refused, and the next one is answered`(_ line: String) throws {
        try with { rig in
            let steering = try Steering(rig)

            let reply = try steering.ask(line)

            guard case .refused(let reason) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(reason == "this is no request: \(line.prefix(200))")
            _ = try steering.state(#"{"prepare":{"link":"wifi"}}"#)
        }
    }

    /// Lines each of which ended the process once, or would have held it for good.
    @Test(arguments: [
        ("maxChannels", "-1", "1 to 255"), ("maxChannels", "2147483647", "1 to 255"),
        ("maxContacts", "-1", "0 to 65535"), ("offlineQueueSize", "9223372036854775807", "0 to 1000000"),
        ("storageOverheadKiB", "4294967295", "0 to 65536"), ("maxStoredAdvert", "-9223372036854775808", "0 to 255"),
    ])
    func `a board with a number out of its bounds is refused, and the rig goes on`(
        field: String, value: String, bounds: String
    ) throws {
        try with { rig in
            let steering = try Steering(rig)
            let board = String(decoding: try JSONEncoder().encode(BoardProfile.heltecV3), as: UTF8.self)
            let changed = board.replacing(try Regex("\"\(field)\":[0-9]+"), with: "\"\(field)\":\(value)")

            let reply = try steering.ask(#"{"prepare":{"link":"wifi","board":\#(changed)}}"#)

            #expect(reply == .refused(reason: "board: \(field) is \(value), and must be \(bounds)"))
            _ = try steering.state(#"{"prepare":{"link":"wifi"}}"#)
        }
    }

    @Test func `time and counts of requests have bounds`() throws {
        try with { rig in
            let steering = try Steering(rig)
            _ = try steering.state(#"{"prepare":{"link":"wifi"}}"#)

            let run = try steering.ask(#"{"run":{"microseconds":9223372036854775807,"until":"never"}}"#)
            let taken = try steering.ask(#"{"taken":{"bytes":-9223372036854775808}}"#)

            #expect(
                run == .refused(reason: "microseconds is 9223372036854775807, and must be 0 to 86400000000"))
            #expect(taken == .refused(reason: "bytes is -9223372036854775808, and must be 0 or more"))
            #expect(try steering.state(#"{"run":{"microseconds":86400000000,"until":"never"}}"#).now == 86_400_000_000)
        }
    }

    @Test func `a rig or an emulator with such a board does not start`() async throws {
        var board = BoardProfile.heltecV3
        board.maxChannels = 0
        let complaint = "board: maxChannels is 0, and must be 1 to 255"

        #expect(throws: EmulatorError.badBoard(complaint)) { try Rig.start(.init(build: .init(board: board))) }
        let node = NodeDescription("a", .companion(.wifi), board: board)
        let world = WorldDescription(name: "one", summary: "", nodes: [node])
        await #expect(throws: EmulatorError.badBoard("node \"a\": \(complaint)")) {
            try await Emulator.start(.init(world: world, seed: Seed(1)))
        }
    }

    @Test func `a frame for the air must be one`() throws {
        try with { rig in
            let steering = try Steering(rig)
            let refusal = RigReply.refused(reason: "the frame is not 1 to 255 bytes of hex")

            for frame in ["", "0", "xy", String(repeating: "00", count: 256)] {
                #expect(try steering.ask(#"{"hear":{"frame":"\#(frame)","snr":600,"rssi":-9000}}"#) == refusal)
            }
            _ = try steering.state(#"{"hear":{"frame":"1100AA","snr":600,"rssi":-9000}}"#)
        }
    }

    @Test func `what the client only says it has done is waited for and then refused`() throws {
        try with { rig in
            let steering = try Steering(rig)
            _ = try steering.ask(#"{"prepare":{"link":"wifi"}}"#)

            #expect(try steering.ask(#"{"linkUp":{}}"#) == .refused(reason: "nobody has connected to the radio"))
        }
    }

    @Test func `one rig has one client, and the next one gets it when that has gone`() throws {
        try with { rig in
            var first: Steering? = try Steering(rig)
            _ = try first?.state(#"{"prepare":{"link":"wifi"}}"#)

            let second = try Steering(rig)
            #expect(try second.answer() == .refused(reason: "somebody else has the rig"))
            #expect(second.client.isClosed())
            first = nil

            // The end of the first connection may be noticed after the beginning of this one.
            let third = try Steering(rig)
            _ = try third.state(#"{"prepare":{"link":"wifi"}}"#)
        }
    }

    @Test func `requests that come at once are answered in order`() throws {
        try with { rig in
            let steering = try Steering(rig)
            let lines = (1...100).map { _ in #"{"run":{"microseconds":10,"until":"never"}}"# + "\n" }.joined()

            steering.client.send([UInt8]((#"{"prepare":{"link":"serial"}}"# + "\n" + lines).utf8))

            let moments = try (0...100).map { _ -> Int64 in
                guard case .state(let state) = try steering.answer() else { return -1 }
                return state.now
            }
            #expect(moments == (0...100).map { $0 * 10 })
        }
    }

    @Test func `a line without an end is cut off`() throws {
        try with { rig in
            let steering = try Steering(rig)

            steering.client.send([UInt8](repeating: UInt8(ascii: "x"), count: 100_000))

            #expect(steering.client.isClosed())
        }
    }

    @Test func `endpoints of two nodes, two of one kind, or a port in use start nothing`() throws {
        #expect(throws: EmulatorError.unknownNode("bob", known: ["alice"])) {
            try Rig.start(.init(endpoints: [.tcp("alice"), .tcp("bob")]))
        }
        #expect(throws: EmulatorError.secondEndpoint(label: "alice")) {
            try Rig.start(.init(endpoints: [.tcp("alice"), .tcp("alice")]))
        }
        try with { rig in
            #expect(throws: EmulatorError.link(.portInUse(host: "127.0.0.1", port: UInt16(Self.port(rig.control))))) {
                try Rig.start(.init(control: rig.control))
            }
        }
    }

    @Test func `a rig that is stopped leaves no link behind`() throws {
        let scratch = Scratch()
        let path = scratch.file("alice.tty")
        let rig = try Rig.start(
            .init(endpoints: [NodeEndpoint(label: "alice", endpoint: .pty(path: path)), .tcp("alice")]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path).hasPrefix("/dev/pts/"))

        rig.stop()
        rig.stop()

        #expect(throws: (any Error).self) { try FileManager.default.destinationOfSymbolicLink(atPath: path) }
    }
}
