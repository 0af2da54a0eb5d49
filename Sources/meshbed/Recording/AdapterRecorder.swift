import Foundation
import MeshBluetooth
import MeshCapture
import Synchronization

/// Reads an adapter on a thread of its own and writes what it reads, batch by batch.
final class AdapterRecorder: Sendable {
    /// What the thread has; it alone touches it once it runs.
    private struct Work {
        let capture: LiveCapture
        var sink: FilteredSink
    }

    /// How long the thread looks away from a wish to end.
    private static let patience: Int32 = 200

    let interface: String
    let path: String
    private let work: Mutex<Work>
    private let isStopping = Atomic(false)
    private let written = Atomic(0)
    private let ending: AsyncStream<Result<Void, LiveCaptureError>>
    private let report: AsyncStream<Result<Void, LiveCaptureError>>.Continuation
    private let outcome = Mutex<Result<Void, LiveCaptureError>?>(nil)

    /// Opens the interface, then begins the file.
    init(_ interface: String, _ filter: PeerFilter?, _ path: String) throws(LiveCaptureError) {
        self.interface = interface
        self.path = path
        let capture = try LiveCapture(interface: interface)
        let sink = FilteredSink(file: try SaveFile(creating: path, for: capture), filter: filter)
        work = Mutex(Work(capture: capture, sink: sink))
        (ending, report) = AsyncStream.makeStream()
    }

    var count: Int { written.load(ordering: .relaxed) }

    func start() {
        let thread = Thread { [self] in
            report.yield(result())
            report.finish()
        }
        thread.name = "recorder of an adapter"
        thread.start()
    }

    func stop() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// Waits until the thread has ended; throws what ended it.
    func waitUntilEnded() async throws {
        for await result in ending { outcome.withLock { $0 = result } }
        try outcome.withLock { $0 }?.get()
    }

    private func result() -> Result<Void, LiveCaptureError> {
        work.withLock { work in
            do throws(LiveCaptureError) {
                while !isStopping.load(ordering: .relaxed) {
                    let batch = try work.capture.read(into: &work.sink, waiting: Self.patience)
                    guard case .records(let number) = batch else { break }
                    if number > 0 { try work.sink.file.flush() }
                    written.store(work.sink.file.count, ordering: .relaxed)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    private struct FilteredSink: RecordSink {
        let file: SaveFile
        var filter: PeerFilter?

        mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
            if filter?.keeps(header, bytes) ?? true { file.take(header, bytes) }
        }

        mutating func note(_ problem: CaptureProblem) {}
    }
}
