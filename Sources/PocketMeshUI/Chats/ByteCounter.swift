import PocketMeshServices

/// The used part of a message's room. Radios count bytes of UTF-8, not characters.
public struct ByteCounter: Codable, Sendable, Hashable {
    /// Bytes of the text.
    public var used: Int
    /// Bytes that fit.
    public var limit: Int
    /// Bytes that are left; negative when the text is too long.
    public var left: Int { limit - used }
    /// True when the text is too long.
    public var isOver: Bool { used > limit }
    /// True when the counter is shown: in the last fifth.
    public var isShown: Bool { used * 5 >= limit * 4 }
    /// True when the text can be sent.
    public var canSend: Bool { used > 0 && !isOver }
    /// The text of the counter: the bytes used, and the limit.
    public var text: String { "\(used) / \(limit)" }
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String {
        isOver ? Texts.counted(-left, .counterOver) : Texts.counted(left, .counterLeft)
    }

    /// The counter of a text.
    public init(_ text: String, limit: Int) {
        used = text.utf8.count
        self.limit = limit
    }
}

extension AppState {
    /// The longest text of a conversation, in bytes: on channels the radio puts its name in front.
    public func textLimit(of conversation: Conversation) -> Int {
        switch conversation {
        case .direct: profile.messages.directLimit
        case .channel:
            profile.messages.channelLimit(nameBytes: deviceName.utf8.count)
        case .room: RoomServerService.postLimit
        }
    }

    private var deviceName: String { connectedDevice?.nodeName ?? connectionManager.lastConnectedDeviceName ?? "" }
}
