public import FoundationEssentials
public import MeshPacket

/// A message of a conversation with a contact or on a channel.
public struct MessageDTO: Sendable, Hashable, Identifiable {
    public var id: UUID
    /// The radio over which it goes.
    public var deviceID: UUID
    /// The contact; `nil` for channel messages, and for direct ones with an unknown sender.
    public var contactID: UUID?
    /// The channel by its secret; `nil` for direct messages, and for slots that are not known.
    public var channelID: UUID?
    /// The slot of its channel; nil for a message with a contact.
    public var channelIndex: UInt8?
    /// The text of the message.
    public var text: String
    /// The sender's clock.
    public var timestamp: UInt32
    /// The host's clock when the message was received or composed.
    @WholeSeconds public var createdAt: Date
    /// The place in the conversation, given by the store: the order of arrival. 0 before the message is stored.
    public var receivedOrder: Int64
    /// The direction: a message that we send, or one that we receive.
    public var direction: MessageDirection
    /// The status of its delivery.
    public var status: MessageStatus
    /// The type of the text.
    public var textType: TextType
    /// The kind of content: a text or a picture.
    public var kind: MessageKind
    /// The code that confirms the last attempt.
    public var ackCode: UInt32?
    /// The path length byte of the packet; FF when it was routed directly.
    public var pathLength: UInt8
    /// The SNR in decibels.
    public var snr: Double?
    /// The first 6 bytes of the sender's key.
    public var senderKeyPrefix: Data?
    /// The name before the colon of a channel message; nothing proves it.
    public var senderNodeName: String?
    /// True when the user has seen the message.
    public var isRead: Bool
    /// The message that it answers, where that is known.
    public var replyToID: UUID?
    /// The round trip in milliseconds.
    public var roundTripTime: UInt32?
    /// The number of its repeats that were heard.
    public var heardRepeats: Int
    /// The number of its latest attempt, counted from 0.
    public var retryAttempt: Int
    /// The number of attempts after which it is given up.
    public var maxRetryAttempts: Int
    /// See `DeduplicationKey`; messages without a key are never duplicates.
    public var deduplicationKey: String?

    public init(
        id: UUID, deviceID: UUID, contactID: UUID? = nil, channelID: UUID? = nil, channelIndex: UInt8? = nil,
        text: String, timestamp: UInt32, createdAt: Date, receivedOrder: Int64 = 0, direction: MessageDirection,
        status: MessageStatus, textType: TextType = .plain, kind: MessageKind = .text, ackCode: UInt32? = nil,
        pathLength: UInt8 = 0, snr: Double? = nil, senderKeyPrefix: Data? = nil, senderNodeName: String? = nil,
        isRead: Bool = false, replyToID: UUID? = nil, roundTripTime: UInt32? = nil, heardRepeats: Int = 0,
        retryAttempt: Int = 0, maxRetryAttempts: Int = 0, deduplicationKey: String? = nil
    ) {
        self.id = id
        self.deviceID = deviceID
        self.contactID = contactID
        self.channelID = channelID
        self.channelIndex = channelIndex
        self.text = text
        self.timestamp = timestamp
        self.createdAt = createdAt
        self.receivedOrder = receivedOrder
        self.direction = direction
        self.status = status
        self.textType = textType
        self.kind = kind
        self.ackCode = ackCode
        self.pathLength = pathLength
        self.snr = snr
        self.senderKeyPrefix = senderKeyPrefix
        self.senderNodeName = senderNodeName
        self.isRead = isRead
        self.replyToID = replyToID
        self.roundTripTime = roundTripTime
        self.heardRepeats = heardRepeats
        self.retryAttempt = retryAttempt
        self.maxRetryAttempts = maxRetryAttempts
        self.deduplicationKey = deduplicationKey
    }

    /// True for a message that we send.
    public var isOutgoing: Bool { direction == .outgoing }
    /// True for a message on a channel.
    public var isChannelMessage: Bool { channelIndex != nil }
    /// True while the message is still on its way to the air.
    public var isPending: Bool { status == .pending || status == .sending || status == .retrying }
    /// True when the message was given up.
    public var hasFailed: Bool { status == .failed }
    /// The sender's clock as a date.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(timestamp)) }
    /// The date to show: the sender's, unless its clock must be wrong because it is far ahead.
    public var shownDate: Date { date.timeIntervalSince(createdAt) > Self.clockLead ? createdAt : date }
    /// The greatest lead of a sender's clock for which its date is shown, in seconds.
    private static let clockLead: TimeInterval = 300
    /// The SNR as it travels, in quarter decibels.
    public var snrQuarterDB: Int8? {
        snr.flatMap { Int8(exactly: ($0 * 4).rounded()) }
    }
}

extension MessageDTO: StoredRow {
    static let table = "message"
    static let columns = walkedColumns()

    init() {
        self.init(
            id: .none, deviceID: .none, text: "", timestamp: 0, createdAt: Date(timeIntervalSince1970: 0),
            direction: .incoming, status: .pending)
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("deviceID", &deviceID)
        w.column("contactID", &contactID)
        w.column("channelID", &channelID)
        w.column("channelIndex", &channelIndex)
        w.column("text", &text)
        w.column("timestamp", &timestamp)
        w.column("createdAt", &createdAt)
        w.assigned("receivedOrder", &receivedOrder)
        w.column("direction", &direction)
        w.column("status", &status)
        w.column("textType", &textType.rawValue)
        w.column("kind", &kind)
        w.column("ackCode", &ackCode)
        w.column("pathLength", &pathLength)
        w.column("snr", &snr)
        w.column("senderKeyPrefix", &senderKeyPrefix)
        w.column("senderNodeName", &senderNodeName)
        w.column("isRead", &isRead)
        w.column("replyToID", &replyToID)
        w.column("roundTripTime", &roundTripTime)
        w.column("heardRepeats", &heardRepeats)
        w.column("retryAttempt", &retryAttempt)
        w.column("maxRetryAttempts", &maxRetryAttempts)
        w.column("deduplicationKey", &deduplicationKey)
    }
}
