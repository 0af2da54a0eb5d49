import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Synchronization

/// A radio's contact table and channel slots, which answer as firmware does, and which a test can damage.
final class TableRadio: Sendable {
    struct State {
        var contacts: [ContactRecord] = []
        var capacity = 350
        /// The radio's clock; it stands still.
        var clock = UInt32(ServiceBench.startDate.timeIntervalSince1970)
        /// The name and secret fields by index.
        var slots = [Resp.ChannelInfo](repeating: Resp.ChannelInfo(), count: 40)
    }

    private let state = Mutex(State())
    private let fault = Mutex<(@Sendable ([UInt8]) -> [[UInt8]]?)?>(nil)
    private let log = Notes<[UInt8]>()

    init(_ change: (inout State) -> Void = { _ in }) {
        state.withLock { change(&$0) }
    }

    /// The frames that came since the last look, without those with which a session begins.
    func takeFrames() -> [[UInt8]] {
        let opening: [CommandCode] = [.appStart, .deviceQuery, .setDeviceTime]
        return log.takeAll().filter { frame in !opening.contains { $0.rawValue == frame.first } }
    }

    func takeCommands() -> [CommandCode] { takeFrames().compactMap { CommandCode(rawValue: $0[0]) } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func contact(_ number: UInt8) -> ContactRecord? {
        state.withLock { state in state.contacts.first { $0.publicKey == Frames.key(number) } }
    }

    func slot(_ index: Int) -> Resp.ChannelInfo { state.withLock { $0.slots[index] } }

    /// Answers with something else than the radio would; `nil` leaves the answer to the radio, no frames are silence.
    func breakAnswers(_ fault: (@Sendable ([UInt8]) -> [[UInt8]]?)?) { self.fault.withLock { $0 = fault } }

    func answer(_ frame: [UInt8]) -> [[UInt8]] {
        log.add(frame)
        if let broken = fault.withLock({ $0 })?(frame) { return broken }
        return honestAnswer(frame)
    }

    func honestAnswer(_ frame: [UInt8]) -> [[UInt8]] {
        guard let code = frame.first.flatMap(CommandCode.init(rawValue:)) else { return [] }
        return state.withLock { state in
            switch code {
            case .getDeviceTime: [Resp.CurrTime(epoch: state.clock).encoded()]
            case .getContacts: state.listing(try? GetContacts(decoding: frame))
            case .getContactByKey: state.one(try? GetContactByKey(decoding: frame))
            case .addUpdateContact: state.write(try? AddUpdateContact(decoding: frame))
            case .removeContact: state.remove(try? RemoveContact(decoding: frame))
            case .resetPath: state.resetPath(try? ResetPath(decoding: frame))
            case .getChannel: state.channel(Int(frame[1]))
            case .setChannel: state.write(try? SetChannel(decoding: frame))
            case .setAdvertName, .setAdvertLatlon, .sendSelfAdvert: [Frames.ok]
            default: []
            }
        }
    }
}

extension TableRadio.State {
    mutating func put(_ record: ContactRecord) {
        contacts.removeAll { $0.publicKey == record.publicKey }
        contacts.append(record)
    }

    /// The radio compares strictly, and says how large the whole table is.
    fileprivate func listing(_ command: GetContacts?) -> [[UInt8]] {
        let since = command?.since
        let chosen = contacts.filter { record in since.map { record.lastModified > $0 } ?? true }
        return [Resp.ContactsStart(count: UInt32(contacts.count)).encoded()] + chosen.map(Frames.frame)
            + [Resp.EndOfContacts(mostRecentLastModified: chosen.map(\.lastModified).max() ?? 0).encoded()]
    }

    fileprivate func one(_ command: GetContactByKey?) -> [[UInt8]] {
        let found = contacts.first { $0.publicKey == command?.publicKey }
        return [found.map(Frames.frame) ?? Frames.refusal(.notFound)]
    }

    fileprivate mutating func write(_ command: AddUpdateContact?) -> [[UInt8]] {
        guard let command else { return [Frames.refusal(.illegalArg)] }
        let isKnown = contacts.contains { $0.publicKey == command.publicKey }
        guard isKnown || contacts.count < capacity else { return [Frames.refusal(.tableFull)] }
        var record = ContactRecord()
        record.publicKey = command.publicKey
        (record.type, record.flags, record.name) = (command.type, command.flags, command.name)
        (record.outPathLength, record.outPath) = (command.outPathLength, command.outPath)
        (record.lastAdvert, record.lastModified) = (command.lastAdvert, command.lastModified ?? clock)
        (record.latitude, record.longitude) = (command.position?.latitude ?? 0, command.position?.longitude ?? 0)
        put(record)
        return [Frames.ok]
    }

    fileprivate mutating func remove(_ command: RemoveContact?) -> [[UInt8]] {
        guard let index = contacts.firstIndex(where: { $0.publicKey == command?.publicKey }) else {
            return [Frames.refusal(.notFound)]
        }
        contacts.remove(at: index)
        return [Frames.ok]
    }

    fileprivate mutating func resetPath(_ command: ResetPath?) -> [[UInt8]] {
        guard let index = contacts.firstIndex(where: { $0.publicKey == command?.publicKey }) else {
            return [Frames.refusal(.notFound)]
        }
        contacts[index].outPathLength = .unknown
        return [Frames.ok]
    }

    fileprivate func channel(_ index: Int) -> [[UInt8]] {
        guard slots.indices.contains(index) else { return [Frames.refusal(.notFound)] }
        var info = slots[index]
        info.channelIndex = UInt8(index)
        return [info.encoded()]
    }

    fileprivate mutating func write(_ command: SetChannel?) -> [[UInt8]] {
        guard let command, slots.indices.contains(Int(command.channelIndex)) else {
            return [Frames.refusal(.notFound)]
        }
        slots[Int(command.channelIndex)] = Resp.ChannelInfo(
            channelIndex: command.channelIndex, name: command.name, secret: command.secret)
        return [Frames.ok]
    }
}

/// Runs services against such a radio.
func withTableRadio<R: Sendable>(
    _ radio: TableRadio, order: VirtualTime.Order = .arrival,
    _ body: @escaping @Sendable (ServiceBench, MockTransport) async throws -> R
) throws -> R {
    try withScriptedRadio(order: order, answers: { radio.answer($0) }) { bench, transport in
        _ = radio.takeFrames()
        return try await body(bench, transport)
    }
}

extension ServiceBench {
    func contacts(_ profile: StackProfile = .architectureV2) -> ContactService {
        ContactService(session: session, store: store, profile: profile, dependencies: dependencies)
    }

    func channels(_ profile: StackProfile = .architectureV2) -> ChannelService {
        ChannelService(session: session, store: store, profile: profile, dependencies: dependencies)
    }

    /// Listens already.
    func adverts(_ profile: StackProfile = .architectureV2) async -> AdvertisementService {
        let adverts = AdvertisementService(
            session: session, store: store, profile: profile, dependencies: dependencies)
        await adverts.startEventMonitoring(deviceID: device.id)
        return adverts
    }

    /// The row of a contact whose key consists of one number.
    func row(_ number: UInt8) async throws -> ContactDTO? {
        try await store.fetchContact(deviceID: device.id, publicKey: Data(Frames.key(number).array))
    }

    var watermark: UInt32? {
        get async throws { try await store.fetchDevice(id: device.id)?.lastContactSync }
    }

    /// Seconds since the bench was opened.
    var seconds: Double { dependencies.now().timeIntervalSince(Self.startDate) }
}

extension Data {
    /// A public key that consists of one number.
    static func node(_ number: UInt8) -> Data { Data(Frames.key(number).array) }
}
