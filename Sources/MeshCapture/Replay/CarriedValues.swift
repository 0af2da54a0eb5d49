/// Values that one side has chosen otherwise than in the recording, to be carried over wherever they come back.
struct CarriedValues: Sendable {
    /// Of more values, the older half is forgotten.
    private let limit: Int
    private var values: [(recorded: [UInt8], seen: [UInt8])] = []

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { values.isEmpty }

    /// Learns what stands at the same place of two frames; nothing where one of them ends before.
    mutating func learn(_ recorded: [UInt8], _ seen: [UInt8], at place: Range<Int>) {
        guard recorded.count >= place.upperBound, seen.count >= place.upperBound else { return }
        if values.count >= limit { values.removeFirst(limit / 2) }
        values.append(([UInt8](recorded[place]), [UInt8](seen[place])))
    }

    /// Puts the value that was seen last in the place of a recorded one.
    func carry(into frame: inout [UInt8], at place: Range<Int>) {
        guard frame.count >= place.upperBound,
            let value = values.last(where: { $0.recorded.elementsEqual(frame[place]) })
        else { return }
        frame.replaceSubrange(place, with: value.seen)
    }

    /// Returns whether this is one of the values that were seen.
    func haveSeen(_ value: ArraySlice<UInt8>) -> Bool { values.contains { $0.seen.elementsEqual(value) } }
}

/// The lead of a clock over the recorded one.
struct ClockLead: Hashable, Sendable {
    static let none = ClockLead(seconds: 0)

    private let seconds: Int64

    private init(seconds: Int64) {
        self.seconds = seconds
    }

    /// From two readings, in Unix seconds; a difference within the tolerance is none.
    init(recorded: UInt32, seen: UInt32, tolerance: Int64 = 0) {
        let lead = Int64(seen) - Int64(recorded)
        seconds = abs(lead) > tolerance ? lead : 0
    }

    /// A recorded reading as this clock has it.
    func carried(_ epoch: UInt32) -> UInt32 { UInt32(clamping: Int64(epoch) + seconds) }
}
