/// The part of the firmware's dispatch that checks more than the code: a frame that fails it is not that command.
public struct DispatchRule: Hashable, Sendable {
    /// The lengths that are recognised, code byte included; `nil` when the firmware does not check the length.
    public let lengths: [ClosedRange<Int>]?
    /// The values that the byte behind the code may have; `nil` when any will do.
    public let firstByte: ClosedRange<UInt8>?
    /// The radio's answer to a frame that the rule does not admit.
    public let refusal: ErrorCode

    /// The length is not looked at; fields behind the end of a short frame are read from the receive buffer.
    static let unchecked = DispatchRule(lengths: nil, firstByte: nil, refusal: .unsupportedCmd)

    static func atLeast(
        _ count: Int, firstByte: ClosedRange<UInt8>? = nil, otherwise refusal: ErrorCode = .unsupportedCmd
    ) -> DispatchRule {
        DispatchRule(lengths: [count...CompanionLimits.frame], firstByte: firstByte, refusal: refusal)
    }

    static func lengths(_ lengths: [ClosedRange<Int>]) -> DispatchRule {
        DispatchRule(lengths: lengths, firstByte: nil, refusal: .unsupportedCmd)
    }

    /// The shortest frame that is let through.
    public var minimum: Int { lengths?.map(\.lowerBound).min() ?? 1 }

    /// Returns whether a frame of `length` bytes whose second byte is `firstByte` is admitted.
    public func admits(length: Int, firstByte byte: UInt8) -> Bool {
        if let lengths, !lengths.contains(where: { $0.contains(length) }) { return false }
        if let firstByte, !firstByte.contains(byte) { return false }
        return true
    }

    /// Returns whether the frame, code byte included, is admitted.
    public func admits(_ frame: [UInt8]) -> Bool {
        admits(length: frame.count, firstByte: frame.count > 1 ? frame[1] : 0)
    }
}

extension DispatchRule: CustomStringConvertible {
    public var description: String {
        guard let lengths else { return "any length" }
        let texts = lengths.map { range in
            range.upperBound == CompanionLimits.frame
                ? "≥ \(range.lowerBound)"
                : range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
        }
        var text = texts.joined(separator: " or ")
        if let firstByte {
            text +=
                firstByte.count == 1
                ? ", byte 1 = \(firstByte.lowerBound)"
                : ", byte 1 in \(firstByte.lowerBound)…\(firstByte.upperBound)"
        }
        return refusal == .unsupportedCmd ? text : text + ", else \(refusal)"
    }
}
