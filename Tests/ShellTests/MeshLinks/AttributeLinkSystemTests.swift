import Glibc
import MeshBluetoothHost
import NIOCore
import NIOPosix
import Testing

@testable import MeshTransports

/// The channel of attributes to a central, on a pair of sockets that keep packets apart as the kernel's do.
@Suite struct AttributeLinkSystemTests {
    private enum Seen: Hashable, Sendable {
        case received([UInt8], SecurityLevel)
        case sent
        case closed

        init(_ event: AttributeLink.Event) {
            self =
                switch event {
                case .received(let packet, let level): .received(packet, level)
                case .sent: .sent
                case .closed: .closed
                }
        }
    }

    /// One end as a link, the other one as a descriptor of the test's, and the link's events.
    private struct Pair {
        let link: NIOLoopBound<AttributeLink>
        let other: Int32
        let seen: AsyncStream<Seen>

        init() async throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
            let (ours, other) = (ends[0], ends[1])
            let (seen, told) = AsyncStream.makeStream(of: Seen.self)
            let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
            link = try await eventLoop.submit {
                let link = AttributeLink(ours) { told.yield(Seen($0)) }
                link.begin(on: eventLoop)
                return NIOLoopBound(link, eventLoop: eventLoop)
            }.get()
            (self.other, self.seen) = (other, seen)
        }

        func perform(_ body: @escaping @Sendable (AttributeLink) -> Void) {
            let link = link
            link.eventLoop.execute { body(link.value) }
        }

        func write(_ packet: [UInt8]) { #expect(send(other, packet, packet.count, 0) == packet.count) }

        func read() -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = recv(other, &buffer, buffer.count, 0)
            return Array(buffer.prefix(max(0, count)))
        }
    }

    @Test func `packets come one by one, and without the kernel's word they are not protected`() async throws {
        let pair = try await Pair()
        defer { close(pair.other) }
        let packets: [[UInt8]] = [[0x02, 5, 2], [0x0A, 1, 0], Array(repeating: 7, count: 517)]

        packets.forEach(pair.write)

        var seen = pair.seen.makeAsyncIterator()
        for packet in packets { #expect(await seen.next() == .received(packet, .none)) }
    }

    @Test func `packets go out one by one, and each is told`() async throws {
        let pair = try await Pair()
        defer { close(pair.other) }
        let packets: [[UInt8]] = [[0x03, 5, 2], [0x1B, 1, 0, 9], Array(repeating: 7, count: 517)]

        pair.perform { link in packets.forEach(link.send) }

        for packet in packets { #expect(pair.read() == packet) }
        var seen = pair.seen.makeAsyncIterator()
        for _ in packets { #expect(await seen.next() == .sent) }
    }

    @Test func `a central that goes ends the link`() async throws {
        let pair = try await Pair()

        close(pair.other)

        var seen = pair.seen.makeAsyncIterator()
        #expect(await seen.next() == .closed)
    }

    @Test func `a link that hangs up ends at both sides`() async throws {
        let pair = try await Pair()
        defer { close(pair.other) }

        pair.perform { $0.close() }

        var seen = pair.seen.makeAsyncIterator()
        #expect(await seen.next() == .closed)
        #expect(pair.read().isEmpty, "the end, not a wait")
    }
}
