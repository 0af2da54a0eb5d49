package import MeshFiles
import MeshWire

/// A file of packets that another tool wrote: lines, or one JSON document, read as far as they go.
package struct RecordFile: Sendable {
    /// Bytes of a file that is read, unpacked.
    package static let longest = 64 << 20
    /// Packets that are read; an observer in a town hears fewer in a month.
    package static let mostPackets = 1_000_000
    /// Lines in front of which a broken document may turn out to be lines of JSON.
    private static let linesToTry = 10

    /// The packets in the order of the file; at least one.
    package private(set) var packets: [HeardPacket] = []
    /// What the file has besides.
    package private(set) var leftOut = LeftOut()

    /// Reads a file. Throws for one without a packet, and says what was looked for.
    package init(_ bytes: [UInt8]) throws(FileProblem) {
        guard bytes.count <= Self.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(Self.longest >> 20) MiB")
        }
        let bytes = FieldText.utf8(bytes)
        let start = bytes.first { !HexLine.isBlank($0) }
        if start == UInt8(ascii: "[") || start == UInt8(ascii: "{") {
            do throws(FileProblem) {
                let value = try JSONText(reading: bytes)
                self.init(collecting: value)
            } catch {
                guard Self.hasRecords(bytes) else { throw error }
                self.init(lines: bytes)
            }
        } else {
            self.init(lines: bytes)
        }
        guard !packets.isEmpty else { throw Self.nothing(leftOut, isEmpty: start == nil) }
    }

    /// Reads a document that was parsed already; `nil` for one without a packet.
    package init?(document value: JSONText) {
        self.init(collecting: value)
        if packets.isEmpty { return nil }
    }

    private init(collecting value: JSONText) {
        var collector = RecordCollector()
        collector.collect(value)
        (packets, leftOut) = collector.handOver()
        cut()
    }

    private init(lines bytes: [UInt8]) {
        var reader = RecordReader()
        var (start, number) = (0, 0)
        while let line = Self.line(of: bytes, &start), packets.count <= Self.mostPackets {
            number += 1
            _ = reader.take(line, number: number, into: &packets)
        }
        reader.end(into: &packets)
        leftOut = reader.leftOut
        cut()
    }

    private mutating func cut() {
        guard packets.count > Self.mostPackets else { return }
        leftOut.note("behind the first \(Self.mostPackets)", line: packets[Self.mostPackets].line)
        packets.removeLast(packets.count - Self.mostPackets)
    }

    /// The error of a file without a packet.
    private static func nothing(_ leftOut: LeftOut, isEmpty: Bool) -> FileProblem {
        let found = leftOut.rows.prefix(3).map(\.description).joined(separator: "; ")
        let what = isEmpty ? "is empty" : found.isEmpty ? "has no packet" : "has no packet, but \(found)"
        return FileProblem(line: 0, reason: "\(what); looked for \(RecordForm.sought)")
    }

    /// Tells whether the first line that is no comment and no record without a packet has one.
    package static func looksLikeOne(_ bytes: [UInt8]) -> Bool {
        let bytes = bytes.count <= longest ? FieldText.utf8(bytes) : []
        var reader = RecordReader()
        var packets: [HeardPacket] = []
        var (start, tried) = (0, 0)
        while tried < linesToTry, packets.isEmpty, let line = line(of: bytes, &start) {
            if line.contains(where: { !HexLine.isBlank($0) }) { tried += 1 }
            guard reader.take(line, number: tried, into: &packets) == nil else { return false }
            reader.end(into: &packets)
        }
        return !packets.isEmpty
    }

    /// Tells whether one of the first lines is a JSON object or has a packet: then the file is no single document.
    private static func hasRecords(_ bytes: [UInt8]) -> Bool {
        var (start, tried) = (0, 0)
        while tried < linesToTry, let line = line(of: bytes, &start) {
            guard let first = line.first(where: { !HexLine.isBlank($0) }) else { continue }
            tried += 1
            guard line.count <= RecordReader.longestLine else { continue }
            if first == UInt8(ascii: "{"), (try? JSONReader.read([UInt8](line))) != nil { return true }
        }
        return false
    }

    /// The line that begins there, without its end; nil behind the last.
    private static func line(of bytes: [UInt8], _ start: inout Int) -> ArraySlice<UInt8>? {
        guard start < bytes.count else { return nil }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        defer { start = end + 1 }
        return bytes[start..<end]
    }
}
