public import Foundation

/// What whoever receives messages asks of the notifications.
@MainActor
public protocol MessageNotifying: AnyObject, Sendable {
    func postDirectMessageNotification(
        from contactName: String, contactID: UUID, messageText: String, messageID: UUID
    ) async
    func postChannelMessageNotification(
        channelName: String, channelIndex: UInt8, deviceID: UUID, senderName: String?, messageText: String,
        messageID: UUID
    ) async
    func postRoomMessageNotification(
        roomName: String, sessionID: UUID, authorName: String, messageText: String, messageID: UUID
    ) async
    func postNewContactNotification(contactName: String, contactID: UUID) async
    func updateBadgeCount()
    /// From now on messages are counted instead of shown.
    func beginBurst()
    /// Shows one summary of what was counted.
    func endBurst() async
}

extension NotificationService: MessageNotifying {}
