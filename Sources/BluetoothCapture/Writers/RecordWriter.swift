package import MeshCapture

/// Turns records into the bytes of a capture file.
///
/// A writer has no file: it adds bytes to an array, and the owner of a file writes and flushes them. A record may
/// be read from a container and written to one of the same kind. It keeps its bytes, lengths, direction and, to the
/// format's resolution, its time.
package protocol RecordWriter: Sendable {
    /// Adds what stands in front of all records; at once, so that an interrupted recording can be read.
    mutating func begin(into file: inout [UInt8])
    /// Adds a record. A missing time becomes 1970. Throws a `CaptureProblem` for a record that the format cannot
    /// hold.
    mutating func write(
        _ header: RecordHeader, _ bytes: Span<UInt8>, into file: inout [UInt8]
    ) throws(CaptureProblem)
}

extension RecordWriter {
    /// Checks what all containers require: the longest record, and a length that is not less than the bytes.
    func check(_ header: RecordHeader, _ bytes: Span<UInt8>) throws(CaptureProblem) {
        guard bytes.count <= ContainerReader.longestRecord else {
            throw refusal(header, "a record of \(bytes.count) bytes is too long")
        }
        guard (bytes.count...Int(UInt32.max)).contains(header.originalLength) else {
            throw refusal(header, "an original length of \(header.originalLength) for \(bytes.count) bytes")
        }
    }

    func refusal(_ header: RecordHeader, _ reason: String) -> CaptureProblem {
        CaptureProblem(offset: header.offset, number: header.number, reason)
    }
}

extension [UInt8] {
    mutating func append16(_ word: UInt16, _ order: ByteOrder = .little) {
        let bytes = order == .little ? word.littleEndian : word.bigEndian
        Swift.withUnsafeBytes(of: bytes) { append(contentsOf: $0) }
    }

    mutating func append32(_ word: UInt32, _ order: ByteOrder = .little) {
        let bytes = order == .little ? word.littleEndian : word.bigEndian
        Swift.withUnsafeBytes(of: bytes) { append(contentsOf: $0) }
    }

    mutating func append64(_ word: UInt64, _ order: ByteOrder = .little) {
        let bytes = order == .little ? word.littleEndian : word.bigEndian
        Swift.withUnsafeBytes(of: bytes) { append(contentsOf: $0) }
    }

    mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
