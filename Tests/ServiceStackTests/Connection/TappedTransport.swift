import MeshCompanion
import MeshCore

/// A transport round a transport that lets a test see each command, and decide on it.
actor TappedTransport: MeshTransport {
    enum Fate: Sendable {
        case passes
        /// The link accepts it, and it never arrives.
        case vanishes
        /// The link ends instead.
        case cuts
        /// The link ends once the command has arrived.
        case cutsBehind
    }

    let inner: any MeshTransport
    private let tap: @Sendable (CommandCode?, [UInt8]) async -> Fate

    init(_ inner: any MeshTransport, tap: @escaping @Sendable (CommandCode?, [UInt8]) async -> Fate) {
        self.inner = inner
        self.tap = tap
    }

    var receivedData: AsyncStream<[UInt8]> { get async { await inner.receivedData } }
    var connectionState: ConnectionState { get async { await inner.connectionState } }
    var capabilities: TransportCapabilities { get async { await inner.capabilities } }

    func connect() async throws { try await inner.connect() }
    func disconnect() async { await inner.disconnect() }

    func send(_ frame: [UInt8]) async throws {
        switch await tap(frame.first.flatMap(CommandCode.init(rawValue:)), frame) {
        case .passes: try await inner.send(frame)
        case .vanishes: break
        case .cuts:
            await inner.disconnect()
            throw MeshTransportError.notConnected
        case .cutsBehind:
            try await inner.send(frame)
            await inner.disconnect()
        }
    }
}
