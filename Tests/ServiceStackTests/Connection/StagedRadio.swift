import MeshCompanion
import MeshCore
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Synchronization

/// A radio behind a link whose opening, writing and ending a test stages; it introduces itself and has a clock.
actor StagedRadio: MeshTransport {
    struct Write: Hashable, Sendable {
        /// The number of the connection that carried it, from 1 on.
        var connection: Int
        var at: Duration
        var frame: [UInt8]

        var code: CommandCode? { frame.first.flatMap(CommandCode.init(rawValue:)) }
    }

    nonisolated let clock: VirtualClock
    private(set) var selfInfo: Resp.SelfInfo
    /// Called with the number of each attempt; may wait and may throw. Waits in it do not end with the caller.
    var opening: (@Sendable (Int) async throws -> Void)?
    /// Frames in place of the radio's own answer; `nil` for that.
    var script: (@Sendable ([UInt8]) async -> [[UInt8]]?)?
    /// True when the link accepts no frame, and does not say so either.
    var isStuck = false
    /// The lead of the radio's clock, in seconds.
    var clockOffset: Int64 = 0
    var refusesTime = false
    /// The time after a connection's end at which its stream ends.
    var streamLingers: Duration = .zero

    private(set) var attempts: [Duration] = []
    private(set) var writes: [Write] = []
    private(set) var disconnectCount = 0
    /// The number of connections whose reading began while another one was still being read.
    private(set) var doubleReaders = 0
    private(set) var connections = 0
    private var inbox = AsyncStream<[UInt8]>.makeStream()
    private let line: StagedLine
    private var reading = StagedLine.Reading()
    private(set) var connectionState = ConnectionState.disconnected

    /// Several links to one radio share its line.
    init(_ number: UInt8 = 1, clock: VirtualClock, line: StagedLine = StagedLine()) {
        self.clock = clock
        self.line = line
        selfInfo = Frames.selfInfo
        selfInfo.publicKey = Frames.key(number)
    }

    var receivedData: AsyncStream<[UInt8]> {
        if !reading.isGoingOn, line.isRead { doubleReaders += 1 }
        reading.begin()
        return inbox.stream
    }

    func connect() async throws {
        attempts.append(clock.now.sinceStart)
        if let opening {
            let number = attempts.count
            try await Task { try await opening(number) }.value
        }
        if connectionState == .connected { return }
        inbox = AsyncStream.makeStream()
        let reading = line.add()
        self.reading = reading
        inbox.continuation.onTermination = { _ in reading.end() }
        connections += 1
        connectionState = .connected
    }

    func disconnect() async {
        guard connectionState == .connected else { return }
        disconnectCount += 1
        await end()
    }

    func send(_ frame: [UInt8]) async throws {
        guard connectionState == .connected else { throw MeshTransportError.notConnected }
        writes.append(Write(connection: connections, at: clock.now.sinceStart, frame: frame))
        if isStuck {
            await Task { [clock] in try? await clock.sleep(for: .seconds(3600)) }.value
            throw MeshTransportError.sendFailed("stuck")
        }
        for answer in await script?(frame) ?? answers(to: frame) { inbox.continuation.yield(answer) }
    }

    private func answers(to frame: [UInt8]) -> [[UInt8]] {
        let radioTime = 1_749_900_000 + Int64(clock.now.sinceStart / .seconds(1)) + clockOffset
        switch frame.first.flatMap(CommandCode.init(rawValue:)) {
        case .appStart: return [selfInfo.encoded()]
        case .deviceQuery: return [Frames.deviceInfo.encoded()]
        case .getDeviceTime: return [Resp.CurrTime(epoch: UInt32(clamping: radioTime)).encoded()]
        case .setDeviceTime:
            if refusesTime { return [Frames.refusal(.illegalArg)] }
            clockOffset = 0
            return [Frames.ok]
        default: return []
        }
    }

    private func end() async {
        connectionState = .disconnected
        let old = inbox.continuation
        guard streamLingers > .zero else { return old.finish() }
        Task { [clock, streamLingers] in
            try? await clock.sleep(for: streamLingers)
            old.finish()
        }
    }

    // MARK: The test's side

    func stage(_ change: @Sendable (isolated StagedRadio) -> Void) { change(self) }

    /// The link is lost.
    func lose() async {
        guard connectionState == .connected else { return }
        await end()
    }

    /// The radio sends a frame over the link as it is now.
    func say(_ frame: [UInt8]) { inbox.continuation.yield(frame) }

    func codes(ofConnection number: Int) -> [CommandCode] {
        writes.filter { $0.connection == number }.compactMap(\.code)
    }
}

/// The readers of a radio's frames, over any link.
final class StagedLine: Sendable {
    private let readings = Mutex<[Reading]>([])

    var isRead: Bool { readings.withLock { $0.contains(where: \.isGoingOn) } }

    func add() -> Reading {
        let reading = Reading()
        readings.withLock { $0.append(reading) }
        return reading
    }

    /// A reader of a connection's stream, and whether it still waits for it.
    final class Reading: Sendable {
        private let state = Mutex((hasBegun: false, hasEnded: false))

        var isGoingOn: Bool { state.withLock { $0.hasBegun && !$0.hasEnded } }

        func begin() { state.withLock { $0.hasBegun = true } }
        func end() { state.withLock { $0.hasEnded = true } }
    }
}

extension Frames {
    static func confirmation(_ code: UInt32) -> [UInt8] {
        var push = Push.SendConfirmed()
        push.ack = code
        return push.encoded()
    }
}
