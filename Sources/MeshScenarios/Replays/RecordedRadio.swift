public import MeshCapture
public import MeshCore
import MeshTime

/// The radio of a recording as a transport in this process: a stack that is connected to it hears what was recorded.
public actor RecordedRadio: MeshTransport {
    private var radio: RadioReplayer
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var inbox = FrameInbox()
    private var isOpen = false
    private var hasBegun = false
    private var alarm: (at: Instant, task: Task<Void, Never>)?

    /// A transport that plays a recording, on the clock's time.
    public init(_ radio: RadioReplayer, clock: any Clock<Duration>) {
        self.radio = radio
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    public var receivedData: AsyncStream<[UInt8]> { inbox.stream }

    public var connectionState: ConnectionState { isOpen ? .connected : .disconnected }

    public func connect() async throws {
        guard !isOpen else { return }
        if hasBegun { inbox = FrameInbox() }
        (isOpen, hasBegun) = (true, true)
        handle(.connected)
    }

    public func disconnect() async {
        guard isOpen else { return }
        end()
        handle(.disconnected)
    }

    public func send(_ frame: [UInt8]) async throws {
        guard isOpen else { throw MeshTransportError.notConnected }
        handle(.frame(frame))
    }

    // MARK: Looking

    /// The replayer as it stands: departures, commands that never came.
    public var state: RadioReplayer { radio }

    /// Returns when all that was recorded has been said and the client has been silent for so long.
    public func waitUntilOver(silence: Duration) async throws {
        while true {
            let quiet = Duration.microseconds((now - radio.lastHeard).microseconds)
            if radio.isSpent, quiet >= silence { return }
            try await clock.sleep(for: radio.isSpent ? silence - quiet : silence, tolerance: nil)
        }
    }

    // MARK: Time

    private var now: Instant {
        let (seconds, attoseconds) = elapsed().components
        return .microseconds(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    private func handle(_ input: RadioReplayer.Input) {
        var effects: [RadioReplayer.Effect] = []
        radio.handle(input, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .send(let frame): if !inbox.deliver(frame) { end() }
            case .hangUp:
                end()
                radio.handle(.disconnected, at: now, into: &effects)
            }
        }
        setAlarm()
    }

    private func end() {
        isOpen = false
        inbox.finish()
    }

    /// An alarm that rings earlier looks again then.
    private func setAlarm() {
        let next = radio.nextWake
        guard isOpen, next != .never else { return }
        if let alarm, alarm.at <= next { return }
        alarm?.task.cancel()
        let wait = Duration.microseconds(max(0, (next - now).microseconds))
        let task = Task(name: "the time of a recorded radio") { [weak self, clock] in
            guard (try? await clock.sleep(for: wait, tolerance: nil)) != nil else { return }
            await self?.ring(next)
        }
        alarm = (next, task)
    }

    private func ring(_ moment: Instant) {
        guard alarm?.at == moment else { return }
        alarm = nil
        if isOpen, radio.nextWake <= now { handle(.woke) } else { setAlarm() }
    }
}
