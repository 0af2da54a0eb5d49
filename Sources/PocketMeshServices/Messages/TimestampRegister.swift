/// Gives no two messages of equal text the same second.
///
/// A confirmation is computed from time, attempt, text and sender, and not from the recipient; relays distinguish
/// packets by the same. So equal texts of one second would be confused.
struct TimestampRegister {
    /// Messages that are remembered.
    static let limit = 256

    private var used: [(text: String, timestamp: UInt32)] = []

    /// Reserves the second of a message that is composed now, or the next one that is free.
    ///
    /// After the last one of 2106 comes the first of 1970.
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
