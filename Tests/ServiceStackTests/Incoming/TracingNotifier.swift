import Foundation
import PocketMeshServices
import StackTestSupport

/// Notifications that only write down that they were asked for.
@MainActor
final class TracingNotifier: MessageNotifying {
    let trace: Notes<String>
    /// Looked at whenever a message is notified: what the store says then.
    var look: (@Sendable () async -> String)?

    nonisolated init(_ trace: Notes<String>) {
        self.trace = trace
    }

    func setLook(_ look: @escaping @Sendable () async -> String) { self.look = look }

    private func add(_ text: String) async {
        if let look { trace.add(await look()) }
        trace.add(text)
    }

    func postDirectMessageNotification(
        from contactName: String, contactID: UUID, messageText: String, messageID: UUID
    ) async {
        await add("notification \(contactName): \(messageText)")
    }

    func postChannelMessageNotification(
        channelName: String, channelIndex: UInt8, deviceID: UUID, senderName: String?, messageText: String,
        messageID: UUID
    ) async {
        await add("notification \(channelName), \(senderName ?? "nobody"): \(messageText)")
    }

    func postRoomMessageNotification(
        roomName: String, sessionID: UUID, authorName: String, messageText: String, messageID: UUID
    ) async {
        await add("notification \(roomName), \(authorName): \(messageText)")
    }

    func postNewContactNotification(contactName: String, contactID: UUID) async {
        trace.add("new contact \(contactName)")
    }

    func updateBadgeCount() { trace.add("badge") }

    func beginBurst() { trace.add("burst begins") }

    func endBurst() async { trace.add("burst ends") }
}
