package import MeshCapture

/// Unwraps records into packets between hosts and controllers, and into packets on the air.
///
/// One sink receives both, as a file may hold both. Records that hold nothing for it are counted by cause, and the
/// first record of each cause is named. The talk of a sniffer with its program is no problem.
package struct LinkDecoder<Sink: HostPacketSink & AirPacketSink>: RecordSink {
    /// The receiver of the packets.
    package var sink: Sink
    /// The records that held nothing for the sink.
    package private(set) var drops = LinkDrops()
    /// True when commands or events show that the directions of link type 201 were written reversed.
    private var isReversed = false
    /// For packets that must be changed before they can be lent.
    var scratch: [UInt8] = []

    package init(_ sink: Sink) {
        self.sink = sink
    }

    package mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        switch header.link {
        case .lowEnergy: takeAir(AirPacketHeader(record: header), bytes, from: 0, isCoded: false)
        case .lowEnergyWithRadio: takeRadio(header, bytes)
        case .nordicSniffer: takeNordic(header, bytes)
        default: takeHost(header, bytes)
        }
    }

    private mutating func takeHost(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        do throws(LinkDrops.Cause) {
            var place = try header.hostPlace(in: bytes)
            if header.link == .h4WithDirection { correctWay(of: &place, isReceived: bytes[3] & 1 == 1, header) }
            sink.take(HostPacketHeader(header, place), bytes.extracting(place.start...))
        } catch {
            drop(header, error)
        }
    }

    /// Corrects the direction of link type 201, which some recorders reverse; commands and events show that.
    private mutating func correctWay(of place: inout HostPlace, isReceived: Bool, _ header: RecordHeader) {
        switch place.kind {
        case .command: expect(!isReceived, header)
        case .event: expect(isReceived, header)
        default: if isReversed { place.way = isReceived ? .sent : .received }
        }
    }

    private mutating func expect(_ isRight: Bool, _ header: RecordHeader) {
        guard isReversed == isRight else { return }
        isReversed = !isRight
        let reason = isRight ? "from here on, directions are as they should be" : "directions are the wrong way round"
        sink.note(CaptureProblem(offset: header.offset, number: header.number, reason))
    }

    package mutating func note(_ problem: CaptureProblem) {
        sink.note(problem)
    }

    /// Counts a record that holds nothing for the sink, and names the first of its cause.
    mutating func drop(_ header: RecordHeader, _ cause: LinkDrops.Cause) {
        guard drops.add(cause), cause != .snifferTalk else { return }
        sink.note(CaptureProblem(offset: header.offset, number: header.number, cause.description))
    }
}
