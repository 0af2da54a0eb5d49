public import MeshWire

/// A frame between app and radio: a code byte, and the fields behind it.
public protocol CodedFrame: FieldGroup {
    /// The first byte.
    static var codeByte: UInt8 { get }
    /// The firmware's constant for the code: `CMD_SET_RADIO_PARAMS`.
    static var wireName: String { get }
}

extension CodedFrame {
    /// The frame as bytes, unchecked: a value outside its range is written as it stands.
    @inlinable
    public func encoded() -> [UInt8] {
        var writer = FieldWriter()
        writer.output.append(Self.codeByte)
        var frame = self
        frame.walk(&writer)
        return writer.output
    }

    /// The frame as bytes, if a sender may send it: every value in its range, and not longer than a frame can be.
    public func checkedEncoding() throws(FrameError) -> [UInt8] {
        if let failure = rangeFailure(from: 1) { throw failure }
        let bytes = encoded()
        if bytes.count > CompanionLimits.frame {
            throw FrameError(
                field: Self.wireName, offset: 0, reason: .tooLong(count: bytes.count, limit: CompanionLimits.frame))
        }
        return bytes
    }

    /// Reads the fields behind the code byte; throws for the first that cannot be read.
    ///
    /// `frameEnd` is for radios, whose receive buffer continues behind a short frame. Required fields are then read
    /// from the buffer; optional ones end with the frame.
    @inlinable
    public mutating func read(_ memory: UnsafeRawBufferPointer, frameEnd: Int? = nil) -> FrameError? {
        guard memory.first == Self.codeByte else { return Self.wrongCode(memory) }
        var reader = FieldReader(memory, from: 1, frameEnd: frameEnd)
        walk(&reader)
        return reader.failure
    }

    /// Reads a frame from memory. Bytes behind the last field are ignored.
    @inlinable
    public init(decoding memory: UnsafeRawBufferPointer, frameEnd: Int? = nil) throws(FrameError) {
        self.init()
        if let failure = read(memory, frameEnd: frameEnd) { throw failure }
    }

    /// Reads a frame. Bytes behind the last field are ignored.
    @inlinable
    public init(decoding bytes: [UInt8]) throws(FrameError) {
        var frame = Self()
        let failure = bytes.withUnsafeBytes { frame.read($0) }
        if let failure { throw failure }
        self = frame
    }

    @usableFromInline
    static func wrongCode(_ memory: UnsafeRawBufferPointer) -> FrameError {
        guard let code = memory.first else {
            return FrameError(field: "code", offset: 0, reason: .truncated(needed: 1, left: 0))
        }
        return FrameError(
            field: "code", offset: 0,
            reason: .outOfRange(value: Int64(code), allowed: Int64(codeByte)...Int64(codeByte)))
    }
}

/// A frame from the app: a command to the radio, with the type of its answer.
public protocol CommandFrame: CodedFrame {
    /// The answer when the radio does not refuse.
    associatedtype Reply: CommandReply
    /// The first byte of every frame of the type.
    static var code: CommandCode { get }
}

extension CommandFrame {
    @inlinable public static var codeByte: UInt8 { code.rawValue }
    public static var wireName: String { code.wireName }
}

/// A frame with which the radio answers a command.
public protocol ResponseFrame: CodedFrame, CommandReply {
    /// The first byte of every frame of the type.
    static var code: ResponseCode { get }
}

extension ResponseFrame {
    @inlinable public static var codeByte: UInt8 { code.rawValue }
    public static var wireName: String { code.wireName }
    public static var replyCodes: [RadioCode] { [.response(code)] }
}

/// A frame that the radio sends of its own accord.
public protocol PushFrame: CodedFrame {
    /// The first byte of every frame of the type.
    static var code: PushCode { get }
}

extension PushFrame {
    @inlinable public static var codeByte: UInt8 { code.rawValue }
    public static var wireName: String { code.wireName }
}

/// The responses, by the firmware's `RESP_CODE_` names.
///
/// They have a name space of their own because two commands and two responses share a name (`EXPORT_CONTACT`,
/// `SIGN_START`). Also, a contact is not the frame that reports it.
public enum Resp {}

/// The pushes, by the firmware's `PUSH_CODE_` names; apart from the packets of the same names on the air.
public enum Push {}
