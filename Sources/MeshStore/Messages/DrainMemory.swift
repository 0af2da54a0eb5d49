import FoundationEssentials

/// The messages of the running drain, so that the store need not look for earlier messages of a sender.
///
/// It knows everything that was stored since its mark, or nothing. Rows from elsewhere show as gaps in the order of
/// arrival, and then it forgets.
struct DrainMemory {
    private struct Sender: Hashable {
        var thread: MessageThread
        var name: String?
    }

    private var mark: Int64?
    /// The place of the last row.
    private var last: Int64 = 0
    /// The latest time of each sender, by the sender's own clock.
    private var latest: [Sender: UInt32] = [:]

    /// Notes a new row. Whether nothing that came before in its drain, from its sender, is later.
    mutating func note(_ message: MessageDTO, at order: Int64, mark newMark: Int64?) -> Bool {
        if let newMark, newMark != mark || order != last + 1 {
            self = DrainMemory()
            guard order == newMark + 1 else { return false }
            mark = newMark
        } else if mark == nil || order != last + 1 {
            forget()
            return false
        }
        last = order
        guard message.direction == .incoming, let thread = MessageThread(message) else { return true }
        let sender = Sender(thread: thread, name: message.senderNodeName)
        return Self.raise(&latest[sender, default: 0], to: message.timestamp)
    }

    /// Raises a time to a new one, and returns whether it was not later.
    private static func raise(_ time: inout UInt32, to new: UInt32) -> Bool {
        guard time <= new else { return false }
        time = new
        return true
    }

    /// A transaction was undone, or rows may have been moved between conversations.
    mutating func forget() { self = DrainMemory() }
}
