package import BluetoothCapture
package import MeshCapture
import MeshFiles
import Synchronization

/// Reads a source on a thread of its own and writes what it reads, batch by batch.
package final class AdapterRecorder: Sendable {
    /// The state of the thread; only the thread uses it once it runs.
    private struct Work {
        let source: any LiveSource
        var recording: AdapterRecording

        mutating func write(into file: GrowingFile) throws(CaptureFileError) {
            try recording.drain { (bytes, ends) throws(CaptureFileError) in try file.append(bytes, ends: ends) }
        }
    }

    /// The results so far.
    package struct Progress: Sendable {
        package var tally = AdapterRecording.Tally()
        /// The last thing that could not be read.
        package var problem: CaptureProblem?
        /// The losses by scrubbing, a sentence each.
        package var losses: [String] = []
    }

    /// The longest time between two checks of a wish to end, in milliseconds.
    private static let patience: Int32 = 200

    private let file: GrowingFile
    private let work: Mutex<Work>
    private let isStopping = Atomic(false)
    private let latest = Mutex(Progress())
    private let watch: @Sendable (Progress) -> Void
    private let ending: AsyncStream<Void>
    private let report: AsyncStream<Void>.Continuation
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    /// Begins the file, never over one that exists. Throws a `CaptureFileError`.
    ///
    /// - Parameter watch: Receives the progress after each batch, on the recorder's thread.
    package init(
        _ source: sending any LiveSource, _ recording: sending AdapterRecording, into path: String,
        watch: @escaping @Sendable (Progress) -> Void = { _ in }
    ) throws(CaptureFileError) {
        file = try GrowingFile(creating: path)
        var work = Work(source: source, recording: recording)
        try work.write(into: file)
        self.work = Mutex(work)
        self.watch = watch
        (ending, report) = AsyncStream.makeStream()
    }

    package var path: String { file.path }
    package var progress: Progress { latest.withLock { $0 } }

    package func start() {
        SystemThread.start { [self] in
            let result = result()
            // Known to all who wait before any of them goes on.
            outcome.withLock { $0 = result }
            report.finish()
        }
    }

    package func stop() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// Removes the file, so that a next try finds its name free.
    package func discard() { file.discard() }

    /// Waits until the thread has ended; throws the error that ended it.
    package func waitUntilEnded() async throws {
        for await _ in ending {}
        try outcome.withLock { $0 }?.get()
    }

    private func result() -> Result<Void, any Error> {
        work.withLock { work in
            let read = Result { try record(&work) }
            // Also when the adapter is gone: what waited is told.
            work.recording.finish()
            let written = Result { try work.write(into: file) }
            tell(work.recording)
            return read.flatMap { written }
        }
    }

    private func record(_ work: inout Work) throws {
        while !isStopping.load(ordering: .relaxed) {
            let goesOn = try work.source.pump(into: &work.recording, waiting: Self.patience)
            try work.write(into: file)
            tell(work.recording)
            if !goesOn { return }
        }
    }

    private func tell(_ recording: borrowing AdapterRecording) {
        let progress = Progress(tally: recording.tally, problem: recording.lastProblem, losses: recording.losses)
        latest.withLock { $0 = progress }
        watch(progress)
    }
}
