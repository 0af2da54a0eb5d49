import FoundationEssentials
import MeshEmulator
import MeshTime
import MeshTransports

/// Kills an app at random points of its work, again and again, and compares its store with the knowledge of others.
///
/// The app is a process with the whole stack and a store in a file. Its radio goes on here, behind a TCP port. The
/// moments are drawn from the seed: some microseconds after so many messages, or some milliseconds after the start. The
/// latter meet the opening of the store and the handshake, too.
struct KillRun: Sendable {
    var points = 200
    var seed = Seed(1)
    /// Begins the command line of the app; what it is to do follows.
    var program: [String]
    /// Files of the run go into a folder of their own here, and away with its end.
    var folder = FileManager.default.temporaryDirectory.path

    /// The outcome of a run.
    struct Outcome: Hashable, Sendable, Codable {
        let work: KilledApp.Work
        /// Processes that were killed in the middle.
        var kills = 0
        /// Messages that the app had reported to its user.
        var acknowledged = 0
        /// Messages that died with a process before anybody was told: given out by the radio and not stored, or
        /// composed and not sent.
        var unfinished = 0
        /// Faults that were found; empty when all is well.
        var faults: [String] = []
        var seconds = 0.0

        init(_ work: KilledApp.Work) {
            self.work = work
        }
    }

    func run(_ work: KilledApp.Work) async throws -> Outcome {
        let scratch = folder + "/meshbed-kills-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let start = ContinuousClock.now
        var outcome =
            switch work {
            case .sync: try await killSyncs(in: scratch)
            case .send: try await killSends(in: scratch)
            }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        return outcome
    }

    // MARK: Points

    /// The point at which a process is killed.
    struct Point {
        /// The steps of work, or `limit` from its beginning when they last longer. When `nil`, the point is right after
        /// the start of the process.
        var progress: Int?
        /// The delay after that.
        var delay: Duration
        var limit: Duration
    }

    /// Draws a point: in one of four cases a time after the start, else so many steps and a while behind them.
    static func point(_ stream: inout RandomStream, steps: UInt32, pause: UInt32) -> Point {
        let limit = Duration.milliseconds(stream.draw(200, 600))
        if stream.draw(0, 4) == 0 {
            return Point(progress: nil, delay: .microseconds(stream.draw(0, 120_000)), limit: limit)
        }
        return Point(
            progress: Int(stream.draw(0, steps)), delay: .microseconds(stream.draw(0, pause)), limit: limit)
    }

    /// Starts the app, waits for the point, and kills it; what it said, and whether it was in the middle of something.
    func kill(
        _ command: [String], at point: Point, progress: (AppProcess) async throws -> Int
    ) async throws -> (lines: [String], wasRunning: Bool) {
        let clock = ContinuousClock()
        let app = try AppProcess(program + command)
        var deadline = clock.now + .seconds(20)
        if let wanted = point.progress {
            while app.isRunning, clock.now < deadline {
                app.listen()
                let done = try await progress(app)
                if done >= wanted { break }
                if done > 0 || !app.lines.isEmpty { deadline = min(deadline, clock.now + point.limit) }
                try await clock.sleep(for: .microseconds(100), tolerance: .zero)
            }
        }
        try await clock.sleep(for: point.delay, tolerance: .zero)
        let wasRunning = app.kill()
        return (app.lines, wasRunning)
    }

    func command(_ work: KilledApp.Work, _ endpoint: NodeEndpoint, store: String, first: Int = 0, count: Int = 0)
        -> [String]
    {
        guard case .tcp(let host, let port) = endpoint.endpoint else { return [] }
        return [
            "--app", work.rawValue, "--host", host, "--port", "\(port)", "--store", store, "--first", "\(first)",
            "--count",
            "\(count)",
        ]
    }
}
