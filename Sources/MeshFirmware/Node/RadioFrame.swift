public import MeshPacket
public import MeshWire

/// The bytes of one radio frame, at most 255, in place: the data that a chip receives and sends, whatever its
/// meaning.
public struct RadioFrame: Sendable {
    @usableFromInline var storage: FixedBytes<255>
    @usableFromInline var length: UInt8

    /// Copies at most 255 bytes; a radio delivers no more.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) {
        storage = FixedBytes(bytes)
        length = UInt8(clamping: bytes.count)
    }

    /// Copies at most 255 bytes of an array.
    @inlinable
    public init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { RadioFrame($0) }
    }

    /// The frame of a packet.
    @inlinable
    public init(_ packet: borrowing PacketView) {
        self = packet.withBytes { RadioFrame($0) }
    }

    /// Bytes in the frame, 0…255.
    @inlinable public var count: Int { Int(length) }

    /// Lends the bytes.
    @inlinable
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try Swift.withUnsafeBytes(of: storage) { (memory: UnsafeRawBufferPointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(rebasing: memory[..<Int(length)]))
        }
    }

    /// The bytes as an array.
    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }
}

extension RadioFrame: Hashable {
    @inlinable
    public static func == (a: RadioFrame, b: RadioFrame) -> Bool {
        guard a.length == b.length else { return false }
        for index in 0..<a.count where a.storage[index] != b.storage[index] { return false }
        return true
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }
}

extension RadioFrame: CustomStringConvertible {
    public var description: String { bytes.hex }
}
