import MeshBluetoothHost

/// Keeps what an adapter says to one device, out of all that it says.
///
/// Commands and events are kept, for without them nobody can follow the connections; data of other devices' connections
/// is left out, and that of connections which began earlier, since nothing tells whose they are.
public struct PeerFilter: Sendable {
    private struct Link: Hashable {
        var adapter: UInt16
        var handle: UInt16
    }

    /// More connections than an adapter can have.
    private static let linkLimit = 64

    /// Most significant byte first, as people write it.
    public let peer: [UInt8]
    /// The connections of the peer that are open.
    private var links: [Link] = []

    /// `nil` for what is no address of six bytes.
    public init?(peer: [UInt8]) {
        guard peer.count == 6 else { return nil }
        self.peer = peer
    }

    /// Whether a record of a host and its controllers is kept; what was on the air is.
    public mutating func keeps(_ header: RecordHeader, _ bytes: Span<UInt8>) -> Bool {
        switch header.link {
        case .h4 where bytes.count > 1:
            return keeps(type: bytes[0], adapter: header.interface, bytes.extracting(1...))
        case .h4WithDirection where bytes.count > 5:
            return keeps(type: bytes[4], adapter: header.interface, bytes.extracting(5...))
        case .hciByFlags:
            let types: [UInt8] = [2, 2, 1, 4]
            return keeps(type: types[Int(header.kind & 3)], adapter: 0, bytes)
        case .packetLogger where header.kind < 4:
            let types: [UInt8] = [1, 4, 2, 2]
            return keeps(type: types[Int(header.kind)], adapter: 0, bytes)
        case .linuxMonitor where bytes.count >= 4:
            let (adapter, opcode) = (bytes.word16(0, .big), bytes.word16(2, .big))
            return keeps(opcode: opcode, adapter: adapter, bytes.extracting(4...))
        case .linuxMonitorByFlags:
            let opcode = UInt16(truncatingIfNeeded: header.kind)
            return keeps(opcode: opcode, adapter: UInt16(truncatingIfNeeded: header.kind >> 16), bytes)
        default: return true
        }
    }

    private mutating func keeps(opcode: UInt16, adapter: UInt16, _ packet: Span<UInt8>) -> Bool {
        switch opcode {
        case 2: return keeps(type: 1, adapter: adapter, packet)
        case 3: return keeps(type: 4, adapter: adapter, packet)
        case 4, 5: return keeps(type: 2, adapter: adapter, packet)
        // New, gone, opened, closed: nothing of before holds any longer.
        case 0, 1, 8, 9: links.removeAll { $0.adapter == adapter }
        default: break
        }
        return true
    }

    /// `type` is that of H4: 1 for commands, 2 for data, 4 for events.
    private mutating func keeps(type: UInt8, adapter: UInt16, _ packet: Span<UInt8>) -> Bool {
        switch type {
        case 2:
            guard packet.count >= 2 else { return true }
            return links.contains(Link(adapter: adapter, handle: Self.handle(packet, at: 0)))
        case 1 where packet.count >= 2 && packet.word16(0, .little) == HCI.CommandCode.reset:
            links.removeAll { $0.adapter == adapter }
        case 4: learn(adapter, packet)
        default: break
        }
        return true
    }

    /// Connections that begin and end.
    private mutating func learn(_ adapter: UInt16, _ event: Span<UInt8>) {
        guard event.count >= 3 else { return }
        switch event[0] {
        // Disconnection complete: status, handle.
        case 0x05 where event.count >= 5:
            forget(Link(adapter: adapter, handle: Self.handle(event, at: 3)))
        // Low energy: connection complete in its versions, with status, handle, role, kind of address and address.
        case 0x3E where event.count >= 14 && [0x01, 0x0A, 0x29].contains(event[2]) && event[3] == 0:
            opened(Link(adapter: adapter, handle: Self.handle(event, at: 4)), event, address: 8)
        // Classic: status, handle, address.
        case 0x03 where event.count >= 11 && event[2] == 0:
            opened(Link(adapter: adapter, handle: Self.handle(event, at: 3)), event, address: 5)
        default: break
        }
    }

    private mutating func opened(_ link: Link, _ event: Span<UInt8>, address: Int) {
        forget(link)
        for index in 0..<6 where event[address + index] != peer[5 - index] { return }
        if links.count == Self.linkLimit { links.removeFirst() }
        links.append(link)
    }

    private mutating func forget(_ link: Link) {
        links.removeAll { $0 == link }
    }

    private static func handle(_ bytes: Span<UInt8>, at offset: Int) -> UInt16 {
        (UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8) & 0x0FFF
    }
}
