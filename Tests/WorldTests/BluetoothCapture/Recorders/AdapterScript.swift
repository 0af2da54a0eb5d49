import MeshCapture
import MeshCompanion
import MeshTime

@testable import BluetoothCapture

/// The output of an adapter, as records of libpcap's, for recorders.
struct AdapterScript {
    struct Record {
        var header: RecordHeader
        var bytes: [UInt8]
    }

    var records: [Record] = []

    /// The records of a session between an app and a radio.
    ///
    /// - Parameters:
    ///   - link: 201, or 254 with its adapter.
    ///   - began: Seconds since 1970.
    init(
        _ entries: [RecordingEntry], _ link: LinkType = .linuxMonitor, adapter: UInt8 = 0, peer: UInt8 = 1,
        began: Int64 = 1_700_000_000
    ) {
        let capture = SyntheticCapture(
            Recording(RecordingHeader(), entries), began: began * 1_000_000_000, fragmentSize: .plain,
            peer: [0xC0, 0, 0, 0, 0, peer])
        guard var encoder = LinkEncoder(link, RecordLog()) else { return }
        capture.write(into: &encoder)
        let log = encoder.sink
        records = log.headers.indices.map { index in
            var bytes = log.record(index)
            if link == .linuxMonitor { bytes[1] = adapter }
            var header = log.headers[index]
            // libpcap says neither; the bytes do.
            header.way = nil
            header.interface = 0
            return Record(header: header, bytes: bytes)
        }
    }

    static func session(_ seed: UInt64, frames: Int = 40) -> [RecordingEntry] {
        var stream = Seed(seed).stream("session")
        var time = TimeSpan.zero
        return [RecordingEntry(.zero, .ble, .connected)]
            + (0..<frames).map { _ in
                time = time + .microseconds(Int64(stream.draw(1, 1_000_000)))
                let frame = (0..<stream.draw(1, 173)).map { _ in stream.nextByte() }
                return RecordingEntry(time, .ble, .frame(stream.draw(0, 2) == 0 ? .toRadio : .toApp, frame))
            }
    }

    /// The records of another script in their place by time.
    mutating func merge(_ other: AdapterScript) {
        records = (records + other.records).enumerated().sorted {
            ($0.element.header.nanoseconds ?? 0, $0.offset) < ($1.element.header.nanoseconds ?? 0, $1.offset)
        }.map(\.element)
    }

    mutating func insert(_ bytes: [UInt8], at index: Int) {
        var header = records[index].header
        header.originalLength = bytes.count
        records.insert(Record(header: header, bytes: bytes), at: index)
    }

    func feed(_ sink: inout some RecordSink) {
        for record in records { sink.take(record.header, record.bytes) }
    }

    /// The file that a recorder makes of it.
    func file(_ recording: AdapterRecording) -> (bytes: [UInt8], tally: AdapterRecording.Tally) {
        var recording = recording
        feed(&recording)
        recording.finish()
        return (recording.drained(), recording.tally)
    }

    /// The recordings from the same records when they are read from a file.
    var collected: [RecordingCollector.Collected] {
        var decoder = LinkDecoder(CaptureReader(RecordingCollector()))
        feed(&decoder)
        decoder.sink.finish()
        return decoder.sink.sink.recordings
    }

    /// The content of the records, without their wrapping.
    var packets: PacketLog {
        var decoder = LinkDecoder(PacketLog())
        feed(&decoder)
        return decoder.sink
    }
}

extension AdapterRecording {
    mutating func drained() -> [UInt8] {
        var all: [UInt8] = []
        drain { bytes, _ in all = bytes }
        return all
    }

    /// A recording of frames with nothing replaced.
    static func frames(of filter: PeerFilter? = nil) -> AdapterRecording {
        AdapterRecording(framesUnder: RecordingHeader(transport: .ble), scrubbed: [], salt: [], filter: filter)
    }
}

extension PacketLog {
    /// Returns the content of a file's records.
    static func reading(_ file: [UInt8]) -> PacketLog {
        var decoder = LinkDecoder(PacketLog())
        _ = read(file, pieces: [1000], into: &decoder)
        return decoder.sink
    }

    /// Adapter, kind, way, time, length on the wire and bytes.
    var story: [String] {
        hosts.map { host in
            let header = host.header
            let time = header.record.nanoseconds.map { "\($0 / 1000)" } ?? "-"
            return "\(header.adapter) \(header.kind) \(header.way.map { "\($0)" } ?? "-") \(time) "
                + "\(header.record.originalLength) \(host.bytes)"
        }
    }
}
