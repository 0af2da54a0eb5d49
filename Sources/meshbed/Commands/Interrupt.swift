import Dispatch
import Glibc
import MeshEmulator

/// The user's wish to end a run: SIGINT, SIGTERM or a terminal that hangs up, noticed from the value's making on.
final class Interrupt {
    /// How a run came to its end.
    enum Ending: Sendable {
        case interrupted
        case ended(EmulatorError?)

        var failure: EmulatorError? {
            if case .ended(let failure) = self { failure } else { nil }
        }
    }

    private let endings: AsyncStream<Ending>
    private let report: AsyncStream<Ending>.Continuation
    private let sources: [any DispatchSourceSignal]

    init() {
        let (endings, report) = AsyncStream.makeStream(of: Ending.self)
        self.endings = endings
        self.report = report
        // A reader of our output that goes away must not take the radios along.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { report.yield(.interrupted) }
            source.resume()
            return source
        }
    }

    /// Waits for an interrupt, or for the emulator to end by itself.
    func orEnd(of emulator: Emulator) async -> Ending {
        let report = report
        Task {
            do throws(EmulatorError) {
                try await emulator.waitUntilEnded()
                report.yield(.ended(nil))
            } catch {
                report.yield(.ended(error))
            }
        }
        for await ending in endings { return ending }
        return .interrupted
    }
}
