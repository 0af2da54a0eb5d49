import Foundation
import MeshTestSupport
import MeshTime
import MeshTransports
import NIOCore
import NIOPosix
import Testing

@testable import MeshEmulator

/// The state of a client at a board's TCP port before the event loop has handled its events.
@Suite struct TCPPortSystemTests {
    private static let host = "127.0.0.1"

    /// Looks many times, by no clock: the system may deliver a client's bytes a moment after the call.
    private static func isUnread(at port: TCPPort) -> Bool { (0..<1_000_000).contains { _ in port.hasUnread } }

    /// While this runs, the event loop does nothing else: it has not read what the system has.
    @Test func `a connection, and what came on it, counts before the event loop has taken either`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let opened = try await loop.flatSubmit {
            TCPPort.open(
                host: Self.host, port: 0, label: "alice", owner: NIOLoopBound(SilentOwner(loop), eventLoop: loop))
        }.get()
        let (client, isUnread) = try await loop.submit {
            let port = opened.value
            let before = port.hasUnread
            guard case .tcp(_, let number) = port.address else { throw Unaddressed() }
            let client = try TestClient.connect(port: Int(number))
            return (NIOLoopBound(client, eventLoop: loop), [before, Self.isUnread(at: port)])
        }.get()
        #expect(isUnread == [false, true])

        // The event loop takes the connection.
        while try await loop.submit({ !opened.value.hasClient }).get() { await Task.yield() }
        let isTaken = try await loop.submit {
            let port = opened.value
            while port.nextInput(window: 64) != nil {}
            let before = port.hasUnread
            client.value.send([0x3C, 1, 0, 5])
            return [before, Self.isUnread(at: port)]
        }.get()
        #expect(isTaken == [false, true])
        try await loop.flatSubmit { opened.value.stop() }.get()
    }
}

private struct Unaddressed: Error {}

/// An owner that runs no node.
private final class SilentOwner: PortOwner {
    let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    var halfClosedGrace: TimeAmount? { .seconds(1) }
    func advance() {}
    func note(_ text: String) {}
}
