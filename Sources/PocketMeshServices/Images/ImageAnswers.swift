import FoundationEssentials

/// The reports about pictures that are complete: each for a chunk that came once more. Knows neither a clock nor a
/// store.
///
/// A sender that asks again has not heard the report. But nothing proves who sends a chunk, and each report occupies
/// the air. So the reports about a picture keep a growing distance, and are counted.
///
///     chunks   -c-c-c-c-c-c-c-c-c-c-c-c-c-c-
///     reports  -r-r---r---r-----r-------r---   up to the limit
struct ImageAnswers: Sendable {
    private struct Record {
        let contactID: UUID
        let total: Int
        var count = 0
        /// No report is due before.
        var next: Duration = .zero
        var distance = ImageAnswers.shortest
    }

    /// The greatest number of reports about a picture, beside the one at its end.
    static let limit = 24
    /// The distance after the first report; each further one is a fifth longer.
    static let shortest: Duration = .seconds(1)
    /// Pictures that are remembered.
    static let pictures = 64

    private var records: [ImageAssembly.Key: Record] = [:]
    /// The keys of `records`, the oldest first.
    private var order: [ImageAssembly.Key] = []

    /// Notes that a picture of a contact is stored.
    mutating func note(_ key: ImageAssembly.Key, from contactID: UUID, total: Int) {
        if records[key] == nil {
            order.append(key)
            if order.count > Self.pictures { records[order.removeFirst()] = nil }
        }
        records[key] = Record(contactID: contactID, total: total)
    }

    /// The contact that sent a picture; `nil` for one that is not complete.
    func contact(of key: ImageAssembly.Key) -> UUID? { records[key]?.contactID }

    /// Returns whether a chunk of a complete picture is answered now, and counts the report then.
    mutating func isDue(_ key: ImageAssembly.Key, total: Int, at now: Duration) -> Bool {
        guard var record = records[key], record.total == total, record.count < Self.limit, now >= record.next else {
            return false
        }
        record.count += 1
        record.next = now + record.distance
        record.distance = record.distance * 6 / 5
        records[key] = record
        return true
    }

    mutating func removeAll() { (records, order) = ([:], []) }
}
