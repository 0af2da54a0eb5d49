/// The lengths that a frame from the radio can have, code byte included.
public struct FrameLength: Hashable, Sendable {
    /// In 1.17.1.
    public let ranges: [ClosedRange<Int>]
    /// The lengths that older releases send besides.
    public let earlier: [Int]

    static func exactly(_ count: Int, earlier: [Int] = []) -> FrameLength {
        FrameLength(ranges: [count...count], earlier: earlier)
    }

    static func oneOf(_ counts: [Int], earlier: [Int] = []) -> FrameLength {
        FrameLength(ranges: counts.map { $0...$0 }, earlier: earlier)
    }

    static func within(_ range: ClosedRange<Int>) -> FrameLength {
        FrameLength(ranges: [range], earlier: [])
    }

    /// Returns whether this release can send a frame of that length.
    public func contains(_ count: Int) -> Bool {
        ranges.contains { $0.contains(count) }
    }
}

extension FrameLength: CustomStringConvertible {
    public var description: String {
        if ranges.count > 4, let first = ranges.first, let last = ranges.last {
            return "\(first.lowerBound), \(ranges[1].lowerBound), … \(last.upperBound)"
        }
        let now = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)…\($0.upperBound)" }
            .joined(separator: ", ")
        return earlier.isEmpty ? now : now + " (earlier \(earlier.map(String.init).joined(separator: ", ")))"
    }
}
