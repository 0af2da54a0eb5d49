import MeshFirmware
import MeshTime
import Testing

@testable import MeshEmulator

/// The programs that are waited for, the order of their answers, and the ends of a run; without clock and sockets.
@Suite struct PeerDeskTests {
    private func line(_ text: String) -> NodeInput { .appBytes([UInt8](text.utf8)) }

    private func entry(_ place: Int, _ text: String?) -> PeerDesk.Entry {
        PeerDesk.Entry(place: place, line: text.map { [UInt8]($0.utf8) })
    }

    private func expect(
        _ desk: inout PeerDesk, at clock: TimeSpan, _ wanted: PeerDesk.Turn, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let turn = try desk.turn(at: clock)
        #expect(turn == wanted, sourceLocation: place)
    }

    /// A desk whose programs are there and have begun.
    private func begun(_ count: Int) throws -> PeerDesk {
        var desk = PeerDesk(peers: count)
        for place in 0..<count { try desk.take(.appConnected, from: place) }
        try expect(&desk, at: .zero, .hand((0..<count).map { entry($0, nil) }))
        return desk
    }

    @Test func `the world waits for all programs to come, however long it takes`() throws {
        var desk = PeerDesk(peers: 2)
        try expect(&desk, at: .zero, .wait)
        #expect(desk.deadline == nil)

        try desk.take(.appConnected, from: 1)
        try expect(&desk, at: .seconds(86_400), .wait)
        try desk.take(.appConnected, from: 0)

        try expect(&desk, at: .seconds(86_401), .hand([entry(0, nil), entry(1, nil)]))
        try expect(&desk, at: .seconds(86_401), .goOn)
    }

    @Test func `answers go in by the order of nodes, whoever was faster`() throws {
        for first in [0, 1] {
            var desk = try begun(2)
            for place in 0..<2 { desk.asked(place, at: .seconds(1)) }

            try desk.take(line("\(first)\n"), from: first)
            try expect(&desk, at: .seconds(2), .wait)
            try desk.take(line("\(1 - first)\n"), from: 1 - first)

            try expect(&desk, at: .seconds(3), .hand([entry(0, "0"), entry(1, "1")]))
            try expect(&desk, at: .seconds(3), .goOn)
        }
    }

    @Test func `an answer may come byte by byte`() throws {
        var desk = try begun(1)
        desk.asked(0, at: .zero)

        for byte in [UInt8]("{}".utf8) {
            try desk.take(.appBytes([byte]), from: 0)
            try expect(&desk, at: .zero, .wait)
        }
        try desk.take(line("\n"), from: 0)

        try expect(&desk, at: .zero, .hand([entry(0, "{}")]))
    }

    @Test func `a program that is not there for an answer within its limit ends the run`() throws {
        var rules = PeerDesk.Rules()
        rules.answerLimit = .seconds(3)
        var desk = PeerDesk(rules, peers: 1)
        try desk.take(.appConnected, from: 0)
        _ = try desk.turn(at: .zero)
        desk.asked(0, at: .seconds(5))

        #expect(desk.deadline == .seconds(8))
        try expect(&desk, at: .seconds(8) - .microseconds(1), .wait)
        let failure = #expect(throws: PeerDesk.Failure.self) { try desk.turn(at: .seconds(8)) }

        #expect(failure?.place == 0)
        #expect(failure?.problem.description == "it has not answered within 3000 ms")
    }

    @Test(arguments: [("{}\n{}\n", "it says more than one line"), ("{}\n ", "it says more than one line")])
    func `more than an answer is refused`(text: String, reason: String) throws {
        var desk = try begun(1)
        desk.asked(0, at: .zero)

        let problem = #expect(throws: PeerProblem.self) { try desk.take(line(text), from: 0) }

        #expect(problem?.description == reason)
    }

    @Test func `a line without an end is refused at its limit, and nothing is kept beyond it`() throws {
        var desk = try begun(1)
        desk.asked(0, at: .zero)

        #expect(desk.window(0) == 4097)
        try desk.take(.appBytes([UInt8](repeating: 0x20, count: 4096)), from: 0)
        #expect(desk.window(0) == 1)
        let problem = #expect(throws: PeerProblem.self) { try desk.take(.appBytes([0x20]), from: 0) }

        #expect(problem?.description == "its answer is longer than 4096 bytes")
    }

    @Test func `whoever speaks unasked, or takes another's place, is refused`() throws {
        var desk = PeerDesk(peers: 2)
        try desk.take(.appConnected, from: 0)

        #expect(throws: PeerProblem.self) { try desk.take(line("GET / HTTP/1.1\r\n"), from: 0) }
        #expect(throws: PeerProblem.self) { try desk.take(.appConnected, from: 0) }
    }

    @Test func `a program that goes ends the run, but for one that has left`() throws {
        var desk = try begun(2)
        desk.asked(0, at: .zero)
        try desk.take(line("{\"leave\":true}\n"), from: 0)
        try desk.take(.appDisconnected, from: 0)
        try expect(&desk, at: .zero, .hand([entry(0, "{\"leave\":true}")]))
        desk.left(0)
        try expect(&desk, at: .zero, .goOn)

        try desk.take(.appDisconnected, from: 1)
        let failure = #expect(throws: PeerDesk.Failure.self) { try desk.turn(at: .zero) }

        #expect(failure?.place == 1)
        #expect(failure?.problem.description == "it has closed the connection")
    }
}
