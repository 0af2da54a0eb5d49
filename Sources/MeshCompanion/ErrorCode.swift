public import MeshWire

/// The reason for which the radio refused a command: the code in an ERR frame. Unknown codes are kept.
///
/// Source: firmware, `ERR_CODE_` in companion_radio; which command has which, in the article Protocol.
@frozen
public struct ErrorCode: RawRepresentable, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Unknown code, frame too short, or a sub-type, text type or route that is not supported.
    public static let unsupportedCmd = ErrorCode(rawValue: 1)
    /// Unknown contact, bad channel index, nothing stored; also a channel text that found no packet buffer.
    public static let notFound = ErrorCode(rawValue: 2)
    /// Contact table full, no packet buffer, or data too long.
    public static let tableFull = ErrorCode(rawValue: 3)
    /// A contact listing is running, or no signature was started.
    public static let badState = ErrorCode(rawValue: 4)
    /// The identity could not be stored.
    public static let fileIOError = ErrorCode(rawValue: 5)
    /// A value is out of range.
    public static let illegalArg = ErrorCode(rawValue: 6)

    /// The six codes that have a name.
    public static let named: [ErrorCode] = [
        .unsupportedCmd, .notFound, .tableFull, .badState, .fileIOError, .illegalArg,
    ]

    /// The constant as the firmware spells it, or `nil` for an unknown code.
    public var wireName: String? {
        switch self {
        case .unsupportedCmd: "ERR_CODE_UNSUPPORTED_CMD"
        case .notFound: "ERR_CODE_NOT_FOUND"
        case .tableFull: "ERR_CODE_TABLE_FULL"
        case .badState: "ERR_CODE_BAD_STATE"
        case .fileIOError: "ERR_CODE_FILE_IO_ERROR"
        case .illegalArg: "ERR_CODE_ILLEGAL_ARG"
        default: nil
        }
    }
}

extension ErrorCode: CustomStringConvertible {
    /// `ILLEGAL_ARG`, or the number of an unknown code.
    public var description: String {
        wireName.map { String($0.dropFirst("ERR_CODE_".count)) } ?? "error \(rawValue)"
    }
}
