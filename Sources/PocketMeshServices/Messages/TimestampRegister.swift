/// Gives no two messages of equal text the same second.
///
/// What confirms a message is made of its time, attempt, text and sender, and of nothing of its recipient; relays tell
/// packets apart by the same. So equal texts of one second would be taken for one another.
struct TimestampRegister {
    /// Messages that are remembered.
    static let limit = 256

    private var used: [(text: String, timestamp: UInt32)] = []

    /// The second for a message that is composed now, or the next one that is free; behind the last one of 2106 comes the
    /// first of 1970.
    mutating func reserve(_ text: String, at seconds: UInt32) -> UInt32 {
        var timestamp = seconds
        while used.contains(where: { $0.timestamp == timestamp && $0.text == text }) { timestamp &+= 1 }
        note(text, timestamp)
        return timestamp
    }

    /// A message that has its time already.
    mutating func note(_ text: String, _ timestamp: UInt32) {
        if used.count == Self.limit { used.removeFirst() }
        used.append((text, timestamp))
    }
}
