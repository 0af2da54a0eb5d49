/// A run of bytes whose length is part of its type: keys, signatures, name fields.
///
/// It lives in place (no heap), compares by value, and prints as hex. Longer input is cut, shorter is zero padded,
/// as the firmware's fixed fields do.
public struct FixedBytes<let size: Int>: Sendable {
    @usableFromInline
    var storage: InlineArray<size, UInt8>

    /// All zero.
    @inlinable
    public init() {
        storage = InlineArray(repeating: 0)
    }

    /// Copies at most `size` bytes; missing ones stay zero.
    @inlinable
    public init(_ bytes: some Sequence<UInt8>) {
        storage = InlineArray(repeating: 0)
        var index = 0
        for byte in bytes {
            if index == size { break }
            storage[index] = byte
            index += 1
        }
    }

    /// Copies at most `size` bytes of memory; missing ones stay zero.
    @inlinable
    public init(_ memory: UnsafeRawBufferPointer) {
        storage = InlineArray(repeating: 0)
        withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory.prefix(size))) }
    }

    /// Reads exactly `size` bytes of hex, upper or lower case; `nil` for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = [UInt8](hex: hex), bytes.count == size else { return nil }
        self.init(bytes)
    }

    /// Length in bytes.
    @inlinable public var count: Int { size }
    /// The positions of its bytes.
    @inlinable public var indices: Range<Int> { 0..<size }

    /// The byte at a position; a position outside stops the program.
    @inlinable
    public subscript(index: Int) -> UInt8 {
        get { storage[index] }
        set { storage[index] = newValue }
    }

    /// Lends the bytes in place, for as long as the closure runs.
    @inlinable
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: storage) { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(size))) }
    }

    /// Lends the bytes in place for writing, for as long as the closure runs.
    @inlinable
    public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeMutableBytes(of: &storage) {
            try body(UnsafeMutableRawBufferPointer(rebasing: $0.prefix(size)))
        }
    }

    /// The bytes as an array.
    @inlinable
    public var array: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// The first `count` bytes.
    @inlinable
    public func prefix(_ count: Int) -> ArraySlice<UInt8> { array.prefix(count) }

    /// Returns whether the first bytes equal `other`.
    @inlinable
    public func starts(with other: some Collection<UInt8>) -> Bool {
        guard other.count <= size else { return false }
        var index = 0
        for byte in other {
            if storage[index] != byte { return false }
            index += 1
        }
        return true
    }

    /// True when every byte is zero.
    @inlinable
    public var isZero: Bool {
        for index in 0..<size where storage[index] != 0 { return false }
        return true
    }

    /// Lower-case hex without separators.
    public var hex: String { array.hex }
}

extension FixedBytes: Hashable {
    @inlinable
    public static func == (a: Self, b: Self) -> Bool {
        for index in 0..<size where a.storage[index] != b.storage[index] { return false }
        return true
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension FixedBytes: CustomStringConvertible {
    public var description: String { hex }
}

extension FixedBytes {
    /// The text in a NUL-padded field: the bytes before the first NUL, or all of them.
    @inlinable
    public var text: ByteText {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for index in 0..<size {
            if storage[index] == 0 { break }
            bytes.append(storage[index])
        }
        return ByteText(bytes: bytes)
    }

    /// A NUL-padded field that holds `text`, cut at `size` bytes.
    @inlinable
    public init(text: ByteText) {
        self.init(text.bytes)
    }
}
