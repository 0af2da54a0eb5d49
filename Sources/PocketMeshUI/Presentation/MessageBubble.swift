public import FoundationEssentials
import MeshWire
import PocketMeshServices

/// The side on which a message stands.
public enum MessageSide: String, Codable, Sendable, Hashable {
    case incoming, outgoing
}

/// An action that a user can choose on a message.
public enum MessageAction: String, Codable, Sendable, Hashable, CaseIterable {
    case reply, details, retry, deleteQueued, delete, cancelImage
}

/// A message as a page shows it; the same for contacts and channels.
public struct MessageBubble: Codable, Sendable, Hashable, Identifiable {
    /// The message row.
    public var id: UUID
    /// Places it among the others; for the page before it.
    public var order: Int64
    /// The side of the bubble.
    public var side: MessageSide
    /// The text itself; never markup. Empty for a picture.
    public var text: String
    /// The sender of the message; `nil` for own messages.
    public var sender: String?
    /// The sender's mark; `nil` for own messages.
    public var avatar: NodeAvatar?
    /// The time line above it.
    public var timestamp: MessageTimestamp
    /// The delivery of an own message; `nil` for those that came.
    public var status: DeliveryStatus?
    /// The message that it answers, as far as that is kept.
    public var quote: MessageQuote?
    /// True when a picture belongs to the message.
    public var isImage: Bool
    /// The progress of the picture; `nil` when it is whole.
    public var imageProgress: ImageTransferProgress?
    /// The small line: route and signal.
    public var metadata: String
    /// The actions that the message offers.
    public var actions: [MessageAction]
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String
}

/// The message that another one answers.
public struct MessageQuote: Codable, Sendable, Hashable {
    /// The message.
    public var messageID: UUID
    /// The author of the answered message.
    public var sender: String
    /// The beginning of it.
    public var text: String
}

/// The progress of a picture.
public struct ImageTransferProgress: Codable, Sendable, Hashable {
    /// The number of chunks that came, or that the radio accepted.
    public var done: Int
    /// All chunks.
    public var total: Int
    /// The progress from 0 to 1.
    public var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }
}

/// A picture of which some chunks have come, in the place where it will stand.
public struct IncomingPicture: Codable, Sendable, Hashable, Identifiable {
    /// The transfer; the message of the picture has an ID of its own.
    public var id: UUID
    /// The progress of the picture.
    public var progress: ImageTransferProgress

    init(_ image: IncomingImage) {
        id = image.id
        progress = ImageTransferProgress(done: image.received, total: image.total)
    }
}

/// The cost of a picture before it is sent.
public struct PictureCost: Codable, Sendable, Hashable {
    /// The bytes of the picture as it will be sent.
    public var bytes: Int
    /// The chunks in which it goes.
    public var chunks: Int
    /// Repeaters on the way.
    public var hops: Int
    /// The time for which it occupies the air, relays included, in seconds.
    public var airtime: Int
    /// The time until it arrives when nothing is lost, in seconds.
    public var duration: Int
    /// The question for the user; `nil` without a repeater, where a picture costs others little.
    public var question: String?

    /// Makes the cost of a plan.
    public init(_ plan: ImagePlan, bytes: Int) {
        self.bytes = bytes
        (chunks, hops) = (plan.chunks, plan.hops)
        airtime = Int(wholePart: plan.airtime / .seconds(1)) + 1
        duration = Int(wholePart: plan.duration / .seconds(1)) + 1
        guard hops > 0 else { return }
        question = Texts.string(
            .imageQuestion, Texts.counted(hops, .routeHops), Texts.counted(chunks, .imageChunks),
            Measures.duration(seconds: UInt32(clamping: airtime)),
            Measures.duration(seconds: UInt32(clamping: duration)))
    }
}

/// The details of a message.
public struct MessageDetails: Codable, Sendable, Hashable {
    /// One row: its name, and its value.
    public struct Row: Codable, Sendable, Hashable {
        /// The name of the value.
        public var label: String
        /// The value as text.
        public var value: String
        /// The moment that the value names, in seconds since 1970; a page says how long ago it was.
        public var date: Double?

        init(label: String, value: String, date: Double? = nil) {
            (self.label, self.value, self.date) = (label, value, date)
        }

        /// Name and value in one line.
        package var text: String { "\(label): \(value)" }
    }

    /// The message row.
    public var messageID: UUID
    /// The known facts about the message, in order.
    public var rows: [Row]
    /// The way of the message; `nil` where nothing is known of it.
    public var way: MessageWay?

    init(_ message: MessageDTO, sender: String, style: PresentationStyle) {
        messageID = message.id
        var rows: [(TextKey, String)] = [(.detailSender, sender), (.detailSent, style.dateAndTime(message.shownDate))]
        if message.isOutgoing {
            rows.append((.detailStatus, DeliveryStatus(message).detail))
            if let time = message.roundTripTime {
                rows.append((.detailRoundTrip, Measures.seconds(milliseconds: time)))
            }
            if message.heardRepeats > 0 { rows.append((.detailRepeats, "\(message.heardRepeats)")) }
            if message.maxRetryAttempts > 0 {
                rows.append((.detailAttempts, "\(message.retryAttempt + 1) / \(message.maxRetryAttempts + 1)"))
            }
        } else {
            rows.append((.detailReceived, style.dateAndTime(message.createdAt)))
            rows.append((.detailRoute, Measures.route(pathLength: message.pathLength)))
            if let snr = message.snr { rows.append((.detailSNR, Measures.snr(snr))) }
            if let prefix = message.senderKeyPrefix { rows.append((.detailKey, Measures.hex(prefix))) }
        }
        self.rows = rows.map { Row(label: Texts.string($0.0), value: $0.1) }
    }
}

extension MessageBubble {
    /// Returns the author of a message of a conversation.
    static func sender(of message: MessageDTO, in conversation: Conversation) -> String {
        author(isSelf: message.isOutgoing, name: message.senderNodeName ?? conversation.contact?.displayName)
    }

    /// The word for the author of a message or a post.
    package static func author(isSelf: Bool, name: String?) -> String {
        isSelf ? Texts.string(.senderSelf) : name ?? Texts.string(.senderUnknown)
    }

    /// The small line about the way of a message that came: route and signal.
    package static func metadata(of message: MessageDTO) -> String {
        [Measures.route(pathLength: message.pathLength), message.snr.map(Measures.snr)].compactMap(\.self)
            .joined(separator: " · ")
    }

    /// A message as a page shows it, below the message before it.
    init(
        _ message: MessageDTO, in conversation: Conversation, after previous: Date?, quoted: MessageDTO?,
        progress: ImageTransferProgress?, style: PresentationStyle
    ) {
        id = message.id
        order = message.receivedOrder
        side = message.isOutgoing ? .outgoing : .incoming
        isImage = message.kind == .image
        text = isImage ? "" : message.text
        let sender = Self.sender(of: message, in: conversation)
        if !message.isOutgoing {
            self.sender = sender
            avatar =
                conversation.contact.map { NodeAvatar($0) }
                ?? NodeAvatar(name: sender, key: Data(sender.utf8), kind: .chat)
        }
        timestamp = MessageTimestamp(message.shownDate, after: previous, style: style)
        status = message.isOutgoing ? DeliveryStatus(message) : nil
        quote = quoted.map {
            MessageQuote(
                messageID: $0.id, sender: Self.sender(of: $0, in: conversation), text: String($0.text.prefix(80)))
        }
        imageProgress = progress
        metadata = message.isOutgoing ? "" : Self.metadata(of: message)
        actions = Self.actions(for: message)
        accessibilityLabel = Texts.string(
            .bubbleAccessibility, sender, isImage ? Texts.string(.image) : message.text,
            style.time(message.shownDate), status?.label ?? "")
    }

    private static func actions(for message: MessageDTO) -> [MessageAction] {
        var actions: [MessageAction] = [.reply, .details]
        guard message.isOutgoing else { return actions + [.delete] }
        if message.kind == .image, message.isPending { return [.details, .cancelImage] }
        switch message.status {
        case .pending: actions += [.deleteQueued]
        case .failed: actions += [.retry, .delete]
        case .sent, .delivered: actions += [.delete]
        case .sending, .retrying: break
        }
        return actions
    }
}
