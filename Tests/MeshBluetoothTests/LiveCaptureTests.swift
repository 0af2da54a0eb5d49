import MeshBluetooth
import Testing

/// Captures from an adapter.
@Suite struct LiveCaptureTests {
    @Test func `an error is one sentence`() {
        #expect("\(LiveCaptureError("no adapter"))" == "no adapter")
    }
}
