/// The last eight texts whose acknowledgement is awaited: a ring that nothing expires from.
///
/// A match empties its entry, and an acknowledgement of value 0 matches an empty one (CMP-122, CMP-123;
/// the quirk `zero-ack-confirms`).
public struct ExpectedAcks: Sendable {
    /// `EXPECTED_ACK_TABLE_SIZE`.
    public static let capacity = 8

    struct Entry {
        var ack: UInt32 = 0
        var sentAtMilliseconds: UInt32 = 0
        /// The contact's slot when the text was sent.
        var contact: Int?
    }

    private var entries: InlineArray<8, Entry> = .init(repeating: Entry())
    private var next = 0

    public init() {}

    /// Remembers a text; value 0 is never awaited.
    mutating func expect(_ ack: UInt32, contact: Int, atMilliseconds now: UInt32) {
        guard ack != 0 else { return }
        entries[next] = Entry(ack: ack, sentAtMilliseconds: now, contact: contact)
        next = (next + 1) % Self.capacity
    }

    /// The first entry with this value, which is emptied.
    mutating func take(_ ack: UInt32, matchingEmpty: Bool) -> Entry? {
        guard ack != 0 || matchingEmpty else { return nil }
        for index in 0..<Self.capacity where entries[index].ack == ack {
            let entry = entries[index]
            entries[index].ack = 0
            return entry
        }
        return nil
    }
}
