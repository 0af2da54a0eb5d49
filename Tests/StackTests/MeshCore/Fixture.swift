import MeshCompanion
import MeshCore
import MeshPacket
import MeshVirtualTime
import MeshWire
import Synchronization

/// Radios, keys and frames that tests are made of.
enum Fixture {
    static let selfInfo = Resp.SelfInfo(
        txPower: 22, maxTxPower: 22, publicKey: key(1), latitude: 48_117_266, longitude: 11_516_667, multiAcks: 0,
        advertLocationPolicy: 0, telemetryModes: 0, manualAdd: 0, frequency: 869_618, bandwidth: 62_500,
        spreadingFactor: 8, codingRate: 5, name: "alice")

    static func key(_ number: UInt8) -> FixedBytes<32> { FixedBytes(repeatElement(number, count: 32)) }

    static func contact(_ number: UInt8, name: ByteText = "bob", lastModified: UInt32 = 100) -> ContactRecord {
        var record = ContactRecord()
        record.publicKey = key(number)
        record.name = FixedBytes(text: name)
        record.lastModified = lastModified
        return record
    }

    static func frame(_ contact: ContactRecord) -> [UInt8] { Resp.Contact(record: contact).encoded() }

    static func sent(_ tag: UInt32, timeout: UInt32 = 1000) -> [UInt8] {
        Resp.Sent(route: 1, tag: tag, timeout: timeout).encoded()
    }

    static func channel(_ index: UInt8) -> [UInt8] {
        Resp.ChannelInfo(channelIndex: index, name: FixedBytes(text: "Public"), secret: FixedBytes()).encoded()
    }

    static func message(_ number: UInt8) -> [UInt8] {
        var message = ContactMessage()
        message.timestamp = UInt32(number)
        message.text = ByteText("message \(number)")
        return Resp.ContactMsgRecvV3(snr: 40, message: message).encoded()
    }

    static let noMore = Resp.NoMoreMessages().encoded()
}

/// The notes of a test, from any task.
final class Notes<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    init(_ entries: [Entry] = []) {
        self.entries.withLock { $0 = entries }
    }

    var all: [Entry] { entries.withLock { $0 } }

    func add(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
    }

    func takeFirst() -> Entry? { entries.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// Runs a session against a scripted radio on virtual time.
///
/// The radio introduces itself; everything else is answered as the script says, before `send` returns.
func withSession<R: Sendable>(
    _ configuration: SessionConfiguration = .default,
    answers: @escaping @Sendable ([UInt8]) async -> [[UInt8]] = { _ in [] },
    _ body: @escaping @Sendable (MeshCoreSession, MockTransport, VirtualClock) async throws -> R
) throws -> R {
    try VirtualTime.run { clock in
        let radio = MockTransport()
        await radio.answerEach { frame in
            frame.first == 1 ? [Fixture.selfInfo.encoded()] : await answers(frame)
        }
        let session = MeshCoreSession(transport: radio, configuration: configuration, clock: clock)
        try await session.start()
        let result = try await body(session, radio, clock)
        await session.stop()
        return result
    }
}

/// The time since the start at which the operation ended, and how.
func outcome<T: Sendable>(
    _ clock: VirtualClock, _ operation: () async throws -> T
) async -> (at: Duration, result: Result<T, any Error>) {
    do {
        let value = try await operation()
        return (clock.now.sinceStart, .success(value))
    } catch {
        return (clock.now.sinceStart, .failure(error))
    }
}

extension Result where Failure == any Error {
    var sessionError: SessionError? {
        if case .failure(let error) = self { error as? SessionError } else { nil }
    }

    var isCancellation: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }

    var value: Success? { try? get() }
}
