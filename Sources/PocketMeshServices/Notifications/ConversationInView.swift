import FoundationEssentials

/// The conversation in view: no banner for it.
struct ConversationInView {
    var contactID: UUID?
    var channelIndex: UInt8?
    /// The radio of the channel.
    var channelDeviceID: UUID?
    var roomSessionID: UUID?

    func isContact(_ id: UUID) -> Bool { contactID == id }

    func isChannel(_ index: UInt8, of deviceID: UUID) -> Bool {
        channelIndex == index && channelDeviceID == deviceID
    }

    func isRoom(_ id: UUID) -> Bool { roomSessionID == id }
}
