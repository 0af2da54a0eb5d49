/// A response that a command may have.
public protocol CommandReply: Sendable {
    /// The codes of all frames that can be this answer.
    static var replyCodes: [RadioCode] { get }
    /// The answer in a received frame, or `nil` when that frame is something else.
    init?(_ frame: any CodedFrame)
}

extension CommandReply where Self: CodedFrame {
    /// The frame itself when it has this type, else nil.
    public init?(_ frame: any CodedFrame) {
        guard let frame = frame as? Self else { return nil }
        self = frame
    }
}

/// The answer of commands that are not answered: the link drops instead.
public struct NoReply: CommandReply {
    public static var replyCodes: [RadioCode] { [] }

    public init?(_ frame: any CodedFrame) { nil }
}

/// One of two possible answers.
public enum EitherReply<First: CommandReply, Second: CommandReply>: CommandReply {
    /// The answer has the first type.
    case first(First)
    /// The answer has the second type.
    case second(Second)

    public static var replyCodes: [RadioCode] { First.replyCodes + Second.replyCodes }

    public init?(_ frame: any CodedFrame) {
        if let first = First(frame) {
            self = .first(first)
        } else if let second = Second(frame) {
            self = .second(second)
        } else {
            return nil
        }
    }
}

/// One frame of a contact listing.
public enum ContactListing: CommandReply {
    /// The listing begins, with the number of contacts that the radio holds.
    case start(Resp.ContactsStart)
    /// One contact of the listing.
    case contact(Resp.Contact)
    /// The listing is complete.
    case end(Resp.EndOfContacts)

    public static var replyCodes: [RadioCode] {
        [.response(.contactsStart), .response(.contact), .response(.endOfContacts)]
    }

    public init?(_ frame: any CodedFrame) {
        switch frame {
        case let frame as Resp.ContactsStart: self = .start(frame)
        case let frame as Resp.Contact: self = .contact(frame)
        case let frame as Resp.EndOfContacts: self = .end(frame)
        default: return nil
        }
    }
}

/// The oldest message of the radio's queue, in one of its five layouts, or none.
public enum NextMessage: CommandReply {
    /// A text from a contact, as apps below level 3 get it.
    case contact(Resp.ContactMsgRecv)
    /// A text on a channel, as apps below level 3 get it.
    case channel(Resp.ChannelMsgRecv)
    /// A text from a contact, with its SNR.
    case contactV3(Resp.ContactMsgRecvV3)
    /// A text on a channel, with its SNR.
    case channelV3(Resp.ChannelMsgRecvV3)
    /// A datagram on a channel.
    case channelData(Resp.ChannelDataRecv)
    /// The queue is empty.
    case none(Resp.NoMoreMessages)

    public static var replyCodes: [RadioCode] {
        [
            .response(.contactMsgRecv), .response(.channelMsgRecv), .response(.contactMsgRecvV3),
            .response(.channelMsgRecvV3), .response(.channelDataRecv), .response(.noMoreMessages),
        ]
    }

    public init?(_ frame: any CodedFrame) {
        switch frame {
        // The layouts that a radio sends to apps of today come first.
        case let frame as Resp.ContactMsgRecvV3: self = .contactV3(frame)
        case let frame as Resp.ChannelMsgRecvV3: self = .channelV3(frame)
        case let frame as Resp.ContactMsgRecv: self = .contact(frame)
        case let frame as Resp.ChannelMsgRecv: self = .channel(frame)
        case let frame as Resp.ChannelDataRecv: self = .channelData(frame)
        case let frame as Resp.NoMoreMessages: self = .none(frame)
        default: return nil
        }
    }
}

/// The radio's own telemetry is answered with a frame that is a push otherwise.
extension Push.TelemetryResponse: CommandReply {
    public static var replyCodes: [RadioCode] { [.push(.telemetryResponse)] }
}
