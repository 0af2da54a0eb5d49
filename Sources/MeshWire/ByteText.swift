/// Text as the firmware carries it: bytes that are meant to be UTF-8 and are unchecked.
///
/// Cutting at a length may split a character; the bytes are kept, and only `string` repairs them for people to read.
public struct ByteText: Hashable, Sendable {
    /// The bytes as they travel, without a terminating zero.
    public var bytes: [UInt8]

    @inlinable
    public init(bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    @inlinable
    public init(_ string: some StringProtocol) {
        bytes = [UInt8](string.utf8)
    }

    /// For people: malformed sequences become U+FFFD.
    public var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Length in bytes, not in characters.
    @inlinable public var count: Int { bytes.count }
    /// True when there is no byte at all.
    @inlinable public var isEmpty: Bool { bytes.isEmpty }

    /// The part before the first NUL, or everything.
    @inlinable
    public var untilNUL: ByteText {
        guard let end = bytes.firstIndex(of: 0) else { return self }
        return ByteText(bytes: [UInt8](bytes[..<end]))
    }

    /// The first `count` bytes.
    @inlinable
    public func prefix(_ count: Int) -> ByteText {
        bytes.count <= count ? self : ByteText(bytes: [UInt8](bytes[..<count]))
    }
}

extension ByteText: ExpressibleByStringLiteral {
    @inlinable
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ByteText: CustomStringConvertible {
    public var description: String { string }
}
