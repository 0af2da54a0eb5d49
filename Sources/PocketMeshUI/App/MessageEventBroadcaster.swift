public import Observation
public import PocketMeshServices

/// Brings the services' events to the main actor, and keeps the last of them under numbers.
///
/// A page that was away asks for the events after the last number that it saw. When some of those are not kept any
/// more, the answer says so; then the page loads everything anew.
@MainActor @Observable
public final class MessageEventBroadcaster {
    /// The number of events that are kept for clients that resume.
    public static let defaultCapacity = 1024

    /// The last message that came, of any conversation; posts in rooms are not among them.
    public private(set) var latestMessage: MessageDTO?
    /// The last event.
    public private(set) var latestEvent: MessageEvent?
    /// Rises with every message and post that comes.
    public private(set) var newMessageCount = 0
    /// The number of the last event; 0 before the first.
    public private(set) var latestNumber: UInt64 = 0

    /// Events from a number on.
    public struct Page: Sendable, Hashable {
        /// The events after the number, oldest first.
        public var events: [NumberedEvent]
        /// True when events after the number are not kept any more, or the number is none of this run.
        public var hasMissed: Bool
    }

    /// A function that is called on the main actor with each event, until it is cancelled.
    public typealias Subscription = Broadcaster<NumberedEvent>.Observation

    @ObservationIgnored private let capacity: Int
    @ObservationIgnored private var kept: [NumberedEvent] = []
    @ObservationIgnored private let broadcaster = Broadcaster<NumberedEvent>()

    /// Makes a broadcaster that keeps this number of events.
    public init(capacity: Int = MessageEventBroadcaster.defaultCapacity) {
        self.capacity = max(1, capacity)
    }

    /// Emits an event to all observers, under the next number.
    public func broadcast(_ event: MessageEvent) {
        latestNumber += 1
        let numbered = NumberedEvent(number: latestNumber, event: event)
        kept.append(numbered)
        // Twice the capacity, so that moving the rest down costs little for each event.
        if kept.count >= 2 * capacity { kept.removeFirst(kept.count - capacity) }
        latestEvent = event
        switch event {
        case .directMessageReceived(let message, _), .channelMessageReceived(let message, _): latestMessage = message
        default: break
        }
        if event.isNewMessage { newMessageCount += 1 }
        broadcaster.emit(numbered)
    }

    /// Returns the events after a number, and whether that is all.
    public func events(after number: UInt64) -> Page {
        guard number <= latestNumber else { return Page(events: [], hasMissed: true) }
        let events = kept.suffix(capacity).filter { $0.number > number }
        return Page(events: Array(events), hasMissed: UInt64(events.count) < latestNumber - number)
    }

    /// Has `deliver` called with every event from now on, until the subscription is cancelled.
    public func observe(_ deliver: @escaping @MainActor (NumberedEvent) -> Void) -> Subscription {
        // Events are emitted by `broadcast` alone, which is the main actor's.
        broadcaster.observe { event in MainActor.assumeIsolated { deliver(event) } }
    }

    /// Returns a stream of the events from now on.
    ///
    /// When a reader is too late, its oldest events are dropped: the numbers show the gap.
    public func stream(bufferSize: Int = MessageEventBroadcaster.defaultCapacity) -> AsyncStream<NumberedEvent> {
        broadcaster.subscribe(bufferSize: max(1, bufferSize)).events
    }
}

extension MessageEventBroadcaster {
    /// Emits an event of the services, as far as it is for pages: at most one event for each.
    public func broadcast(_ event: StackEvent) {
        if let event = Self.translated(event) { broadcast(event) }
    }

    static func translated(_ event: StackEvent) -> MessageEvent? {
        switch event {
        case .directMessageReceived(let message, let contact):
            .directMessageReceived(message: message, contact: contact)
        case .channelMessageReceived(let message, let index):
            .channelMessageReceived(message: message, channelIndex: index)
        case .roomMessageReceived(let session, let message):
            .roomMessageReceived(message: message, sessionID: session.id)
        case .messageDelivered(let code, _): .messageStatusUpdated(ackCode: code)
        case .messageFailed(let id): .messageFailed(messageID: id)
        case .messageRetried(let id, let retry, let most):
            .messageRetrying(messageID: id, attempt: retry, maxAttempts: most)
        case .sendChangedPath(let id, let isFlood), .routingChanged(let id, let isFlood):
            .routingChanged(contactID: id, isFlood: isFlood)
        case .unknownSender(let prefix): .unknownSender(keyPrefix: prefix)
        case .messageSent(let id), .repeatHeard(let id, _): .messageChanged(messageID: id)
        case .postStatusChanged(let id, _): .postChanged(messageID: id)
        case .imageReceived(let message): .messageChanged(messageID: message.id)
        case .imageProgressed(let progress):
            // One that is over shows the picture, whatever the other end has of it.
            .imageProgressed(
                transferID: progress.transferID, done: progress.isUnderWay ? progress.done : progress.total,
                total: progress.total,
                isIncoming: progress.direction == .incoming)
        case .contactListChanged: .contactsChanged
        case .conversationListChanged: .conversationsChanged
        case .sessionStateChanged(let id, _), .keepAliveAnswered(let id, _), .repeaterStatus(let id, _),
            .repeaterTelemetry(let id, _), .repeaterNeighbours(let id, _), .commandAnswered(let id, _):
            .nodeChanged(sessionID: id)
        case .nodeDiscovered(let node): .nodeDiscovered(publicKey: node.publicKey)
        case .settingsChanged, .batteryRead: .deviceChanged
        case .syncActivityChanged: .syncChanged
        case .syncGaveUp(let error): .error(ErrorPresentation(error))
        case .acknowledged, .datagramReceived, .contactsChanged, .contactRemoved, .contactUpdated, .contactDeleted,
            .contactsFull, .contactDiscovered, .advertHeard, .pathRefreshed, .pathUpdated, .pathDiscovered,
            .channelsChanged, .nodeStatus, .nodeTelemetry, .nodeNeighbours, .rawDataReceived, .radioHeard:
            // The lists that they change are told by themselves.
            nil
        }
    }
}
