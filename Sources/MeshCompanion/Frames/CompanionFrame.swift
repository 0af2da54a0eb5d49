public import MeshWire

/// Any frame, decoded through the table: for tools, tests and recorders.
///
/// A program that knows which frames it deals with calls `init(decoding:)` of their types instead, and pays for no box.
public enum CompanionFrame: Sendable {
    /// A frame whose code the table knows and whose fields could be read.
    case known(any CodedFrame)
    /// A frame whose code this release does not have, with all its bytes.
    case unknown([UInt8])

    /// Decodes a frame from an app.
    public static func command(_ bytes: [UInt8]) throws(FrameError) -> CompanionFrame {
        guard let code = CommandCode(rawValue: try firstByte(bytes)) else { return .unknown(bytes) }
        return .known(try decode(code.row.frame, bytes))
    }

    /// Decodes a frame from a radio, response or push.
    public static func fromRadio(_ bytes: [UInt8]) throws(FrameError) -> CompanionFrame {
        guard let code = RadioCode(try firstByte(bytes)) else { return .unknown(bytes) }
        return .known(try decode(code.frame, bytes))
    }

    /// The frame as bytes again, without what stood behind its last field.
    public var encoded: [UInt8] {
        switch self {
        case .known(let frame): frame.encoded()
        case .unknown(let bytes): bytes
        }
    }

    static func firstByte(_ bytes: [UInt8]) throws(FrameError) -> UInt8 {
        guard let first = bytes.first else {
            throw FrameError(field: "code", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        return first
    }

    private static func decode(_ type: any CodedFrame.Type, _ bytes: [UInt8]) throws(FrameError) -> any CodedFrame {
        func decode<F: CodedFrame>(_ type: F.Type) throws(FrameError) -> any CodedFrame { try F(decoding: bytes) }
        return try decode(type)
    }
}
