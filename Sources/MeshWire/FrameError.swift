/// The reason for which bytes make no sense, and the place: the field by the firmware's name and its offset in the
/// frame.
public struct FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault of a field.
    public enum Reason: Hashable, Sendable {
        /// The frame ends inside the field.
        case truncated(needed: Int, left: Int)
        /// The value is outside the protocol's range.
        case outOfRange(value: Int64, allowed: ClosedRange<Int64>)
        /// The field holds more bytes than the protocol allows.
        case tooLong(count: Int, limit: Int)
        /// The value is reserved or impossible; the text has the reason.
        case invalid(String)
        /// A frame, payload or sub-type of an unknown number.
        case unknownCode(UInt8)
    }

    /// The firmware's name for the field.
    public let field: String
    /// The offset of the field, in bytes from the start of the frame.
    public let offset: Int
    /// The fault of the field.
    public let reason: Reason

    public init(field: String, offset: Int, reason: Reason) {
        self.field = field
        self.offset = offset
        self.reason = reason
    }

    public var description: String {
        let what =
            switch reason {
            case .truncated(let needed, let left): "needs \(needed) bytes, \(left) left"
            case .outOfRange(let value, let allowed):
                "is \(value), allowed are \(allowed.lowerBound)...\(allowed.upperBound)"
            case .tooLong(let count, let limit): "has \(count) bytes, at most \(limit) are allowed"
            case .invalid(let why): why
            case .unknownCode(let code): "0x" + [code].hex + " is not a known code"
            }
        return "\(field) at offset \(offset): \(what)"
    }
}
