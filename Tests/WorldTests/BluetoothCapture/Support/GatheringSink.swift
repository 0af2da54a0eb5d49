import MeshBluetoothHost
import MeshCapture
import MeshCompanion
import MeshWire

@testable import BluetoothCapture

/// Keeps all reports on a capture.
struct GatheringSink: CaptureSink {
    struct Frame: Equatable {
        var direction: FrameDirection
        var bytes: [UInt8]
        var isJoined = false
        var connection = 0
    }

    var frames: [Frame] = []
    var records: [Int] = []
    var events: [CaptureEvent] = []
    var problems: [CaptureProblem] = []

    mutating func frame(_ place: CapturePlace, _ direction: FrameDirection, _ bytes: Span<UInt8>, isJoined: Bool) {
        let array = bytes.withUnsafeBufferPointer { [UInt8]($0) }
        frames.append(Frame(direction: direction, bytes: array, isJoined: isJoined, connection: place.connection))
        records.append(place.record)
    }

    mutating func event(_ place: CapturePlace, _ event: CaptureEvent) {
        events.append(event)
    }

    mutating func note(_ problem: CaptureProblem) {
        problems.append(problem)
    }

    /// Direction and hex of each frame: `> 05`.
    var lines: [String] { frames.map { ($0.direction == .toRadio ? "> " : "< ") + $0.bytes.hex } }

    var handles: [NordicHandles] {
        events.compactMap { if case .handlesKnown(let handles) = $0 { handles } else { nil } }
    }

    var lost: [String] { events.compactMap { if case .lost(let what) = $0 { what } else { nil } } }
    var mtu: Int? { events.compactMap { if case .mtuChanged(let mtu) = $0 { mtu } else { nil } }.last }
    var values: Int { events.count { if case .value = $0 { true } else { false } } }
}

/// The packets of a host and its controller, written one by one and read at once.
struct HostScript {
    var reader = HostReader(GatheringSink())
    var number = 0
    var adapter: UInt16 = 0
    var handle: UInt16 = 0x40
    /// Fragments of this size.
    var fragment = 251

    var sink: GatheringSink { reader.finder.sink }

    mutating func packet(
        _ kind: HostPacketHeader.Kind, _ way: HostWay?, _ bytes: [UInt8], original: Int? = nil
    ) {
        number += 1
        let record = RecordHeader(
            number: number, offset: UInt64(number) * 100, nanoseconds: Int64(number) * 1_000_000, link: .h4,
            originalLength: original ?? bytes.count)
        reader.take(HostPacketHeader(record: record, adapter: adapter, kind: kind, way: way), bytes.span)
    }

    mutating func event(_ event: HCI.Event) {
        packet(.event, .received, event.encoded)
    }

    mutating func connect(role: UInt8 = 0, peer: [UInt8] = [1, 2, 3, 4, 5, 0xC6], type: UInt8 = 1) {
        var complete = HCI.ConnectionComplete()
        complete.handle = handle
        complete.role = role
        complete.peer = FixedBytes(peer)
        complete.peerType = type
        event(.connected(complete))
    }

    mutating func disconnect(reason: UInt8 = 0x13) {
        var complete = HCI.DisconnectionComplete()
        complete.handle = handle
        complete.reason = reason
        event(.disconnected(complete))
    }

    /// An ACL packet with this boundary flag.
    mutating func data(_ way: HostWay?, flags: UInt16, _ fragment: [UInt8], length: Int? = nil) {
        let word = handle | flags
        let length = length ?? fragment.count
        packet(
            .data, way, [UInt8(word & 0xFF), UInt8(word >> 8), UInt8(length & 0xFF), UInt8(length >> 8)] + fragment)
    }

    mutating func l2cap(_ way: HostWay?, channel: UInt16 = 4, _ payload: [UInt8], isSent: Bool) {
        let count = payload.count
        let whole = [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(channel & 0xFF), UInt8(channel >> 8)] + payload
        for start in stride(from: 0, to: whole.count, by: fragment) {
            let flags: UInt16 = start > 0 ? 0x1000 : isSent ? 0 : 0x2000
            data(way, flags: flags, Array(whole[start..<min(start + fragment, whole.count)]))
        }
    }

    mutating func send(_ message: some AttributeMessage) {
        l2cap(.sent, message.encoded(), isSent: true)
    }

    mutating func receive(_ message: some AttributeMessage) {
        l2cap(.received, message.encoded(), isSent: false)
    }

    mutating func agree(mtu: UInt16) {
        send(ATT.ExchangeMTURequest(mtu: mtu))
        receive(ATT.ExchangeMTUResponse(mtu: mtu))
    }

    /// Lists the characteristics of the Nordic UART service.
    mutating func discover(rx: UInt16 = 9, tx: UInt16 = 11) {
        for (handle, uuid) in [(rx, BluetoothUUID.nordicRX), (tx, .nordicTX)] {
            send(ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: BluetoothUUID.characteristic.bytes))
            receive(
                ATT.ReadByTypeResponse(
                    itemLength: 21, items: [UInt8(handle - 1), 0, 0x10, UInt8(handle), 0] + uuid.bytes))
        }
    }

    mutating func command(_ frame: [UInt8], to handle: UInt16 = 9) {
        send(ATT.WriteCommand(handle: handle, value: frame))
    }

    mutating func answer(_ frame: [UInt8], from handle: UInt16 = 11) {
        receive(ATT.Notification(handle: handle, value: frame))
    }

    /// Reads what the other side's host would have logged of the same.
    static func finished(_ script: HostScript) -> GatheringSink {
        var script = script
        script.reader.finish()
        return script.sink
    }
}
