import BluetoothCapture
import Foundation
import MeshCapture
import Testing

@testable import MeshCaptureIO

/// Captures from an adapter. There is none where tests run; what needs none is tested, and that it is missed by name.
@Suite struct LiveCaptureTests {
    /// Keeps what was lent.
    struct Kept: RecordSink {
        var records: [(header: RecordHeader, bytes: [UInt8])] = []

        mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
            records.append((header, bytes.withUnsafeBufferPointer { Array($0) }))
        }

        mutating func note(_ problem: CaptureProblem) {}
    }

    static let machine = [LiveInterface("eth0"), LiveInterface("bluetooth0"), LiveInterface("bluetooth-monitor")]

    @Test(arguments: [
        (-8, "", "bluetooth0", LiveCaptureError.Kind.noPermission, "CAP_NET_RAW"),
        (-1, "Can't create raw socket: Operation not permitted", "bluetooth0", .noPermission, "CAP_NET_RAW"),
        (-5, "", "bluetooth7", .unknownInterface, "there are bluetooth0, bluetooth-monitor"),
        (-1, "Can't get device 9 info via ioctl: No such device", "bluetooth9", .unknownInterface, "there are"),
        (-1, "Address family not supported by protocol", "bluetooth0", .noAdapter, "only eth0"),
        (-5, "", "bluetooth0", .noAdapter, "no Bluetooth adapter"),
        (-1, "out of tea", "bluetooth0", .failed, "out of tea"),
    ])
    func `why an adapter cannot be opened is one sentence with a way out`(
        status: Int32, message: String, interface: String, kind: LiveCaptureError.Kind, words: String
    ) {
        let error = LiveCaptureError(opening: interface, PcapFailure(status, message), known: Self.machine)

        #expect(error.kind == kind)
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test func `an interface of another kind is not opened`() {
        let error = #expect(throws: LiveCaptureError.self) { try LiveCapture(interface: "nothing-at-all") }

        #expect(error?.kind != .failed, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func `a file of the library's runs through the same loop`() throws {
        // Link type 201: the direction word, then the packet, little-endian headers, microseconds.
        let packet: [UInt8] = [0, 0, 0, 0, 2, 0x40, 0, 3, 0, 1, 2, 3]
        var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 201, 0, 0, 0]
        for second in 0..<1000 {
            file += [UInt8(second & 0xFF), UInt8(second >> 8), 0, 0, 7, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0] + packet
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID().uuidString)").path
        try Data(file).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var kept = Kept()

        let capture = try LiveCapture(file: path)
        var batches: [LiveCapture.Batch] = []
        repeat { batches.append(try capture.read(into: &kept, waiting: 0)) } while batches.last != .ended

        #expect(capture.link == .h4WithDirection)
        #expect(batches == [.records(256), .records(256), .records(256), .records(232), .ended])
        #expect(kept.records.map(\.header.number) == Array(1...1000))
        #expect(kept.records.allSatisfy { $0.bytes == packet && $0.header.originalLength == 13 })
        #expect(kept.records[258].header.nanoseconds == 258_000_007_000)
    }

    @Test func `a file that is none is refused`() {
        #expect(throws: LiveCaptureError.self) { try LiveCapture(file: "/dev/null") }
    }
}
