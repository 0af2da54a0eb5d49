import MeshCore
import Synchronization
import Testing

@Suite struct BroadcasterTests {
    private func collect(_ stream: AsyncStream<Int>) async -> [Int] { await stream.reduce(into: []) { $0.append($1) } }

    @Test func `a subscriber without gaps that stays behind receives what waited, and loses the subscription`()
        async throws
    {
        let broadcaster = Broadcaster<Int>()
        let late = try #require(broadcaster.subscribeWithoutGaps(bufferSize: 3, mostSubscribers: 2))
        let other = broadcaster.subscribe(bufferSize: 3)
        for number in 1...5 { broadcaster.emit(number) }

        #expect(broadcaster.subscriberCount == 1, "the late one has gone")
        broadcaster.finish()
        #expect(await collect(late) == [1, 2, 3])
        #expect(await collect(other.events) == [3, 4, 5])
        #expect(other.dropCount == 2)
    }

    @Test func `no more subscribers are served than the limit, and one that goes makes room`() async throws {
        let broadcaster = Broadcaster<Int>()
        func follow() -> AsyncStream<Int>? { broadcaster.subscribeWithoutGaps(bufferSize: 8, mostSubscribers: 2) }
        let first = try #require(follow())
        var second = follow()
        #expect(second != nil)
        #expect(follow() == nil)
        second = nil
        let third = try #require(follow())
        broadcaster.emit(7)
        broadcaster.finish()

        #expect(await collect(first) == [7])
        #expect(await collect(third) == [7])
        #expect(await collect(try #require(follow())).isEmpty, "a finished broadcaster has only ended streams")
    }

    @Test func `an observation that is cancelled during an emission receives nothing of it`() {
        let broadcaster = Broadcaster<Int>()
        let received = Mutex<[Int]>([])
        let later = Mutex<Broadcaster<Int>.Observation?>(nil)
        broadcaster.observe { _ in later.withLock { $0 }?.cancel() }
        later.withLock { later in
            later = broadcaster.observe { event in received.withLock { $0.append(event) } }
        }
        broadcaster.emit(1)

        #expect(received.withLock { $0 }.isEmpty)
        #expect(broadcaster.subscriberCount == 1)
    }
}
