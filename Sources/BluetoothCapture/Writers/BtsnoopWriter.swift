package import MeshCapture

/// Writes btsnoop: 1001, 1002 or 2001, as the link type of the records is HCI by flags, H4, or the Linux monitor by
/// flags.
package struct BtsnoopWriter: RecordWriter {
    /// The one link type that records of the file have.
    package let link: LinkType
    private let type: UInt32

    /// `nil` for a link type that btsnoop does not have.
    package init?(link: LinkType) {
        guard let number = link.btsnoopNumber else { return nil }
        self.link = link
        type = number
    }

    package func begin(into file: inout [UInt8]) {
        file.append(contentsOf: "btsnoop\0".utf8)
        file.append32(1, .big)
        file.append32(type, .big)
    }

    package func write(
        _ header: RecordHeader, _ bytes: Span<UInt8>, into file: inout [UInt8]
    ) throws(CaptureProblem) {
        try check(header, bytes)
        guard header.link == link else { throw refusal(header, "a file of btsnoop has one link type") }
        file.append32(UInt32(header.originalLength), .big)
        file.append32(UInt32(bytes.count), .big)
        file.append32(flags(header, bytes), .big)
        file.append32(0, .big)
        let microseconds = Self.microseconds(header.nanoseconds ?? 0)
        file.append64(UInt64(bitPattern: BtsnoopParser.epoch + microseconds), .big)
        file.append(bytes)
    }

    /// Whole microseconds, the earlier ones before 1970 too.
    private static func microseconds(_ time: Int64) -> Int64 {
        time >= 0 || time % 1000 == 0 ? time / 1000 : time / 1000 - 1
    }

    /// Returns the flags of a record: of H4, the direction and the kind; of the others, the record's own.
    private func flags(_ header: RecordHeader, _ bytes: Span<UInt8>) -> UInt32 {
        guard link == .h4 else { return header.kind }
        let type = bytes.isEmpty ? 0 : bytes[0]
        let isReceived = header.way.map { $0 == .received } ?? (type == 4)
        return (isReceived ? 1 : 0) | (type == 1 || type == 4 ? 2 : 0)
    }
}
