/// The broadcaster of a session's events, which counts in frames of a radio.
///
/// A frame's events are out before the next frame is looked at. A subscriber that does not read loses its oldest
/// events, and can see how many.
public final class EventDispatcher: Sendable {
    /// Events that are kept for a subscriber that is late.
    public static let bufferSize = 100

    /// A subscriber's events, and the number of those that it did not read in time.
    public typealias Subscription = Broadcaster<MeshEvent>.Subscription

    private let broadcaster = Broadcaster<MeshEvent>()

    /// A dispatcher without subscribers.
    public init() {}

    /// Subscribers that have not gone.
    public var subscriberCount: Int { broadcaster.subscriberCount }

    /// The events from now on that the filter lets through; an ended stream when the dispatcher has finished.
    public func subscribe(_ filter: EventFilter? = nil) -> AsyncStream<MeshEvent> {
        subscribeTracked(filter).events
    }

    /// Subscribes, and counts what a slow reader loses. The buffer holds the latest events, `bufferSize` of them.
    public func subscribeTracked(
        _ filter: EventFilter? = nil, bufferSize: Int = EventDispatcher.bufferSize
    ) -> Subscription {
        guard let filter else { return broadcaster.subscribe(bufferSize: bufferSize) }
        return broadcaster.subscribe(bufferSize: bufferSize) { filter.matches($0) }
    }

    /// Delivers an event to every subscriber that wants it.
    public func dispatch(_ event: MeshEvent) { broadcaster.emit(event) }

    /// Ends all streams, and refuses new ones.
    public func finish() { broadcaster.finish() }
}
