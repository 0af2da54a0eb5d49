/// Reads fields from memory, keeps its first failure, and never looks past the end.
///
/// `residue` is for radios only. The firmware's receive buffer is not cleared. So a command without a length check
/// reads the bytes of earlier frames behind the end of a short one. With a residue, required fields continue into
/// it, while optional tails and `rest` still end where the frame ends.
public struct FieldReader: FieldWalker {
    @usableFromInline let base: UnsafeRawPointer?
    /// The end of the frame.
    public let end: Int
    /// The end of readable memory: `end`, or the end of the residue.
    @usableFromInline let limit: Int
    /// The offset of the next field.
    public var offset: Int
    /// The first field that could not be read.
    public var failure: FrameError?
    /// A tail can only be there when the one before it was.
    @usableFromInline var tailsEnded = false

    /// Reads `memory` from `offset` on. The memory must outlive the reader.
    @inlinable
    public init(_ memory: UnsafeRawBufferPointer, from offset: Int = 0, frameEnd: Int? = nil) {
        base = memory.baseAddress
        limit = memory.count
        end = min(frameEnd ?? memory.count, memory.count)
        self.offset = offset
        failure = nil
    }

    /// Bytes of the frame that no field has read.
    @inlinable public var remaining: Int { max(0, end - offset) }

    @inlinable
    mutating func take(_ field: Field, _ count: Int) -> UnsafeRawPointer? {
        guard failure == nil else { return nil }
        guard count >= 0, offset <= limit, count <= limit - offset, let base else {
            if count > 0 || offset > limit { fail(field, needed: count) }
            return nil
        }
        let start = base + offset
        offset += count
        return start
    }

    @usableFromInline
    mutating func fail(_ field: Field, needed: Int) {
        failure = FrameError(
            field: field.name.description, offset: offset,
            reason: .truncated(needed: needed, left: max(0, limit - offset)))
    }

    @inlinable
    public mutating func integer<T: FixedWidthInteger & Sendable>(
        _ field: Field, _ value: inout T, in range: ClosedRange<T>?
    ) {
        guard let start = take(field, MemoryLayout<T>.size) else { return }
        value = T(littleEndian: start.loadUnaligned(as: T.self))
    }

    @inlinable
    public mutating func fixed<let size: Int>(_ field: Field, _ value: inout FixedBytes<size>) {
        guard let start = take(field, size) else { return }
        value.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: size)) }
    }

    @inlinable
    public mutating func bytes(_ field: Field, _ value: inout [UInt8], count: Int) {
        guard let start = take(field, count) else {
            value = []
            return
        }
        value = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    @inlinable
    public mutating func rest(_ field: Field, _ value: inout [UInt8], atMost limit: Int) {
        guard let start = take(field, remaining) else {
            value = []
            return
        }
        value = [UInt8](UnsafeRawBufferPointer(start: start, count: (base ?? start) + offset - start))
    }

    @inlinable
    public mutating func hasTail(_ field: Field, isSet: Bool, size: Int) -> Bool {
        if failure != nil || tailsEnded || remaining < size { tailsEnded = true }
        return !tailsEnded
    }

    @inlinable
    public mutating func choice(_ field: Field, _ value: inout UInt8, known: ClosedRange<UInt8>) {
        integer(field, &value, in: nil)
    }

    /// Never more elements than there are bytes for, and one: the one that cannot be read.
    @inlinable
    public mutating func elementCount(_ field: Field, present: Int, size: Int, announced: Int?) -> Int {
        if failure != nil { return 0 }
        guard let announced else { return remaining / max(1, size) }
        return max(0, min(announced, max(0, limit - offset) / max(1, size) + 1))
    }
}

extension FieldGroup {
    /// Reads the fields of `memory` from `offset` on; bytes behind the last field are left alone.
    ///
    /// `frameEnd` is for radios: the end of the frame in a buffer that continues behind it (see `FieldReader`).
    @inlinable
    public init(
        reading memory: UnsafeRawBufferPointer, from offset: Int = 0, frameEnd: Int? = nil
    ) throws(FrameError) {
        self.init()
        var reader = FieldReader(memory, from: offset, frameEnd: frameEnd)
        walk(&reader)
        if let failure = reader.failure { throw failure }
    }
}
