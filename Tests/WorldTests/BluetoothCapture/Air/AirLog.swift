import MeshCapture
import MeshWire

@testable import BluetoothCapture

/// Logs the reports of a reader of the air.
struct AirLog: AirLinkSink {
    var opened: [OpenedConnection] = []
    var payloads: [SniffedSession.Sent] = []
    var events: [CaptureEvent] = []
    var encrypted: [Bool] = []
    var losses: [String] = []
    var closed: [UInt8?] = []
    var isFinished = false
    private var isEncrypted: [Bool] = []

    mutating func open(_ opened: OpenedConnection, _ record: RecordHeader, areRolesKnown: Bool) -> Int {
        self.opened.append(opened)
        isEncrypted.append(false)
        return self.opened.count - 1
    }

    mutating func takeL2CAP(
        _ connection: Int, from side: LinkSide, channel: UInt16, _ record: RecordHeader, _ payload: Span<UInt8>,
        length: Int
    ) {
        payloads.append(
            SniffedSession.Sent(
                connection: connection, side: side, channel: channel, payload: payload.indices.map { payload[$0] },
                isEncrypted: isEncrypted[connection]))
    }

    mutating func encrypted(_ connection: Int, isReadable: Bool, _ record: RecordHeader) {
        encrypted.append(isReadable)
        isEncrypted[connection] = true
    }

    mutating func lost(_ connection: Int, _ what: String, _ record: RecordHeader) { losses.append(what) }
    mutating func event(_ connection: Int, _ event: CaptureEvent, _ record: RecordHeader) { events.append(event) }
    mutating func close(_ connection: Int, reason: UInt8?, _ record: RecordHeader) { closed.append(reason) }
    mutating func note(_ problem: CaptureProblem) {}
    mutating func finish() { isFinished = true }
}

/// The amount of information that a sniffer gives beside the bytes.
enum Sniffer: CaseIterable {
    /// Link type 251: the bytes alone.
    case bare
    /// Link types 256 and 272: the direction, and that the check sum is good.
    case telling
}

extension SniffedSession {
    /// Reads the session as this sniffer would have written it; `isHeard` leaves packets out.
    func read(
        _ sniffer: Sniffer, _ options: AirOptions = AirOptions(), isHeard: (Int, Packet) -> Bool = { _, _ in true }
    ) -> AirReader<AirLog> {
        var reader = AirReader(AirLog(), options)
        for (index, packet) in packets.enumerated() where isHeard(index, packet) {
            reader.take(header(packet, number: index + 1, sniffer), packet.bytes.span)
        }
        reader.finish()
        return reader
    }

    func header(_ packet: Packet, number: Int, _ sniffer: Sniffer) -> AirPacketHeader {
        let record = RecordHeader(
            number: number, offset: 0, nanoseconds: packet.nanoseconds, link: .lowEnergy,
            originalLength: packet.bytes.count)
        guard sniffer == .telling else { return AirPacketHeader(record: record) }
        return AirPacketHeader(
            record: record, channelIndex: packet.channelIndex, rssi: -60,
            way: packet.side.map { $0 == .central ? .fromCentral : .fromPeripheral }, isCRCGood: true)
    }
}
