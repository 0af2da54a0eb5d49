import PocketMeshServices

/// What alice's stack has stored when the hour is over.
struct HourBooks: Sendable {
    /// A conversation with what the store counts for it.
    struct Conversation<Row: Sendable>: Sendable {
        var rows: [Row] = []
        var unread = 0
    }

    /// By peer.
    var contacts: [Conversation<MessageDTO>] = []
    /// By channel.
    var channels: [Conversation<MessageDTO>] = []
    /// By room.
    var rooms: [Conversation<RoomMessageDTO>] = []
    /// Messages of which nobody knows the sender or the channel.
    var strangers: [MessageDTO] = []
    /// Sends that are still to be made.
    var queued = 0
    /// How the connection stood at the end.
    var connectionState = ""
    /// Times that the link was lost, and that it was ready again.
    var losses = 0
    var readies = 0
    /// Errors that alice saw when she sent something, by code.
    var errors: [String: Int] = [:]
}
