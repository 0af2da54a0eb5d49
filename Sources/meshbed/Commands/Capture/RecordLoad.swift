import MeshCapture
import MeshCaptureIO
import MeshFiles
import MeshRecords

/// Observers' records that are read as a whole, each observer's as a recording.
struct RecordLoad {
    private var bytes: [UInt8] = []

    /// The kind of such a file, in words.
    static let kind = "observers' records"

    /// Tells whether a file that begins so may have records: it is text.
    static func isText(_ head: [UInt8]) -> Bool {
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return true }
        return !head.isEmpty && head.allSatisfy { $0 >= 0x20 || 9...13 ~= $0 }
    }

    /// Reads the next bytes; returns `false` when no more are wanted.
    mutating func take(_ piece: Span<UInt8>) -> Bool {
        piece.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        return bytes.count <= RecordFile.longest
    }

    /// Ends the file. Throws for one without a packet.
    func finish(
        _ problem: CaptureProblem?
    ) throws(FileProblem) -> (parts: [LoadedCapture.Part], problems: [CaptureProblem], losses: [(String, Int)]) {
        let file = try RecordFile(bytes)
        let recordings = ObserverRecordings(file.packets)
        var leftOut = file.leftOut
        for packet in recordings.misfits { leftOut.note("of a length that no packet has", line: packet.line) }
        let parts = recordings.parts.map { LoadedCapture.Part(recording: $0.recording, places: $0.lines) }
        let faults = leftOut.rows.filter(\.isFault).map { CaptureProblem(offset: 0, "left out: \($0)") }
        let losses = leftOut.rows.filter { !$0.isFault }.map { ("\($0.noun)s \($0.reason)", $0.count) }
        return (parts, (problem.map { [$0] } ?? []) + faults, losses)
    }

    /// The bytes of a file, unpacked, or of standard input for `-`; and the fault of the packing, behind the bytes.
    static func bytes(of path: String) throws(CaptureFileError) -> (bytes: [UInt8], problem: CaptureProblem?) {
        var load = RecordLoad()
        let problem = try CaptureFile(path).stream { load.take($0) }
        return (load.bytes, problem)
    }
}
