import Foundation
import Synchronization

/// Shows on standard error how a recording grows.
final class RecordingScreen: Sendable {
    private let watch = Mutex(RecordingWatch(isTerminal: isatty(STDERR_FILENO) == 1))
    private let began = ContinuousClock.now

    func show(_ progress: AdapterRecorder.Progress) {
        write(watch.withLock { $0.output(progress, at: began.duration(to: .now)) })
    }

    /// Takes the line away, so that the next one stands alone.
    func end() {
        write(watch.withLock { $0.ending })
    }

    private func write(_ text: String) {
        guard !text.isEmpty else { return }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
