public import MeshCapture
public import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire

/// Plays the client of a recording against a radio, over any transport.
public struct ClientReplay: Sendable {
    /// The recording whose client is played.
    public let recording: Recording
    /// The rules for differences that count.
    public var rules: DifferenceRules
    /// The rule by which the times of the recording are kept.
    public var pace: ClientReplayer.Pace
    /// Limits for waiting and for what is kept.
    public var limits = ClientReplayer.Limits()

    /// Between attempts to open a link.
    static let retryPause = Duration.milliseconds(500)

    public init(
        _ recording: Recording, rules: DifferenceRules = .replay, pace: ClientReplayer.Pace = .asAnswered
    ) {
        self.recording = recording
        self.rules = rules
        self.pace = pace
    }

    private enum Event: Sendable {
        case input(ClientReplayer.Input)
        /// An event of one link; those of a link that has been given up are ignored.
        case from(link: Int, ClientReplayer.Input)
    }

    /// Runs it to its end; what it found.
    public func run(over transport: any MeshTransport, clock: any Clock<Duration>) async -> [ReplayCheck] {
        var client = ClientReplayer(recording, rules: rules, pace: pace, limits: limits)
        let elapsed = clock.stopwatch()
        let (events, mouth) = AsyncStream.makeStream(of: Event.self)
        var coming = events.makeAsyncIterator()
        var effects: [ClientReplayer.Effect] = []
        var link = 0
        var alarm: Task<Void, Never>?
        var tasks: [Task<Void, Never>] = []
        func now() -> Instant {
            let (seconds, attoseconds) = elapsed().components
            return .microseconds(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        }
        func setAlarm() {
            alarm?.cancel()
            let moment = client.nextWake
            guard moment != .never else { return }
            let wait = Duration.microseconds(max(0, (moment - now()).microseconds))
            alarm = Task(name: "limit of a replay") {
                guard (try? await clock.sleep(for: wait, tolerance: nil)) != nil else { return }
                mouth.yield(.input(.woke))
            }
        }
        client.begin(at: now(), into: &effects)
        while true {
            for effect in effects {
                switch effect {
                case .connect:
                    link += 1
                    tasks.append(listen(to: transport, link, clock, mouth))
                case .send(let frame):
                    do { try await transport.send(frame) } catch { mouth.yield(.from(link: link, .disconnected)) }
                case .disconnect:
                    link += 1
                    await transport.disconnect()
                // Asked of benches only, which play word for word.
                case .hear, .cutPower: break
                }
            }
            effects = []
            guard !client.hasEnded else { break }
            setAlarm()
            guard let event = await coming.next() else { break }
            switch event {
            case .input(let input): client.handle(input, at: now(), into: &effects)
            case .from(let number, let input):
                if number == link { client.handle(input, at: now(), into: &effects) }
            }
        }
        alarm?.cancel()
        for task in tasks { task.cancel() }
        return client.checks
    }

    /// Opens the link, again and again within its limit, and passes on what the radio sends.
    private func listen(
        to transport: any MeshTransport, _ link: Int, _ clock: any Clock<Duration>,
        _ mouth: AsyncStream<Event>.Continuation
    ) -> Task<Void, Never> {
        let limit = Duration.microseconds(limits.link.microseconds)
        return Task(name: "link of a replay") {
            let elapsed = clock.stopwatch()
            while true {
                do {
                    try await transport.connect()
                    break
                } catch {
                    guard elapsed() < limit, !Task.isCancelled else {
                        mouth.yield(.from(link: link, .notConnected(reason: "\(error)")))
                        return
                    }
                    try? await clock.sleep(for: Self.retryPause, tolerance: nil)
                }
            }
            let frames = await transport.receivedData
            mouth.yield(.from(link: link, .connected))
            for await frame in frames { mouth.yield(.from(link: link, .frame(frame))) }
            mouth.yield(.from(link: link, .disconnected))
        }
    }
}

// MARK: A world of its own

extension ClientReplay {
    /// The world that the recording was made in, by its header: rows `world`, `seed`, `node` and `speed`.
    public struct Place: Hashable, Sendable {
        /// The name of the world.
        public var world = "pair"
        /// The seed of the world.
        public var seed: UInt64 = 1
        /// The radio; the first of the world without one.
        public var node: String?
        /// Seconds of the world for each second of the recording.
        public var speed = 1.0

        /// The recorded pauses, in the world's time.
        public var pace: ClientReplayer.Pace {
            .recorded(perMille: Int64(nearest: 1000 / speed, in: 1...1_000_000_000))
        }

        /// Reads the rows of a header; what is not there is as a world starts by default.
        public init(_ header: RecordingHeader) {
            for row in header.rows {
                switch row.key {
                case "world": world = row.value
                case "seed": seed = UInt64(row.value) ?? seed
                case "node": node = row.value
                case "speed": if let speed = Double(row.value), (0.01...1000).contains(speed) { self.speed = speed }
                default: break
                }
            }
        }
    }

    /// Against a fresh world in this process, on virtual time. Throws a `ScenarioError` for a world or radio that is
    /// not there.
    public func runInWorld(_ place: Place? = nil) throws -> [ReplayCheck] {
        let place = place ?? Place(recording.header)
        guard let description = WorldDescription.all.first(where: { $0.name == place.world }) else {
            throw ScenarioError("there is no world '\(place.world)'")
        }
        let label = place.node ?? description.nodes.first?.label ?? ""
        return try VirtualTime.run { clock in
            let world = LoopbackWorld(World(description, seed: Seed(place.seed)), clock: clock)
            let checks = await run(over: try await world.transport(to: label), clock: clock)
            await world.end()
            return checks
        }
    }
}
