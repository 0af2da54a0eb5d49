import MeshCompanion
package import MeshCore
import MeshFirmware
import MeshTransports
import Synchronization

/// A link to a radio of a world in this process.
package actor LoopbackTransport: MeshTransport {
    /// One connection, from the world's side.
    final class Link: Sendable {
        /// Frames that may wait: a fast radio lists its whole table in one go, and the app shares its thread.
        private static let limit = 32_768

        let inbox = FrameInbox(limit: limit)
        private let receiver = Mutex(ClientReceiver())
        private let ending = Mutex<String?>(nil)
        /// Ends when app and radio can talk, or when the connection is no more.
        let opening: AsyncStream<Void>
        private let opened: AsyncStream<Void>.Continuation

        init() { (opening, opened) = AsyncStream.makeStream() }

        /// The reason for the end of the connection; `nil` while it is open.
        var reason: String? { ending.withLock { $0 } }

        /// Bytes of the radio; `false` when the reader does not keep up.
        func receive(_ bytes: [UInt8]) -> Bool {
            receiver.withLock { $0.frames(in: bytes) }.allSatisfy(inbox.deliver)
        }

        /// App and radio can talk.
        func open() { opened.finish() }

        func end(_ reason: String) {
            ending.withLock { $0 = $0 ?? reason }
            inbox.finish()
            opened.finish()
        }
    }

    /// The world's turn is that of its links.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { world.unownedExecutor }

    private nonisolated let world: LoopbackWorld
    private let client: ClientID
    private var link: Link?
    /// The stream of a connection that has not been opened, or of the last one.
    private var inbox = FrameInbox()

    init(world: LoopbackWorld, client: ClientID) {
        self.world = world
        self.client = client
    }

    package var receivedData: AsyncStream<[UInt8]> { inbox.stream }

    package var connectionState: ConnectionState {
        guard let link else { return .disconnected }
        return link.reason == nil ? .connected : .disconnected
    }

    package func connect() async throws {
        guard connectionState != .connected else { return }
        let link = Link()
        try await world.open(link, of: client)
        self.link = link
        inbox = link.inbox
    }

    package func disconnect() async {
        guard let link else { return }
        self.link = nil
        link.end("closed")
        await world.close(link, of: client)
    }

    package func send(_ frame: [UInt8]) async throws {
        guard let link, link.reason == nil else { throw MeshTransportError.notConnected }
        try StreamTransport.check(frame)
        try await world.send(frame, over: link, of: client)
    }
}
