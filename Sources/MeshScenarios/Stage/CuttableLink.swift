package import MeshCore
import MeshTime
import Synchronization

/// A link that can be cut for a while, and then be opened again.
package actor CuttableLink: MeshTransport {
    private var inner: any MeshTransport
    private var isCut = false
    /// Times that it went away while it was open.
    private(set) var losses = 0
    /// The times that the bench's cuts ended a connection, or refused one.
    private nonisolated let effects = Mutex(FaultCount())

    package init(_ inner: any MeshTransport) {
        self.inner = inner
    }

    package var receivedData: AsyncStream<[UInt8]> { get async { await inner.receivedData } }
    package var connectionState: ConnectionState { get async { await inner.connectionState } }
    package var capabilities: TransportCapabilities { get async { await inner.capabilities } }

    package func connect() async throws {
        guard !isCut else {
            effects.withLock { $0.note() }
            throw MeshTransportError.connectionFailed("the radio is out of reach")
        }
        try await inner.connect()
    }

    package func disconnect() async { await inner.disconnect() }

    package func send(_ frame: [UInt8]) async throws { try await inner.send(frame) }

    // MARK: The bench's side

    package func cut() async {
        isCut = true
        if await inner.connectionState == .connected {
            losses += 1
            effects.withLock { $0.note() }
        }
        await inner.disconnect()
    }

    /// The effects of all cuts up to now.
    nonisolated var effect: FaultCount { effects.withLock { $0 } }

    package func mend() { isCut = false }

    /// Puts another radio at the end of the link; the one that was there is lost.
    func plug(_ radio: any MeshTransport) async {
        let old = inner
        if await old.connectionState == .connected { losses += 1 }
        inner = radio
        await old.disconnect()
    }
}
