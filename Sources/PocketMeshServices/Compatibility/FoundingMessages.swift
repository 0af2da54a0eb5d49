public import FoundationEssentials
import MeshCompanion
public import MeshCore
public import MeshPacket
import MeshWire

// Messages as the handlers of the founding Sync Guide read them. New code reads those of MeshCore.

/// A text, a post or the answer to a command line, with the properties of the founding Sync Guide.
public struct FoundingContactMessage: Hashable, Sendable {
    /// The first 6 bytes of the sender's key.
    public let senderPublicKeyPrefix: Data
    /// The time by the sender's clock, in whole seconds.
    public let senderTimestamp: Date
    /// The text, with replacement characters for bytes that are no UTF-8.
    public let text: String
    /// The number of the text's type.
    public let textType: FoundingTextType
    /// The path length as it came, hash size in its upper bits; 255 for a message that came directly.
    public let pathLength: UInt8
    /// The signal-to-noise ratio in decibels; `nil` where the radio does not report it.
    public let snr: Double?
    /// The first 4 bytes of the author's key of a post in a room; `nil` for other texts.
    public let signature: Data?

    /// Copies a message as the session received it.
    public init(_ received: ReceivedContactMessage) {
        let message = received.message
        senderPublicKeyPrefix = Data(message.publicKeyPrefix.array)
        senderTimestamp = Date(timeIntervalSince1970: TimeInterval(message.timestamp))
        text = message.text.string
        textType = FoundingTextType(rawValue: message.textType.rawValue)
        pathLength = message.pathLength.rawValue
        snr = received.snr.map { Double($0) / 4 }
        signature = message.textType == .signedPlain ? Data(message.authorPrefix.array) : nil
    }
}

/// A text on a channel, with the properties of the founding Sync Guide.
public struct FoundingChannelMessage: Hashable, Sendable {
    /// The slot, counted from 0.
    public let channelIndex: UInt8
    /// The time by the sender's clock, in whole seconds.
    public let senderTimestamp: Date
    /// The text with the sender's name before it, as it came.
    public let text: String
    /// The number of the text's type.
    public let textType: FoundingTextType
    /// The path length as it came, hash size in its upper bits.
    public let pathLength: UInt8
    /// The signal-to-noise ratio in decibels; `nil` where the radio does not report it.
    public let snr: Double?

    /// Copies a message as the session received it.
    public init(_ received: ReceivedChannelMessage) {
        let message = received.message
        channelIndex = message.channelIndex
        senderTimestamp = Date(timeIntervalSince1970: TimeInterval(message.timestamp))
        text = message.text.string
        textType = FoundingTextType(rawValue: message.textType.rawValue)
        pathLength = message.pathLength.rawValue
        snr = received.snr.map { Double($0) / 4 }
    }
}

/// The number of a text's type, which `TextType` may not know.
public struct FoundingTextType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

extension TextType {
    /// The type of this number; `nil` for one that the founding documents do not have.
    public init?(rawValue: FoundingTextType) {
        let type = TextType(rawValue: rawValue.rawValue)
        guard [.plain, .cliData, .signedPlain].contains(type) else { return nil }
        self = type
    }
}
