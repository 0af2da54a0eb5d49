import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransports

/// Packets on a descriptor of which one call is one packet, as the kernel's channel to an adapter.
@Suite struct PacketWritesSystemTests {
    /// Two ends that keep packets apart.
    private static func ends() -> (ours: Int32, other: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// The packets that have come.
    private static func packets(at descriptor: Int32) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return packets }
            packets.append(Array(buffer.prefix(count)))
        }
    }

    @Test func `packets that wait together go out one by one`() async throws {
        let (ours, other) = Self.ends()
        defer { close(other) }
        let channel = try await PipeLink.channel(over: ours, on: MultiThreadedEventLoopGroup.singleton.any()) {
            try $0.pipeline.syncOperations.addHandler(PacketWrites())
        }.get()
        let sent: [[UInt8]] = [[1, 2, 3], [4], [5, 6], Array(repeating: 7, count: 1000)]

        for packet in sent.dropLast() { channel.write(ByteBuffer(bytes: packet), promise: nil) }
        try await channel.writeAndFlush(ByteBuffer(bytes: sent[3]))

        #expect(Self.packets(at: other) == sent)
        try await channel.close()
    }

    @Test func `packets that the other side has no room for follow in order`() async throws {
        let (ours, other) = Self.ends()
        defer { close(other) }
        let channel = try await PipeLink.channel(over: ours, on: MultiThreadedEventLoopGroup.singleton.any()) {
            try $0.pipeline.syncOperations.addHandler(PacketWrites())
        }.get()
        let sent = (0..<2000).map {
            [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] + [UInt8](repeating: 9, count: 500)
        }

        for packet in sent { channel.write(ByteBuffer(bytes: packet), promise: nil) }
        let last = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(bytes: [0]), promise: last)
        var received: [[UInt8]] = []
        while received.last != [0] {
            var request = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
            try #require(poll(&request, 1, 10_000) == 1)
            received += Self.packets(at: other)
        }

        try await last.futureResult.get()
        #expect(received == sent + [[0]])
        try await channel.close()
    }

    @Test func `what waits when the channel ends is told so`() async throws {
        let (ours, other) = Self.ends()
        defer { close(other) }
        let channel = try await PipeLink.channel(over: ours, on: MultiThreadedEventLoopGroup.singleton.any()) {
            try $0.pipeline.syncOperations.addHandler(PacketWrites())
        }.get()
        let waiting = channel.eventLoop.makePromise(of: Void.self)
        channel.write(ByteBuffer(bytes: [1]), promise: waiting)

        try await channel.close()

        await #expect(throws: ChannelError.ioOnClosedChannel) { try await waiting.futureResult.get() }
    }
}
