public import MeshCapture

/// Unwraps records into what passed between hosts and controllers, and into packets on the air.
///
/// One sink takes both, as a file may hold both. What holds nothing for it is counted by cause, and the first record of
/// each cause is named; that a sniffer talks with its program is no problem.
public struct LinkDecoder<Sink: HostPacketSink & AirPacketSink>: RecordSink {
    /// Where the packets go.
    public var sink: Sink
    /// What was in no record for the sink.
    public private(set) var drops = LinkDrops()
    /// Commands or events say that the directions of link type 201 were written the wrong way round.
    var isReversed = false
    /// For packets that must be changed before they can be lent.
    var scratch: [UInt8] = []

    public init(_ sink: Sink) {
        self.sink = sink
    }

    public mutating func take(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        switch header.link {
        case .h4: takeH4(header, bytes, from: 0, way: header.way)
        case .h4WithDirection: takeDirected(header, bytes)
        case .linuxMonitor: takeMonitor(header, bytes)
        case .linuxMonitorByFlags:
            takeMonitor(
                header, bytes, from: 0, adapter: UInt16(truncatingIfNeeded: header.kind >> 16),
                opcode: UInt16(truncatingIfNeeded: header.kind))
        case .hciByFlags: takeByFlags(header, bytes)
        case .packetLogger: takeLogged(header, bytes)
        case .lowEnergy: takeAir(AirPacketHeader(record: header), bytes, from: 0, isCoded: false)
        case .lowEnergyWithRadio: takeRadio(header, bytes)
        case .nordicSniffer: takeNordic(header, bytes)
        case .other(let number): drop(header, .unknownLink(number))
        }
    }

    public mutating func note(_ problem: CaptureProblem) {
        sink.note(problem)
    }

    /// Counts a record that holds nothing for the sink, and names the first of its cause.
    mutating func drop(_ header: RecordHeader, _ cause: LinkDrops.Cause) {
        guard drops.add(cause), cause != .snifferTalk else { return }
        sink.note(CaptureProblem(offset: header.offset, number: header.number, cause.description))
    }
}
