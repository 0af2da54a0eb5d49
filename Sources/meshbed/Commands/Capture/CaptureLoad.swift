import BluetoothCapture
import MeshCapture
import MeshWire

/// The traffic of radios in a Bluetooth capture: the logs of hosts, and what a sniffer heard.
struct CaptureLoad {
    private var container = ContainerReader()
    private var decoder: LinkDecoder<CaptureReader<RecordingCollector>>
    private let options: AirOptions

    init(_ options: AirOptions) {
        self.options = options
        decoder = LinkDecoder(CaptureReader(RecordingCollector(), options))
    }

    /// The container; `nil` for a file that is no capture.
    var format: CaptureFormat? { container.format }

    /// Reads the next bytes of the file; returns `false` when no more are wanted.
    mutating func take(_ bytes: Span<UInt8>) -> Bool {
        container.feed(bytes, into: &decoder)
        return !container.isDone
    }

    /// Ends the file, with the problem of its compression if there was one.
    mutating func finish(_ problem: CaptureProblem?) {
        if let problem { decoder.note(problem) }
        container.finish(into: &decoder)
        decoder.sink.finish()
    }

    private var collector: RecordingCollector { decoder.sink.sink }

    /// A recording for each connection to a radio.
    var parts: [LoadedCapture.Part] {
        collector.recordings.map { collected in
            LoadedCapture.Part(
                recording: collected.recording, places: [Int](collected.recording.entries.indices.map { $0 + 1 }),
                details: Self.details(collected))
        }
    }

    /// Devices that advertised the service of companion radios, or are named as one, before any central connected.
    var radios: [Advertiser] {
        (decoder.sink.host.advertisers + decoder.sink.air.advertisers).filter { $0.hasNordicUART }
    }

    /// The reason why the given keys do not fit the capture; `nil` where they do, or where none is needed.
    var refusedKeys: String? {
        let air = decoder.sink.air
        guard air.counts.opened == 0, air.counts.unreadable > 0 else { return nil }
        if let pin = options.pin, !air.pairings.isEmpty, air.pairings.allSatisfy({ $0.matches(pin: pin) == false }) {
            return "no pairing in it was made with the PIN that is given"
        }
        return options.keys.isEmpty ? nil : "no key that is given opens its encrypted packets"
    }

    /// The problems of reading; only the first of very many.
    var problems: [CaptureProblem] { collector.problems }

    /// The numbers of other records and of lost ones, by cause.
    var losses: [(name: String, count: Int)] {
        let host = decoder.sink.host.counts
        let air = decoder.sink.air.counts
        return
            (decoder.drops.counts.map { ("records: \($0.cause)", $0.records) } + [
                ("packets of classic Bluetooth", host.classic),
                ("packets of other channels than attributes", host.otherChannels),
                ("notes and other packets", host.others), ("packets that lack a part", host.lost),
                ("packets with a malformed header", host.malformed),
                ("air packets with a bad check sum", air.badCheckSums), ("air packets cut short", air.cut),
                ("air packets sent again", air.retransmissions), ("air packets of no known connection", air.unproven),
                ("air packets that the sniffer missed", air.missed),
                ("air messages without their beginning", air.withoutStart),
                ("air messages without a later part", air.withoutContinuation),
                ("air messages with too much", air.withExcess),
                ("encrypted air packets that no key opened (see --pin and --ltk)", air.unreadable),
                ("problems beyond those named", collector.problemCount - problems.count),
            ]).filter { $0.1 > 0 }
    }

    private static func details(_ collected: RecordingCollector.Collected) -> [(name: String, value: String)] {
        var details: [(name: String, value: String)] = []
        if let role = collected.opened?.isLoggedByCentral {
            let side = role ? "the app's side" : "the radio's side"
            details.append(("logged by", collected.own.map { "\(side), \($0)" } ?? side))
        } else if let central = collected.own {
            details.append(("app's side", central))
        }
        if let peer = collected.peer { details.append(("peer", peer)) }
        if collected.opened?.isInTheMiddle == true { details.append(("begins", "in the middle of the connection")) }
        if let mtu = collected.mtu { details.append(("MTU", "\(mtu)")) }
        if let handles = collected.handles {
            details.append(("handles", "RX \(handles.rx), TX \(handles.tx), \(handles.source)"))
        }
        if !collected.isClosed { details.append(("ends", "with the capture")) }
        return details
    }
}
