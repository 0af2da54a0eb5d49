package import MeshCapture

/// The other way round: wraps what passed between hosts and controllers into the records of one link type.
package struct LinkEncoder<Sink: RecordSink>: HostPacketSink {
    /// The link type that every record gets.
    package let link: LinkType
    /// The receiver of the records.
    package var sink: Sink
    private var scratch: [UInt8] = []

    /// `nil` for the link types of the air.
    package init?(_ link: LinkType, _ sink: Sink) {
        switch link {
        case .h4, .h4WithDirection, .linuxMonitor, .hciByFlags, .linuxMonitorByFlags: break
        case .lowEnergy, .lowEnergyWithRadio, .nordicSniffer, .packetLogger, .other: return nil
        }
        self.link = link
        self.sink = sink
    }

    /// Encodes a packet; those without a form in the link type are left out: notes and reports in all but the
    /// monitor's.
    package mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        var record = header.record
        record.link = link
        record.way = header.way
        record.interface = 0
        scratch.removeAll(keepingCapacity: true)
        switch link {
        case .linuxMonitor, .linuxMonitorByFlags:
            guard let opcode = Self.opcode(header) else { return }
            record.way = nil
            record.kind = UInt32(header.adapter) << 16 | UInt32(opcode)
            if link == .linuxMonitor {
                scratch.append32(record.kind, .big)
                record.kind = 0
            }
        case .hciByFlags:
            guard let type = Self.type(header.kind) else { return }
            let isReceived = type == 4 || (type == 2 && header.way == .received)
            record.kind = (isReceived ? 1 : 0) | (type == 2 ? 0 : 2)
            record.way = isReceived ? .received : .sent
        default:
            guard let type = Self.type(header.kind) else { return }
            if link == .h4WithDirection {
                scratch.append32(header.way == .received ? 1 : 0, .big)
                record.interface = header.adapter
            }
            record.kind = 0
            scratch.append(type)
        }
        record.originalLength += scratch.count
        scratch.append(bytes)
        // Lent bytes and their sink cannot both be the encoder's.
        var whole: [UInt8] = []
        swap(&whole, &scratch)
        sink.take(record, whole.span)
        swap(&whole, &scratch)
    }

    package mutating func note(_ problem: CaptureProblem) {
        sink.note(problem)
    }

    private static func type(_ kind: HostPacketHeader.Kind) -> UInt8? {
        switch kind {
        case .command: 1
        case .data: 2
        case .event: 4
        case .note, .adapter, .other: nil
        }
    }

    private static func opcode(_ header: HostPacketHeader) -> UInt16? {
        switch header.kind {
        case .command: 2
        case .event: 3
        case .data: header.way == .received ? 5 : 4
        case .note: 12
        case .adapter(let opcode): opcode
        case .other: nil
        }
    }
}
