import Dispatch
import Glibc
import MeshEmulator
import MeshFiles

/// The user's wish to end a run: SIGINT, SIGTERM or a terminal that hangs up. It is noticed from `init` on.
final class Interrupt {
    private let endings: AsyncStream<Void>
    private let reports: AsyncStream<Void>.Continuation
    private let sources: [any DispatchSourceSignal]

    init() {
        let (endings, report) = AsyncStream.makeStream(of: Void.self)
        self.endings = endings
        reports = report
        // A reader of our output that goes away must not take the radios along.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { report.yield() }
            source.resume()
            return source
        }
    }

    /// Waits for an interrupt, or for the emulator to end by itself.
    func orEnd(of emulator: Emulator) async {
        await orEnd { try await emulator.waitUntilEnded() }
    }

    /// Waits for an interrupt, or for something else to return.
    func orEnd(_ other: @escaping @Sendable () async throws -> Void) async {
        let reports = reports
        Task {
            // Why it ended is the business of whoever waits here.
            try? await other()
            reports.yield()
        }
        await wait()
    }

    func wait() async {
        for await _ in endings { return }
    }

    /// Ends the wait when the other end of standard input is closed. Input that comes before is ignored.
    func comeAtEndOfInput() {
        let reports = reports
        // A thread of its own: no source tells of the end of every kind of file.
        SystemThread.start {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                guard count > 0 || count < 0 && errno == EINTR else { break }
            }
            reports.yield()
        }
    }

    /// Ends the wait as an interrupt does.
    func comeNow() { reports.yield() }

    /// Ends the wait as an interrupt does, when the limit has passed.
    func come(after limit: Duration, on clock: any Clock<Duration>) -> Task<Void, Never> {
        let reports = reports
        return Task {
            guard (try? await clock.sleep(for: limit, tolerance: nil)) != nil else { return }
            reports.yield()
        }
    }
}
