import MeshCaptureIO
import MeshTestbed
import Synchronization

/// Shows on standard error how a recording grows.
final class RecordingScreen: Sendable {
    private let watch = Mutex(RecordingWatch(isTerminal: StandardError.isTerminal))
    private let began = ContinuousClock.now

    func show(_ progress: AdapterRecorder.Progress) {
        let output = watch.withLock { $0.output(progress, at: began.duration(to: .now)) }
        if !output.lines.isEmpty { StandardError.endProgress() }
        output.lines.forEach(StandardError.line)
        if let counts = output.counts { StandardError.progress(counts) }
    }

    /// Removes the line, so that the next one stands alone.
    func end() {
        if watch.withLock({ $0.isShown }) { StandardError.endProgress() }
    }
}
