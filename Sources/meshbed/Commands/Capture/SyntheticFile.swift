import BluetoothCapture
import FoundationEssentials
import MeshCapture
import MeshCaptureIO
import MeshTime
import MeshWire

/// A recording as the bytes of a Bluetooth capture, which is synthetic and says so where the format can.
enum SyntheticFile {
    static func bytes(of recording: Recording, as format: CaptureConvert.Format) throws -> [UInt8]? {
        let capture = SyntheticCapture(recording, began: began(recording.header) ?? SyntheticCapture.someTime)
        switch format {
        case .capture: return nil
        case .pcapng: return try write(capture, PcapngWriter(comment: SyntheticCapture.comment), .h4WithDirection)
        case .pcap: return try PcapWriter(link: .h4WithDirection).map { try write(capture, $0, .h4WithDirection) }
        case .btsnoop: return try BtsnoopWriter(link: .h4).map { try write(capture, $0, .h4) }
        }
    }

    /// The beginning of the recording, UTC; where it has no time of day, the beginning of its day.
    static func began(_ header: RecordingHeader) -> Int64? {
        guard let date = header.date, let day = try? Date(date, strategy: .iso8601.year().month().day()) else {
            return nil
        }
        // Nanoseconds since 1970 are 64 bits, which end in the year 2262.
        let (time, isBeyond) = Int64(wholePart: day.timeIntervalSince1970).multipliedReportingOverflow(
            by: 1_000_000_000)
        let (began, isAfter) = time.addingReportingOverflow((header.began?.microseconds ?? 0) * 1000)
        return isBeyond || isAfter ? nil : began
    }

    private struct Records<Writer: RecordWriter>: RecordSink {
        var writer: Writer
        var file: [UInt8] = []
        var refusal: CaptureProblem?

        mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
            do throws(CaptureProblem) {
                try writer.write(header, bytes, into: &file)
            } catch {
                refusal = refusal ?? error
            }
        }

        mutating func note(_ problem: CaptureProblem) { refusal = refusal ?? problem }
    }

    private static func write<Writer: RecordWriter>(
        _ capture: SyntheticCapture, _ writer: Writer, _ link: LinkType
    ) throws -> [UInt8] {
        var records = Records(writer: writer)
        records.writer.begin(into: &records.file)
        guard var encoder = LinkEncoder(link, records) else { return [] }
        capture.write(into: &encoder)
        if let refusal = encoder.sink.refusal { throw LoadedCapture.Failure(description: refusal.description) }
        return encoder.sink.file
    }
}
