import MeshBluetoothHost
import MeshCompanion
import MeshWire

/// The host of a central and its controller, on one connection after the other.
struct SyntheticLink {
    private let capture: SyntheticCapture
    private var number = 0
    private var isConnected = false
    var nanoseconds: Int64

    /// The handle of the connection, and those of the radio's server: notify first, as ESP32 nodes have it.
    private static let handle: UInt16 = 0x0040
    private static let service = ATT.HandleRange(first: 0x0010, last: 0x0015)
    private static let tx: UInt16 = 0x0012
    private static let configuration: UInt16 = 0x0013
    private static let rx: UInt16 = 0x0015

    init(_ capture: SyntheticCapture) {
        self.capture = capture
        nanoseconds = capture.began
    }

    // MARK: The connection

    mutating func connect(into sink: inout some HostPacketSink) {
        guard !isConnected else { return }
        isConnected = true
        let peer = FixedBytes<6>(capture.peer.reversed())
        var create = HCI.CreateConnection()
        create.peerType = 1
        create.peer = peer
        command(HCI.Command.createConnection(create).encoded, into: &sink)
        var complete = HCI.ConnectionComplete()
        complete.handle = Self.handle
        complete.peerType = 1
        complete.peer = peer
        complete.interval = 40
        complete.timeout = 420
        event(.connected(complete), into: &sink)
        discover(into: &sink)
    }

    mutating func disconnect(reason: UInt8, into sink: inout some HostPacketSink) {
        guard isConnected else { return }
        isConnected = false
        if reason == 0x16 {
            // Disconnect: a handle and a reason.
            command([0x06, 0x04, 3, UInt8(Self.handle & 0xFF), UInt8(Self.handle >> 8), 0x13], into: &sink)
        }
        var complete = HCI.DisconnectionComplete()
        complete.handle = Self.handle
        complete.reason = reason
        event(.disconnected(complete), into: &sink)
    }

    /// Everything that an app asks before the first frame.
    private mutating func discover(into sink: inout some HostPacketSink) {
        send(ATT.ExchangeMTURequest(mtu: capture.mtu), into: &sink)
        receive(ATT.ExchangeMTUResponse(mtu: capture.mtu), into: &sink)
        let primary = BluetoothUUID.primaryService.bytes
        let range = Self.service
        send(ATT.ReadByGroupTypeRequest(first: 1, last: 0xFFFF, type: primary), into: &sink)
        let service = range.written() + BluetoothUUID.nordicUART.bytes
        receive(ATT.ReadByGroupTypeResponse(itemLength: UInt8(service.count), items: service), into: &sink)
        send(ATT.ReadByGroupTypeRequest(first: range.last + 1, last: 0xFFFF, type: primary), into: &sink)
        refuse(.readByGroupTypeRequest, range.last + 1, into: &sink)
        // 0x10 notify; 0x0C write, with and without response.
        characteristic(Self.tx, properties: 0x10, .nordicTX, from: range.first, into: &sink)
        characteristic(Self.rx, properties: 0x0C, .nordicRX, from: Self.tx, into: &sink)
        let characteristics = BluetoothUUID.characteristic.bytes
        send(ATT.ReadByTypeRequest(first: Self.rx, last: range.last, type: characteristics), into: &sink)
        refuse(.readByTypeRequest, Self.rx, into: &sink)
        send(ATT.FindInformationRequest(first: Self.configuration, last: Self.configuration), into: &sink)
        let configuration = [UInt8(Self.configuration), 0] + BluetoothUUID.clientConfiguration.bytes
        receive(ATT.FindInformationResponse(format: 1, items: configuration), into: &sink)
        send(ATT.WriteRequest(handle: Self.configuration, value: [1, 0]), into: &sink)
        receive(ATT.WriteResponse(), into: &sink)
    }

    /// One at a time, so that it works with the smallest MTU too.
    private mutating func characteristic(
        _ value: UInt16, properties: UInt8, _ uuid: BluetoothUUID, from first: UInt16,
        into sink: inout some HostPacketSink
    ) {
        let type = BluetoothUUID.characteristic.bytes
        send(ATT.ReadByTypeRequest(first: first, last: Self.service.last, type: type), into: &sink)
        let item = [UInt8(value - 1), 0, properties, UInt8(value), 0] + uuid.bytes
        receive(ATT.ReadByTypeResponse(itemLength: UInt8(item.count), items: item), into: &sink)
    }

    // MARK: Frames

    mutating func frame(_ direction: FrameDirection, _ bytes: [UInt8], into sink: inout some HostPacketSink) {
        guard bytes.count <= ATT.longestValue(mtu: Int(capture.mtu)) else { return }
        switch direction {
        case .toRadio: send(ATT.WriteCommand(handle: Self.rx, value: bytes), into: &sink)
        case .toApp: receive(ATT.Notification(handle: Self.tx, value: bytes), into: &sink)
        }
    }

    private mutating func send(_ message: some AttributeMessage, into sink: inout some HostPacketSink) {
        data(message.encoded(), .sent, into: &sink)
    }

    private mutating func receive(_ message: some AttributeMessage, into sink: inout some HostPacketSink) {
        data(message.encoded(), .received, into: &sink)
    }

    private mutating func refuse(_ request: ATT.Opcode, _ handle: UInt16, into sink: inout some HostPacketSink) {
        receive(ATT.ErrorResponse(request: request, handle: handle, error: .attributeNotFound), into: &sink)
    }

    // MARK: Packets

    /// An attribute packet in L2CAP, in as many fragments as it needs.
    private mutating func data(_ packet: [UInt8], _ way: HostWay, into sink: inout some HostPacketSink) {
        let fragments = HCI.fragments(
            of: L2CAP.packet(packet, on: L2CAP.Channel.attributes), handle: Self.handle,
            first: way == .sent ? .first : .firstFlushable, size: capture.fragmentSize.rawValue)
        for fragment in fragments { emit(.data, way, fragment, into: &sink) }
    }

    /// A command, and the controller's word that it works on it.
    private mutating func command(_ bytes: [UInt8], into sink: inout some HostPacketSink) {
        emit(.command, .sent, bytes, into: &sink)
        var status = HCI.CommandStatus()
        status.opcode = bytes.span.word(at: 0)
        event(.commandStatus(status), into: &sink)
    }

    private mutating func event(_ event: HCI.Event, into sink: inout some HostPacketSink) {
        emit(.event, .received, event.encoded, into: &sink)
    }

    private mutating func emit(
        _ kind: HostPacketHeader.Kind, _ way: HostWay, _ bytes: [UInt8], into sink: inout some HostPacketSink
    ) {
        number += 1
        let record = RecordHeader(
            number: number, offset: 0, nanoseconds: nanoseconds, link: .h4WithDirection, originalLength: bytes.count,
            way: way)
        sink.take(HostPacketHeader(record: record, kind: kind, way: way), bytes.span)
    }
}
