public import MeshCompanion

/// The result of a request to the radio's queue.
public enum MessageResult: Equatable, Sendable {
    /// A text from a contact.
    case contactMessage(ReceivedContactMessage)
    /// A text on a channel.
    case channelMessage(ReceivedChannelMessage)
    /// A datagram on a channel.
    case channelDatagram(Resp.ChannelDataRecv)
    case noMoreMessages

    init(_ reply: NextMessage) {
        self =
            switch reply {
            case .contact(let frame): .contactMessage(.init(message: frame.message, snr: nil))
            case .contactV3(let frame): .contactMessage(.init(message: frame.message, snr: frame.snr))
            case .channel(let frame): .channelMessage(.init(message: frame.message, snr: nil))
            case .channelV3(let frame): .channelMessage(.init(message: frame.message, snr: frame.snr))
            case .channelData(let frame): .channelDatagram(frame)
            case .none: .noMoreMessages
            }
    }
}
