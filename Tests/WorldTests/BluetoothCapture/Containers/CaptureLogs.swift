import MeshCapture

@testable import BluetoothCapture

/// Keeps what a container reader gives.
struct RecordLog: RecordSink, Equatable {
    var headers: [RecordHeader] = []
    /// All bytes, one record after the other.
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var problems: [CaptureProblem] = []

    mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        headers.append(header)
        bytes.withUnsafeBufferPointer { self.bytes.append(contentsOf: $0) }
        ends.append(self.bytes.count)
    }

    mutating func note(_ problem: CaptureProblem) {
        problems.append(problem)
    }

    func record(_ index: Int) -> [UInt8] {
        Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }

    /// Reads a whole file in pieces of these sizes, one after the other and again from the first.
    static func reading(_ file: [UInt8], pieces: [Int] = [1 << 20]) -> RecordLog {
        var log = RecordLog()
        _ = read(file, pieces: pieces, into: &log)
        return log
    }
}

/// Keeps what a link decoder gives.
struct PacketLog: HostPacketSink, AirPacketSink, Equatable {
    struct Host: Equatable {
        var header: HostPacketHeader
        var bytes: [UInt8]
    }

    struct Air: Equatable {
        var header: AirPacketHeader
        var bytes: [UInt8]
    }

    var hosts: [Host] = []
    var airs: [Air] = []
    var problems: [CaptureProblem] = []

    mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        hosts.append(Host(header: header, bytes: bytes.copied))
    }

    mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {
        airs.append(Air(header: header, bytes: bytes.copied))
    }

    mutating func note(_ problem: CaptureProblem) {
        problems.append(problem)
    }

    /// Decodes one record.
    static func decoding(
        _ link: LinkType, _ bytes: [UInt8], way: HostWay? = nil, kind: UInt32 = 0, originalLength: Int? = nil
    ) -> LinkDecoder<PacketLog> {
        var decoder = LinkDecoder(PacketLog())
        let header = RecordHeader(
            number: 1, offset: 24, nanoseconds: 5, link: link, originalLength: originalLength ?? bytes.count, way: way,
            kind: kind)
        decoder.take(header, bytes.span)
        return decoder
    }
}

extension Span<UInt8> {
    var copied: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

/// Reads a whole file in pieces of these sizes, one after the other and again from the first; returns the container.
func read(_ file: [UInt8], pieces: [Int], into sink: inout some RecordSink) -> CaptureFormat? {
    var reader = ContainerReader()
    var position = 0
    var turn = 0
    while position < file.count {
        let end = min(file.count, position + pieces[turn % pieces.count])
        reader.feed(file.span.extracting(position..<end), into: &sink)
        position = end
        turn += 1
    }
    reader.finish(into: &sink)
    return reader.format
}

extension RecordSink {
    mutating func take(_ header: RecordHeader, _ bytes: [UInt8]) {
        take(header, bytes.span)
    }
}

extension HostPacketSink {
    mutating func take(_ header: HostPacketHeader, _ bytes: [UInt8]) {
        take(header, bytes.span)
    }
}

extension RecordWriter {
    mutating func write(_ header: RecordHeader, _ bytes: [UInt8], into file: inout [UInt8]) throws(CaptureProblem) {
        try write(header, bytes.span, into: &file)
    }
}

/// Bytes of hex digits, blanks between them or not.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
