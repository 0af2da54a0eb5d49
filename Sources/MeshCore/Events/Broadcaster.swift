import Synchronization

/// A hub that delivers every event to every subscriber, in order.
///
/// Not an actor: an emission never suspends, and a subscription is in place when the call that makes it returns. A
/// subscriber that does not read delays no other one, and has a bound: it loses events, or its subscription. While
/// nobody subscribes, an event is not even made.
public final class Broadcaster<Event: Sendable>: Sendable {
    /// Events that wait for a late subscriber, unless it names another number.
    public static var bufferSize: Int { 256 }

    /// A stream of events, and the number of those that its reader lost.
    public struct Subscription: Sendable {
        /// The events, in order; ends with the broadcaster, or when the subscription is cancelled.
        public let events: AsyncStream<Event>
        fileprivate let dropped: DropCounter
        fileprivate let onCancel: @Sendable () -> Void

        /// Events that were lost, the oldest first, because too many waited.
        public var dropCount: Int { dropped.value.load(ordering: .relaxed) }

        /// Ends the stream behind the events that wait.
        public func cancel() { onCancel() }
    }

    /// A function that is called with each event, until it is cancelled or the broadcaster finishes.
    public struct Observation: Sendable {
        fileprivate let onCancel: @Sendable () -> Void

        /// Ends the calls; one that runs on another thread is not interrupted. More calls do nothing.
        public func cancel() { onCancel() }
    }

    fileprivate final class DropCounter: Sendable {
        let value = Atomic(0)
    }

    /// A class, because each event looks at all of them.
    private final class Subscriber: Sendable {
        /// Returns `false` for an event that is not wanted.
        let deliver: @Sendable (Event) -> Bool
        let end: @Sendable () -> Void
        let isCancelled = Atomic(false)

        init(_ deliver: @escaping @Sendable (Event) -> Bool, end: @escaping @Sendable () -> Void) {
            self.deliver = deliver
            self.end = end
        }
    }

    private struct State {
        var subscribers: [Subscriber] = []
        var isFinished = false
    }

    private let state = Mutex(State())
    /// So that an event nobody wants costs one look.
    private let count = Atomic(0)

    /// A broadcaster without subscribers.
    public init() {}

    /// The number of subscriptions and observations that have not ended.
    public var subscriberCount: Int { count.load(ordering: .relaxed) }

    /// Tells whether an event reaches anybody.
    public var isObserved: Bool { subscriberCount > 0 }

    // MARK: Subscribing

    /// Subscribes to the wanted events from now on; a reader that stays behind loses the oldest.
    ///
    /// Without a filter all events are wanted. The stream has ended when the broadcaster has finished.
    public func subscribe(
        bufferSize: Int = Broadcaster.bufferSize, where isWanted: (@Sendable (Event) -> Bool)? = nil
    ) -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let dropped = DropCounter()
        let subscriber = Subscriber { event in
            guard isWanted?(event) ?? true else { return false }
            if case .dropped = continuation.yield(event) { dropped.value.add(1, ordering: .relaxed) }
            return true
        } end: {
            continuation.finish()
        }
        _ = add(subscriber, atMost: .max)
        continuation.onTermination = onTermination(of: subscriber)
        return Subscription(events: stream, dropped: dropped) { continuation.finish() }
    }

    /// Subscribes to all events from now on; a reader that stays behind loses the subscription, not single events.
    ///
    /// The stream ends behind `bufferSize` events that wait. Returns `nil` when `mostSubscribers` are there already.
    package func subscribeWithoutGaps(bufferSize: Int, mostSubscribers: Int) -> AsyncStream<Event>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingOldest(bufferSize))
        let subscriber = Subscriber { event in
            if case .dropped = continuation.yield(event) { continuation.finish() }
            return true
        } end: {
            continuation.finish()
        }
        guard add(subscriber, atMost: mostSubscribers) else { return nil }
        continuation.onTermination = onTermination(of: subscriber)
        return stream
    }

    /// Has `deliver` called with every event from now on, before `emit` returns: it must be quick.
    @discardableResult
    public func observe(_ deliver: @escaping @Sendable (Event) -> Void) -> Observation {
        let subscriber = Subscriber {
            deliver($0)
            return true
        } end: {
        }
        _ = add(subscriber, atMost: .max)
        return Observation { [weak self] in self?.remove(subscriber) }
    }

    /// Adds a subscriber, or ends it when the broadcaster has finished; `false` when there are as many already.
    private func add(_ subscriber: Subscriber, atMost most: Int) -> Bool {
        let (isThere, isFinished) = state.withLock { state in
            guard !state.isFinished else { return (true, true) }
            guard state.subscribers.count < most else { return (false, false) }
            state.subscribers.append(subscriber)
            count.store(state.subscribers.count, ordering: .relaxed)
            return (true, false)
        }
        if isFinished { subscriber.end() }
        return isThere
    }

    /// Weak in both: a stream keeps what its end calls.
    private func onTermination(
        of subscriber: Subscriber
    ) -> @Sendable (AsyncStream<Event>.Continuation.Termination) -> Void {
        { [weak self, weak subscriber] _ in
            if let subscriber { self?.remove(subscriber) }
        }
    }

    private func remove(_ subscriber: Subscriber) {
        subscriber.isCancelled.store(true, ordering: .relaxed)
        state.withLock { state in
            state.subscribers.removeAll { $0 === subscriber }
            count.store(state.subscribers.count, ordering: .relaxed)
        }
    }

    // MARK: Emitting

    /// Delivers an event to the subscribers, in the order in which they came; `false` when nobody wanted it.
    @discardableResult
    public func emit(_ event: @autoclosure () -> Event) -> Bool {
        guard isObserved else { return false }
        let subscribers = state.withLock { $0.subscribers }
        let event = event()
        var isWanted = false
        for subscriber in subscribers where !subscriber.isCancelled.load(ordering: .relaxed) {
            if subscriber.deliver(event) { isWanted = true }
        }
        return isWanted
    }

    /// Ends all streams, and refuses new subscribers.
    public func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            defer { state.subscribers = [] }
            count.store(0, ordering: .relaxed)
            return state.subscribers
        }
        for subscriber in subscribers { subscriber.end() }
    }
}
