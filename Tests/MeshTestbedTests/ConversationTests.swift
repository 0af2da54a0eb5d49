import Foundation
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshCompliance

/// The recorded conversations as the suite holds them, against the file that they come from.
struct ConversationTests {
    static let recorded = VectorFile.decode(RecordedFile.self, "companion", in: Bundle.module).sequences.list

    @Test func `all recorded conversations are there`() {
        #expect(Conversation.all.map(\.name) == Self.recorded.map(\.name))
        #expect(Conversation.all.reduce(0) { $0 + $1.steps.filter { !$0.isNote }.count } == 581)
    }

    @Test(arguments: zip(Conversation.all, recorded))
    func `a conversation is word for word what was recorded`(_ own: Conversation, _ recorded: RecordedFile.Sequence) {
        #expect(own.about == recorded.about)
        #expect(own.maxContacts == recorded.maxContacts)
        #expect(own.maxChannels == recorded.maxChannels)
        #expect(Int(own.appVersion) == recorded.appTargetVer)
        let steps = recorded.steps.map(\.step).filter { !$0.isNote }
        let ownSteps = own.steps.filter { !$0.isNote }
        #expect(ownSteps.count == steps.count)
        for (own, recorded) in zip(ownSteps, steps) { #expect(own.recorded == recorded) }
    }

    @Test(arguments: ["app> 0", "<app ignoring 9 00", "air< 1 00", "wait long", "link", "hello"])
    func `a line that is no step is said to be one`(_ line: String) {
        #expect(ScriptStep(line) == .unreadable(line))
    }
}

extension ScriptStep {
    fileprivate var isNote: Bool { if case .note = self { true } else { false } }

    /// What was recorded: a number that may differ by a little was one of these.
    fileprivate var recorded: ScriptStep {
        if case .number(let frame, _) = self { .frame(frame, ignoring: nil) } else { self }
    }
}

extension Conversation: CustomTestStringConvertible {
    public var testDescription: String { name }
}

/// What the file of vectors says about conversations.
struct RecordedFile: Decodable {
    struct Sequence: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let about: String
        let maxContacts: Int
        let maxChannels: Int
        let appTargetVer: Int
        let steps: [Step]

        var testDescription: String { name }
    }

    struct Step: Decodable, Sendable {
        var fromApp: String?
        var toApp: String?
        var dontCare: [Int]?
        var airRx: String?
        var snrDb: Double?
        var rssiDbm: Double?
        var airTx: String?
        var randomPlaintextBytes: [Int]?
        var randomPayloadBytes: [Int]?
        var waitMs: Int?
        var link: String?
        var powerCycle: Bool?
        var note: String?

        /// The step as the suite's scripts have it.
        var step: ScriptStep {
            if let fromApp { return .command(bytes(fromApp)) }
            if let toApp { return .frame(bytes(toApp), ignoring: dontCare.map { $0[0]...$0[1] }) }
            if let airRx { return .heard(bytes(airRx), snr: snrDb ?? 0, rssi: rssiDbm ?? 0) }
            if let airTx {
                return .sent(
                    ExpectedTransmission(
                        frame: bytes(airTx), randomPayload: randomPayloadBytes ?? [],
                        randomPlaintext: randomPlaintextBytes ?? []))
            }
            if let waitMs { return .wait(milliseconds: waitMs) }
            if let link { return .link(isUp: link == "up") }
            if powerCycle == true { return .power }
            return note.map { .note($0) } ?? .unreadable("an empty step")
        }

        private func bytes(_ hex: String) -> [UInt8] { [UInt8](hex: hex) ?? [] }
    }

    struct Sequences: Decodable {
        let list: [Sequence]
    }

    let sequences: Sequences
}
