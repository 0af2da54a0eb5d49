extension RecordingEntry {
    /// The allowed distance of bytes from those of a line when a recording is played again.
    ///
    /// No recorder writes it: only the author of an expectation knows what no two runs have in common.
    public struct Tolerance: Hashable, Sendable {
        /// Bytes with any value, counted from the first of the line, as in `any=9-33`.
        public var any: [ClosedRange<Int>] = []
        /// Bytes with any value in a packet's sealed content, counted in the plaintext: `sealed=4-7`.
        public var sealed: [ClosedRange<Int>] = []
        /// The allowed difference of the number behind the code of a frame, as in `within=1`; of four bytes, the
        /// lowest first.
        public var within: UInt32 = 0

        /// The same bytes, and no others.
        public static let none = Tolerance()

        public init() {}
    }
}

/// The place at which bytes depart from those of a line.
public enum ByteDifference: Hashable, Sendable {
    /// The first byte that is another one.
    case byte(Int)
    /// One side continues where the other ends.
    case length
    /// The number behind the code is off by more than this.
    case number(within: UInt32)
}

// MARK: Comparing

extension RecordingEntry.Tolerance {
    /// The first difference that is not tolerated, sealed bytes aside; `nil` without one.
    func difference(_ recorded: [UInt8], _ seen: [UInt8]) -> ByteDifference? {
        if within > 0, recorded.count == 5 {
            let isNear = seen.count == 5 && seen[0] == recorded[0] && Self.distance(recorded, seen) <= within
            return isNear ? nil : .number(within: within)
        }
        if let offset = Self.difference(recorded, seen, but: any) { return .byte(offset) }
        return recorded.count == seen.count ? nil : .length
    }

    /// The first byte in which two runs differ, as far as both go.
    static func difference(_ one: [UInt8], _ other: [UInt8], but free: [ClosedRange<Int>]) -> Int? {
        zip(one, other).enumerated().first { offset, pair in
            pair.0 != pair.1 && !free.contains { $0.contains(offset) }
        }?.offset
    }

    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> UInt {
        let numbers = [one, other].map { $0[1..<5].reversed().reduce(0) { $0 << 8 | Int($1) } }
        return (numbers[0] - numbers[1]).magnitude
    }
}

// MARK: Words of a line

extension RecordingEntry.Tolerance {
    /// The words behind the hex, each with a blank in front.
    var text: String {
        var text = ""
        if !any.isEmpty { text += " any=" + Self.text(of: any) }
        if !sealed.isEmpty { text += " sealed=" + Self.text(of: sealed) }
        if within > 0 { text += " within=\(within)" }
        return text
    }

    private static func text(of ranges: [ClosedRange<Int>]) -> String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Reads a word of a line; `false` when it is no tolerance.
    mutating func take(_ word: Substring) throws(RecordingEntry.Unreadable) -> Bool {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        switch parts[0] {
        case "any": any = try Self.ranges(parts[1])
        case "sealed": sealed = try Self.ranges(parts[1])
        case "within":
            guard let bound = UInt32(parts[1]) else { throw .init(reason: "'\(parts[1])' is no number") }
            within = bound
        default: return false
        }
        return true
    }

    private static func ranges(_ text: Substring) throws(RecordingEntry.Unreadable) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
            guard 1...2 ~= bounds.count, let first = bounds[0], let last = bounds[bounds.count - 1], first <= last
            else { throw .init(reason: "'\(text)' names no bytes: '4,9-33' does") }
            ranges.append(Int(first)...Int(last))
        }
        return ranges
    }

    /// Returns the reason for which these words cannot stand behind that event; `nil` when they can.
    func objection(to event: RecordingEntry.Event) -> String? {
        switch event {
        case .frame(_, let bytes):
            if !sealed.isEmpty { return "'sealed' is for packets on the air" }
            return within > 0 && bytes.count != 5 ? "'within' is for a code and four bytes" : nil
        case .packet: return within > 0 ? "'within' is for frames" : nil
        case .connected, .disconnected, .problem, .turn: return nil
        }
    }
}
