import Foundation
import MeshCapture
import MeshCompanion
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshCompliance

/// The recorded conversations as the suite holds them, against the file that they come from.
struct RecordedConversationTests {
    static let recorded = VectorFile.decode(RecordedFile.self, "companion").sequences.list

    @Test func `all recorded conversations are there`() {
        #expect(RecordedConversation.all.map(\.name) == Self.recorded.map(\.name))
        #expect(RecordedConversation.all.reduce(0) { $0 + $1.steps.count } == 581)
    }

    @Test(arguments: zip(RecordedConversation.all, recorded))
    func `a conversation is word for word what was recorded`(
        _ own: RecordedConversation, _ recorded: RecordedFile.Sequence
    ) {
        #expect(own.about == recorded.about)
        #expect(own.row("contacts") == recorded.maxContacts)
        #expect(own.row("channels") == recorded.maxChannels)
        #expect(own.row("app version") == recorded.appTargetVer)
        #expect(own.row("clock") == 1_800_000_000)
        let steps = recorded.steps.compactMap(\.step)
        #expect(own.steps.count == steps.count)
        for (own, recorded) in zip(own.steps, steps) { #expect(own == recorded) }
    }
}

/// A step of a conversation, as both sides are compared.
enum RecordedStep: Hashable {
    case command([UInt8])
    case frame([UInt8], any: [Int])
    case heard([UInt8], snr: Double, rssi: Double)
    case sent([UInt8], any: [Int], sealed: [Int])
    case wait(milliseconds: Int64)
    case link(isUp: Bool)
    case power
}

extension RecordedConversation {
    fileprivate func row(_ key: String) -> Int? { recording.header.value(of: key).flatMap { Int($0) } }

    /// A number that may differ by a little was recorded as one of these; a connection is there from the beginning.
    fileprivate var steps: [RecordedStep] {
        var steps: [RecordedStep] = []
        var now = TimeSpan.zero
        for entry in recording.entries.dropFirst() {
            if entry.time > now { steps.append(.wait(milliseconds: (entry.time - now).milliseconds)) }
            now = entry.time
            let (any, sealed) = (entry.tolerance.any.flatMap { $0 }, entry.tolerance.sealed.flatMap { $0 })
            switch entry.event {
            case .connected: if steps.last != .power { steps.append(.link(isUp: true)) }
            case .disconnected(reason: RecordingEntry.powerCut): steps.append(.power)
            case .disconnected: steps.append(.link(isUp: false))
            case .frame(.toRadio, let bytes): steps.append(.command(bytes))
            case .frame(.toApp, let bytes): steps.append(.frame(bytes, any: any))
            case .packet(.transmitted, let bytes, _): steps.append(.sent(bytes, any: any, sealed: sealed))
            case .packet(.heard, let bytes, let signal):
                let (snr, rssi) = (signal?.snrQuarterDecibels ?? 0, signal?.rssi ?? 0)
                steps.append(.heard(bytes, snr: Double(snr) / 4, rssi: Double(rssi)))
            case .problem, .turn: break
            }
        }
        return steps
    }
}

extension RecordedConversation: CustomTestStringConvertible {
    public var testDescription: String { name }
}

/// The file of vectors, as far as conversations need it.
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

        /// `nil` for a note.
        var step: RecordedStep? {
            if let fromApp { return .command(bytes(fromApp)) }
            if let toApp { return .frame(bytes(toApp), any: dontCare.map { Array($0[0]...$0[1]) } ?? []) }
            if let airRx { return .heard(bytes(airRx), snr: snrDb ?? 0, rssi: rssiDbm ?? 0) }
            if let airTx {
                let packet = bytes(airTx)
                let payload = packet.count - (AirPacket(packet)?.payload.count ?? 0)
                return .sent(
                    packet, any: (randomPayloadBytes ?? []).map { $0 + payload }, sealed: randomPlaintextBytes ?? [])
            }
            if let waitMs { return .wait(milliseconds: Int64(waitMs)) }
            if let link { return .link(isUp: link == "up") }
            return powerCycle == true ? .power : nil
        }

        private func bytes(_ hex: String) -> [UInt8] { [UInt8](hex: hex) ?? [] }
    }

    struct Sequences: Decodable {
        let list: [Sequence]
    }

    let sequences: Sequences
}
