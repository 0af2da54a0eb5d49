import MeshCompanion
import Testing

@testable import MeshCapture

/// The pairing of answers with commands.
@Suite struct AnswerPairingTests {
    /// Returns the roles of frames, commands by their names: `a` an answer, `a…` a part of one, `(b)` lost before it.
    private func roles(_ asked: [(Character, [UInt8])], _ said: [[UInt8]]) -> [String] {
        var pairing = AnswerPairing<Character>()
        for (letter, frame) in asked { pairing.ask(letter, frame) }
        return said.map { frame in
            switch pairing.take(frame) {
            case .answer(let letter, let isLast, let lost):
                lost.map { "(\($0))" }.joined() + "\(letter)" + (isLast ? "" : "…")
            case .push: "push"
            case .stray: "stray"
            }
        }
    }

    private static let time: [UInt8] = [9, 0, 0, 0, 0]
    private static let battery: [UInt8] = [12, 1, 2]
    private static let start: [UInt8] = [2, 1, 0, 0, 0]
    private static let end: [UInt8] = [4, 0, 0, 0, 0]
    private static func contact(_ key: UInt8) -> [UInt8] {
        [3] + [UInt8](repeating: key, count: 32) + [UInt8](repeating: 0, count: 115)
    }
    private static func byKey(_ key: UInt8) -> [UInt8] { [30] + [UInt8](repeating: key, count: 32) }

    @Test func `an answer belongs to the first command that can have it, and those in front were lost`() {
        #expect(roles([("a", [5]), ("b", [0x14]), ("c", [5])], [Self.battery, Self.time]) == ["(a)b", "c"])
        #expect(roles([("a", [5]), ("b", [5])], [Self.time, Self.time, Self.time]) == ["a", "b", "stray"])
    }

    @Test func `a refusal is that of the first command that waits, not of a listing`() {
        #expect(roles([("a", [5]), ("b", [5])], [[1, 1], Self.time]) == ["a", "b"])
        #expect(
            roles([("a", [4]), ("b", [4])], [Self.start, [1, 4], [1, 4], Self.end]) == ["a…", "b", "stray", "a"])
    }

    @Test func `a listing runs beside the commands that follow it`() {
        #expect(
            roles([("a", [4]), ("b", [5])], [Self.start, Self.contact(1), Self.time, Self.contact(2), Self.end])
                == ["a…", "a…", "b", "a…", "a"])
        #expect(roles([], [Self.contact(1), Self.end]) == ["stray", "stray"])
        #expect(roles([("a", [4])], [Self.end]) == ["stray"])
    }

    @Test func `a contact that was asked for by its key is told from those of a listing`() {
        #expect(
            roles([("a", [4]), ("b", Self.byKey(7))], [Self.start, Self.contact(1), Self.contact(7), Self.end])
                == ["a…", "a…", "b", "a"])
        #expect(roles([("b", Self.byKey(7))], [Self.contact(7), Self.contact(7)]) == ["b", "stray"])
    }

    @Test func `an app that begins ends a listing`() {
        var pairing = AnswerPairing<Int>()
        pairing.ask(1, [4])
        _ = pairing.take(Self.start)
        #expect(pairing.listing == 1)

        pairing.ask(2, [1] + [UInt8](repeating: 0x20, count: 7))

        #expect(pairing.listing == nil)
    }

    @Test func `telemetry is an answer to a question about the radio itself alone`() {
        let telemetry: [UInt8] = [0x8B, 0] + [UInt8](repeating: 1, count: 9)
        #expect(roles([("a", [39, 0, 0, 0])], [telemetry, telemetry]) == ["a", "push"])
        #expect(roles([("a", [39, 0, 0, 0] + [UInt8](repeating: 1, count: 32))], [telemetry]) == ["push"])
        #expect(roles([("a", [5])], [[0x83], [0xEE], []]) == ["push", "push", "push"])
    }

    @Test func `what is open when a connection ends gets no answer any more`() {
        var pairing = AnswerPairing<Int>()
        pairing.ask(1, [4])
        _ = pairing.take(Self.start)
        pairing.ask(2, [5])

        let open = pairing.giveUp()

        #expect(open.waiting == [2] && open.listing == 1)
        if case .stray = pairing.take(Self.time) {} else { Issue.record("an answer after the end") }
    }
}
