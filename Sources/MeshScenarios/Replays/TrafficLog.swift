package import MeshCapture
package import MeshCore
import MeshTransports
import Synchronization

/// Keeps what passes a link in this process as a recording.
package final class TrafficLog: Sendable {
    private let entries = Mutex<[RecordingEntry]>([])

    package init() {}

    /// A transport round a transport whose traffic is kept here.
    package func recorded(_ link: any MeshTransport, clock: any Clock<Duration>) -> any MeshTransport {
        RecordingTransport(link, clock: clock) { entry in self.entries.withLock { $0.append(entry) } }
    }

    package func recording(_ header: RecordingHeader = RecordingHeader(transport: .loopback)) -> Recording {
        Recording(header, entries.withLock { $0 })
    }
}
