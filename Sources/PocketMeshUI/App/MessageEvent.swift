public import FoundationEssentials
public import PocketMeshServices

/// An event that an app emits to its pages: each callback of the services as one value.
public enum MessageEvent: Sendable, Hashable {
    // MARK: The seeds' events

    /// A text of a contact is stored.
    case directMessageReceived(message: MessageDTO, contact: ContactDTO)
    /// A text on a channel is stored.
    case channelMessageReceived(message: MessageDTO, channelIndex: UInt8)
    /// A room has sent a post of another member.
    case roomMessageReceived(message: RoomMessageDTO, sessionID: UUID)
    /// A message was confirmed; the code of its acknowledgement.
    case messageStatusUpdated(ackCode: UInt32)
    /// A message was given up.
    case messageFailed(messageID: UUID)
    /// A message is tried again: the number of the retry, and the greatest number of retries.
    case messageRetrying(messageID: UUID, attempt: Int, maxAttempts: Int)
    /// Messages to a contact are flooded from now on, or are not any more.
    case routingChanged(contactID: UUID, isFlood: Bool)
    /// A text is stored whose sender is no contact; the first 6 bytes of the key.
    case unknownSender(keyPrefix: Data)
    /// Something failed that no page has asked for.
    case error(ErrorPresentation)

    // MARK: What pages load anew for

    /// A message row has changed: written, accepted by the radio, repeated by the mesh or deleted.
    case messageChanged(messageID: UUID)
    /// A post of ours is another one.
    case postChanged(messageID: UUID)
    /// The list of contacts is another one.
    case contactsChanged
    /// The list of conversations is another one.
    case conversationsChanged
    /// The link, the radio or its services are others.
    case connectionChanged
    /// The synchronisation has made progress.
    case syncChanged
    /// A picture has made progress; the number of chunks, and of all.
    case imageProgressed(transferID: UUID, done: Int, total: Int, isIncoming: Bool)
    /// A room or repeater has answered, or its session is another one.
    case nodeChanged(sessionID: UUID)
    /// A node without a session has answered a discovery request.
    case nodeDiscovered(publicKey: Data)
    /// The radio's settings or battery are others.
    case deviceChanged
    /// A notification was shown or removed.
    case notificationsChanged
    /// A page asks for another page: `AppState` holds the target.
    case navigationRequested
}

/// An event with its number, in the order of emission; numbers begin with 1 and have no gaps.
public struct NumberedEvent: Sendable, Hashable {
    /// The place in the order.
    public let number: UInt64
    /// The event itself.
    public let event: MessageEvent
}

/// An event in the form for pages: its kind, and the identifiers of the objects to load anew.
public struct EventPresentation: Codable, Sendable, Hashable {
    /// The place in the order.
    public var number: UInt64
    /// The name of the case of `MessageEvent`.
    public var kind: String
    /// The conversation that it is about: the row of the contact or channel, or the session of the room.
    public var conversationID: UUID?
    /// The message or post that it is about.
    public var messageID: UUID?
    /// The session with a room or repeater.
    public var sessionID: UUID?
    /// A code, an attempt or a count, by kind.
    public var value: Int?
    /// The most that `value` can become.
    public var total: Int?
    /// The error for the user, where there is one to show.
    public var error: ErrorPresentation?

    /// The event without the rows that it carries.
    public init(_ numbered: NumberedEvent) {
        self.init(number: numbered.number, kind: numbered.event.kind)
        switch numbered.event {
        case .directMessageReceived(let message, let contact):
            (conversationID, messageID) = (contact.id, message.id)
        case .channelMessageReceived(let message, let index):
            (conversationID, messageID, value) = (message.channelID, message.id, Int(index))
        case .roomMessageReceived(let message, let session):
            (conversationID, sessionID, messageID) = (session, session, message.id)
        case .messageStatusUpdated(let code): value = Int(code)
        case .messageFailed(let id), .messageChanged(let id), .postChanged(let id): messageID = id
        case .messageRetrying(let id, let attempt, let most): (messageID, value, total) = (id, attempt, most)
        case .routingChanged(let contact, let isFlood): (conversationID, value) = (contact, isFlood ? 1 : 0)
        case .imageProgressed(let id, let done, let all, _): (messageID, value, total) = (id, done, all)
        case .nodeChanged(let id): (sessionID, conversationID) = (id, id)
        case .error(let presentation): error = presentation
        case .unknownSender, .contactsChanged, .conversationsChanged, .connectionChanged, .syncChanged,
            .nodeDiscovered, .deviceChanged, .notificationsChanged, .navigationRequested:
            break
        }
    }

    private init(number: UInt64, kind: String) {
        self.number = number
        self.kind = kind
    }
}

extension MessageEvent {
    /// The name of the case, for pages.
    public var kind: String {
        switch self {
        case .directMessageReceived: "directMessageReceived"
        case .channelMessageReceived: "channelMessageReceived"
        case .roomMessageReceived: "roomMessageReceived"
        case .messageStatusUpdated: "messageStatusUpdated"
        case .messageFailed: "messageFailed"
        case .messageRetrying: "messageRetrying"
        case .routingChanged: "routingChanged"
        case .unknownSender: "unknownSender"
        case .error: "error"
        case .messageChanged: "messageChanged"
        case .postChanged: "postChanged"
        case .contactsChanged: "contactsChanged"
        case .conversationsChanged: "conversationsChanged"
        case .connectionChanged: "connectionChanged"
        case .syncChanged: "syncChanged"
        case .imageProgressed: "imageProgressed"
        case .nodeChanged: "nodeChanged"
        case .nodeDiscovered: "nodeDiscovered"
        case .deviceChanged: "deviceChanged"
        case .notificationsChanged: "notificationsChanged"
        case .navigationRequested: "navigationRequested"
        }
    }

    /// True when a message has come in.
    var isNewMessage: Bool {
        switch self {
        case .directMessageReceived, .channelMessageReceived, .roomMessageReceived: true
        default: false
        }
    }
}
