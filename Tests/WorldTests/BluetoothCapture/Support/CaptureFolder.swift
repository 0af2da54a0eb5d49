import Foundation

@testable import BluetoothCapture

/// Captures of real traffic that stand beside the repository, where they do.
enum CaptureFolder {
    static let bluetooth: URL? = {
        var folder = URL(filePath: #filePath)
        for _ in 0..<8 {
            folder.deleteLastPathComponent()
            let found = folder.appending(path: "shared/captures/bluetooth")
            if FileManager.default.fileExists(atPath: found.path) { return found }
        }
        return nil
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        guard let bluetooth else { return [] }
        return [UInt8](try Data(contentsOf: bluetooth.appending(path: name)))
    }
}

/// The two simplest containers, read without the project's own reader.
enum PlainCapture {
    /// Feeds the packets of a pcap of link type 201 or a btsnoop file of type 1002.
    static func read(_ bytes: [UInt8], into sink: inout some HostPacketSink) {
        let isSnoop = bytes.starts(with: [0x62, 0x74, 0x73])
        var offset = isSnoop ? 16 : 24
        var number = 0
        while offset + (isSnoop ? 24 : 16) <= bytes.count {
            number += 1
            let count = isSnoop ? big(bytes, offset + 4) : little(bytes, offset + 8)
            let original = isSnoop ? big(bytes, offset) : little(bytes, offset + 12)
            let isReceived = bytes[offset + (isSnoop ? 11 : 19)] & 1 != 0
            let seconds = isSnoop ? 0 : Int64(little(bytes, offset)) * 1_000_000_000
            let fraction = isSnoop ? Int64(number) * 1000 : Int64(little(bytes, offset + 4)) * 1000
            let start = offset + (isSnoop ? 24 : 20)
            let end = offset + (isSnoop ? 24 : 16) + count
            let record = RecordHeader(
                number: number, offset: UInt64(offset), nanoseconds: seconds + fraction, link: .h4,
                originalLength: original - (start - (end - count)) - 1)
            let kind: HostPacketHeader.Kind =
                switch bytes[start] {
                case 1: .command
                case 2: .data
                case 4: .event
                default: .other
                }
            let packet = Array(bytes[(start + 1)..<end])
            sink.take(
                HostPacketHeader(record: record, kind: kind, way: isReceived ? .received : .sent), packet.span)
            offset = end
        }
    }

    private static func little(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private static func big(_ bytes: [UInt8], _ offset: Int) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }
}
