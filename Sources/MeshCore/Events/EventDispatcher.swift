import Synchronization

/// Delivers every event to every subscriber, in order.
///
/// Not an actor, so that a frame's events are out before the next frame is looked at. A dispatch never suspends, and a
/// subscription is in place when `subscribe` returns. A subscriber that does not read delays no other; it loses its
/// oldest events, and can see how many.
public final class EventDispatcher: Sendable {
    /// Events that are kept for a subscriber that is late.
    public static let bufferSize = 100

    /// A subscriber's events, and the number of those that it lost.
    public struct Subscription: Sendable {
        public let id: Int
        /// The events, in order; it ends with the dispatcher.
        public let events: AsyncStream<MeshEvent>
        fileprivate let dropped: DropCounter

        /// Events that were lost because too many waited.
        public var dropCount: Int { dropped.value.withLock { $0 } }
    }

    fileprivate final class DropCounter: Sendable {
        let value = Mutex(0)
    }

    /// A class, because each frame looks at all of them.
    private final class Subscriber: Sendable {
        let id: Int
        let filter: EventFilter?
        let continuation: AsyncStream<MeshEvent>.Continuation
        let dropped: DropCounter

        init(
            id: Int, filter: EventFilter?, continuation: AsyncStream<MeshEvent>.Continuation, dropped: DropCounter
        ) {
            self.id = id
            self.filter = filter
            self.continuation = continuation
            self.dropped = dropped
        }
    }

    private struct State {
        var subscribers: [Subscriber] = []
        var count = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Subscribers that have not gone.
    public var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// The events from now on that the filter lets through; an ended stream when the dispatcher has finished.
    public func subscribe(_ filter: EventFilter? = nil) -> AsyncStream<MeshEvent> {
        subscribeTracked(filter).events
    }

    /// Subscribes, and counts the losses of a slow reader. The buffer holds the latest events, `bufferSize` of them.
    public func subscribeTracked(
        _ filter: EventFilter? = nil, bufferSize: Int = EventDispatcher.bufferSize
    ) -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MeshEvent.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let dropped = DropCounter()
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.count += 1
            state.subscribers.append(
                Subscriber(id: state.count, filter: filter, continuation: continuation, dropped: dropped))
            return state.count
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        } else {
            continuation.finish()
        }
        return Subscription(id: id ?? 0, events: stream, dropped: dropped)
    }

    /// Ends a subscription's stream.
    public func unsubscribe(_ id: Int) {
        let subscriber = state.withLock { state in state.subscribers.first { $0.id == id } }
        subscriber?.continuation.finish()
    }

    /// Delivers an event to the subscribers whose filter matches.
    public func dispatch(_ event: MeshEvent) {
        for subscriber in state.withLock({ $0.subscribers }) where subscriber.filter?.matches(event) ?? true {
            if case .dropped = subscriber.continuation.yield(event) { subscriber.dropped.value.withLock { $0 += 1 } }
        }
    }

    /// Ends all streams, and refuses new ones.
    public func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            return state.subscribers
        }
        for subscriber in subscribers { subscriber.continuation.finish() }
    }

    private func remove(_ id: Int) {
        state.withLock { state in state.subscribers.removeAll { $0.id == id } }
    }
}
