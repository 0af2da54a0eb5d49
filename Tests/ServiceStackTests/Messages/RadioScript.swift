import Foundation
import MeshCompanion
import MeshCore
import MeshCrypto
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Synchronization

/// A radio that accepts texts: it floods to contacts without a path, and confirms by its script.
///
/// Its table of contacts, resets of paths and questions after a send work as usual.
final class RadioScript: Sendable {
    /// The radio's treatment of the texts that it receives, in order; the last goes on for ever.
    enum Deed: Sendable {
        /// SENT, and confirmations so long after it that carry the trip time.
        case take(confirmedAfter: [Duration] = [], limit: UInt32 = 1000)
        case refuse(ErrorCode)
        /// The answer is lost.
        case silence
        /// Frames for the code that confirms the attempt.
        case answer(@Sendable (_ code: UInt32) -> [[UInt8]])
    }

    private struct State {
        var deeds: [Deed]
        var hasPath: Bool
        var contact: ContactRecord
        var marks: [(at: Duration, mark: Character)] = []
        var commands: [[UInt8]] = []
        var codes: [UInt32] = []
        var clock: VirtualClock?
        var radio: MockTransport?
        var learnsPath = false
        var channelAnswer = [Frames.ok]
        var scopeAnswer = [Frames.ok]
        var path: [UInt8] = [0x77]
    }

    private let state: Mutex<State>

    init(_ deeds: [Deed], hasPath: Bool = true, contact: ContactRecord = Frames.contact(2)) {
        state = Mutex(State(deeds: deeds, hasPath: hasPath, contact: contact))
    }

    /// The frames that the radio was given, without the introduction.
    var commands: [[UInt8]] { state.withLock(\.commands) }
    var codes: [CommandCode] { commands.compactMap { $0.first.flatMap(CommandCode.init(rawValue:)) } }
    var texts: [SendTxtMsg] { commands.compactMap { try? SendTxtMsg(decoding: $0) } }
    var channelTexts: [SendChannelTxtMsg] { commands.compactMap { try? SendChannelTxtMsg(decoding: $0) } }
    /// The codes of the attempts that were accepted.
    var acks: [UInt32] { state.withLock(\.codes) }
    /// The marks of events with their times: `d` direct, `f` flood, `r` path reset, `a` confirmation.
    var marks: [(at: Duration, mark: Character)] { state.withLock(\.marks) }

    func connect(_ radio: MockTransport, _ clock: VirtualClock) {
        state.withLock { state in
            state.radio = radio
            state.clock = clock
        }
    }

    func mark(_ mark: Character) {
        state.withLock { state in
            guard let clock = state.clock else { return }
            state.marks.append((clock.now.sinceStart, mark))
        }
    }

    func then(_ deeds: [Deed]) {
        state.withLock { $0.deeds = deeds }
    }

    func answerChannels(_ frames: [[UInt8]]) {
        state.withLock { $0.channelAnswer = frames }
    }

    func answerScopes(_ frames: [[UInt8]]) {
        state.withLock { $0.scopeAnswer = frames }
    }

    func setPath(_ hasPath: Bool) {
        state.withLock { $0.hasPath = hasPath }
    }

    /// A confirmation brings a path with it.
    func learnsPath() {
        state.withLock { $0.learnsPath = true }
    }

    /// A confirmation brings a path of two hops with it.
    func learnsOther() {
        state.withLock { state in
            state.learnsPath = true
            state.path = [0x88, 0x99]
        }
    }

    @Sendable func answer(_ frame: [UInt8]) async -> [[UInt8]] {
        guard let code = frame.first.flatMap(CommandCode.init(rawValue:)) else { return [] }
        if [.appStart, .deviceQuery, .setDeviceTime].contains(code) { return [] }
        state.withLock { $0.commands.append(frame) }
        switch code {
        case .sendTxtMsg: return take(frame)
        case .resetPath:
            setPath(false)
            mark("r")
            return [Frames.ok]
        case .getContactByKey:
            return [Frames.frame(state.withLock { Self.contact($0.contact, path: $0.hasPath ? $0.path : nil) })]
        case .sendPathDiscoveryReq: return [Frames.sent(0xD15C, isFlood: true)]
        case .sendChannelTxtMsg:
            mark("c")
            return state.withLock(\.channelAnswer)
        case .setFloodScopeKey: return state.withLock(\.scopeAnswer)
        case .addUpdateContact: return [Frames.ok]
        default: return []
        }
    }

    private static func contact(_ record: ContactRecord, path: [UInt8]?) -> ContactRecord {
        var record = record
        record.outPathLength = path.map { PathLength(hashSize: 1, hops: $0.count) } ?? .unknown
        record.outPath = FixedBytes(path ?? [])
        return record
    }

    private func take(_ frame: [UInt8]) -> [[UInt8]] {
        guard let text = try? SendTxtMsg(decoding: frame) else { return [Frames.refusal(.unsupportedCmd)] }
        let code = Self.code(of: text)
        let (deed, isFlood) = state.withLock { state in
            let deed = state.deeds.count > 1 ? state.deeds.removeFirst() : state.deeds.first ?? .silence
            return (deed, !state.hasPath)
        }
        switch deed {
        case .silence: return []
        case .refuse(let reason): return [Frames.refusal(reason)]
        case .answer(let frames):
            took(code, isFlood)
            return frames(code)
        case .take(let delays, let limit):
            took(code, isFlood)
            for delay in delays { confirm(code, after: delay) }
            return [Frames.sent(code, isFlood: isFlood, timeout: limit)]
        }
    }

    private func took(_ code: UInt32, _ isFlood: Bool) {
        state.withLock { $0.codes.append(code) }
        mark(isFlood ? "f" : "d")
    }

    /// Returns the code as the firmware computes it.
    static func code(of text: SendTxtMsg) -> UInt32 {
        TextPlaintext(timestamp: text.timestamp, attempt: text.attempt, text: text.text)?
            .ackHash(sender: Frames.key(1), receiver: Frames.key(2)) ?? 0
    }

    private func confirm(_ code: UInt32, after delay: Duration) {
        let (radio, clock) = state.withLock { ($0.radio, $0.clock) }
        guard let radio, let clock else { return }
        Task {
            try? await clock.sleep(for: delay)
            self.mark("a")
            self.state.withLock { if $0.learnsPath { $0.hasPath = true } }
            await radio.simulateReceive(
                Push.SendConfirmed(ack: code, roundTrip: UInt32(delay / .milliseconds(1))).encoded())
        }
    }
}

/// A message service with a contact in its store, against a scripted radio.
struct MessageBench: Sendable {
    let bench: ServiceBench
    let radio: MockTransport
    let script: RadioScript
    let service: MessageService
    let bob: ContactDTO
    /// The events that the handlers received, as words.
    let told = Notes<String>()

    var clock: VirtualClock { bench.clock }
    var store: PersistenceStore { bench.store }
    var device: UUID { bench.device.id }

    func row(_ id: UUID) async throws -> MessageDTO? { try await store.fetchMessage(id: id) }
    func rows() async throws -> [MessageDTO] {
        try await store.fetchMessages(deviceID: device, thread: .contact(bob.id))
    }

    func statuses() async throws -> [MessageStatus] { try await rows().map(\.status) }

    /// A channel in slot 3, in the store.
    func addChannel() async throws -> ChannelDTO {
        let channel = ChannelDTO(
            deviceID: device, index: 3, name: "#test", secret: Data(MeshHash.hashtagKey("#test").array))
        return try await store.saveChannel(channel) ?? channel
    }

    /// The radio hears a text on the channel.
    func hear(
        _ text: String, from sender: ByteText = "alice", at timestamp: UInt32, on name: String = "#test"
    ) async throws {
        let plain = GroupTextPlaintext(timestamp: timestamp, sender: sender, text: ByteText(text))
        let secret = SharedSecret(channel: MeshHash.hashtagKey(name))
        guard let packet = PacketFactory.group(.grpTxt, secret: secret, plain) else { return }
        await radio.simulateReceive(Push.LogRxData(snr: 20, rssi: -80, raw: packet.bytes).encoded())
    }

    func confirm(_ code: UInt32, tripTime: UInt32 = 7) async {
        await radio.simulateReceive(Push.SendConfirmed(ack: code, roundTrip: tripTime).encoded())
    }

    /// Another service on the same session and store, as after a reconnection.
    func another(
        _ profile: StackProfile = .architectureV2, paths: (any PathResetting)? = nil
    ) async -> MessageService {
        let service = MessageService(
            session: bench.session, store: store, profile: profile, dependencies: bench.dependencies, paths: paths)
        listen(to: service)
        return service
    }

    func listen(to service: MessageService) {
        service.events.note(in: told) {
            switch $0 {
            case .messageDelivered(_, let roundTrip): "delivered \(roundTrip)"
            case .messageFailed: "failed"
            case .messageRetried(_, let retry, let all): "retry \(retry)/\(all)"
            case .sendChangedPath(_, let isFlood): isFlood ? "flood" : "direct"
            default: nil
            }
        }
    }
}

/// Runs a message service against a script on virtual time.
func withMessages<R: Sendable>(
    _ deeds: [RadioScript.Deed], profile: StackProfile = .architectureV2, hasPath: Bool = true,
    order: VirtualTime.Order = .arrival, _ body: @escaping @Sendable (MessageBench) async throws -> R
) throws -> R {
    let script = RadioScript(deeds, hasPath: hasPath)
    return try withScriptedRadio(order: order, answers: script.answer) { bench, radio in
        script.connect(radio, bench.clock)
        var contact = Frames.contact(2)
        contact.outPathLength = hasPath ? PathLength(hashSize: 1, hops: 1) : .unknown
        contact.outPath = FixedBytes(hasPath ? [0x77] : [])
        let id = try await bench.store.saveContact(deviceID: bench.device.id, from: contact)
        guard let bob = try await bench.store.fetchContact(id: id) else { throw StackError(.store, .contactNotFound) }
        let service = MessageService(
            session: bench.session, store: bench.store, profile: profile, dependencies: bench.dependencies)
        let messages = MessageBench(bench: bench, radio: radio, script: script, service: service, bob: bob)
        messages.listen(to: service)
        await service.startEventListening(deviceID: bench.device.id)
        let result = try await body(messages)
        await service.stop()
        return result
    }
}
