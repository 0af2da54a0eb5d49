import Synchronization

/// The events of a container's services, for any number of observers.
///
/// Emitting never waits. Work that has to be done before the next message is no event but a dependency of the service
/// (`MessageIntake`, `IncomingTakers`, `DiscoveryTaker`, `ListRefreshing`). Without observers an event is not even
/// made.
public final class StackEvents: Sendable {
    /// Events that are kept for a subscriber that is late.
    public static let bufferSize = 256

    /// A subscriber's events, and how many of them it did not read in time.
    public struct Subscription: Sendable {
        /// The stream of events; ends with the services, or when its reader ends.
        public let events: AsyncStream<StackEvent>
        fileprivate let dropped: DropCounter
        fileprivate let onCancel: @Sendable () -> Void

        /// Events that were lost, the oldest first, because too many waited.
        public var dropCount: Int { dropped.value.load(ordering: .relaxed) }

        /// Ends the events after those that are buffered.
        public func cancel() { onCancel() }
    }

    /// An observer that receives events at once, until it is cancelled or the services end.
    public struct Observation: Sendable {
        fileprivate let onCancel: @Sendable () -> Void

        /// Ends the subscription; an event that another thread emits may still arrive. More calls do nothing.
        public func cancel() { onCancel() }
    }

    fileprivate final class DropCounter: Sendable {
        let value = Atomic(0)
    }

    private struct Observer: Sendable {
        let number: Int
        /// `false` for an event that is not wanted.
        let tell: @Sendable (StackEvent) -> Bool
        let end: @Sendable () -> Void
    }

    private struct State {
        var observers: [Observer] = []
        var count = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    /// The number of observers; without any an event costs one look.
    private let observerCount = Atomic(0)

    public init() {}

    /// True when there is at least one observer.
    public var isObserved: Bool { observerCount.load(ordering: .relaxed) > 0 }

    // MARK: Being told

    /// The events from now on that are wanted, all without a filter; an ended stream when the services have ended.
    public func subscribe(
        bufferSize: Int = StackEvents.bufferSize, where isWanted: (@Sendable (StackEvent) -> Bool)? = nil
    ) -> Subscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StackEvent.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let dropped = DropCounter()
        let observation = add { event in
            guard isWanted?(event) ?? true else { return false }
            if case .dropped = continuation.yield(event) { dropped.value.add(1, ordering: .relaxed) }
            return true
        } end: {
            continuation.finish()
        }
        continuation.onTermination = { _ in observation.cancel() }
        return Subscription(events: stream, dropped: dropped) { continuation.finish() }
    }

    /// Has `tell` called with every event from now on, on the emitting thread and before the service goes on.
    ///
    /// It must be quick.
    @discardableResult
    public func observe(_ tell: @escaping @Sendable (StackEvent) -> Void) -> Observation {
        add {
            tell($0)
            return true
        } end: {
        }
    }

    private func add(
        _ tell: @escaping @Sendable (StackEvent) -> Bool, end: @escaping @Sendable () -> Void
    ) -> Observation {
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.count += 1
            state.observers.append(Observer(number: state.count, tell: tell, end: end))
            observerCount.store(state.observers.count, ordering: .relaxed)
            return state.count
        }
        guard let number else {
            end()
            return Observation {}
        }
        return Observation { [weak self] in self?.remove(number) }
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.observers.removeAll { $0.number == number }
            observerCount.store(state.observers.count, ordering: .relaxed)
        }
    }

    // MARK: Telling

    /// Emits an event to all observers, in the order in which they came; returns `false` when there are none.
    @discardableResult
    public func emit(_ event: @autoclosure () -> StackEvent) -> Bool {
        guard isObserved else { return false }
        let observers = state.withLock { $0.observers }
        let event = event()
        var isWanted = false
        for observer in observers where observer.tell(event) { isWanted = true }
        return isWanted
    }

    /// Ends all streams and observations.
    public func finish() {
        let observers = state.withLock { state in
            state.isFinished = true
            defer { state.observers = [] }
            observerCount.store(0, ordering: .relaxed)
            return state.observers
        }
        for observer in observers { observer.end() }
    }
}
