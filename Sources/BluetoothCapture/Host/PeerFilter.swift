import MeshBluetoothHost
import MeshWire

/// Keeps the packets of an adapter with one device, out of all.
///
/// Commands and events are kept, for the connections cannot be followed without them. Data of other devices'
/// connections is left out. So is that of connections which began earlier, since their devices are unknown.
package struct PeerFilter: Sendable {
    private struct Link: Hashable {
        let adapter: UInt16
        let handle: UInt16

        init(_ adapter: UInt16, _ handle: UInt16) {
            self.adapter = adapter
            self.handle = handle & 0x0FFF
        }
    }

    /// More connections than an adapter can have.
    private static let linkLimit = 64

    /// Most significant byte first, as people write it.
    package let peer: [UInt8]
    /// The connections of the peer that are open.
    private var links: [Link] = []

    /// Makes a filter for one peer; `nil` for an address that has not six bytes.
    package init?(peer: [UInt8]) {
        guard peer.count == 6 else { return nil }
        self.peer = peer
    }

    /// Returns whether a record of a host and its controllers is kept.
    ///
    /// Packets on the air are kept, and records that cannot be read.
    package mutating func keeps(_ header: RecordHeader, _ bytes: Span<UInt8>) -> Bool {
        guard let packet = try? header.hostPlace(in: bytes) else { return true }
        let content = bytes.extracting(packet.start...)
        switch packet.kind {
        case .data:
            guard let data = HCI.DataHeader(content) else { return true }
            return links.contains(Link(packet.adapter, data.handle))
        case .command: if case .reset? = try? HCI.Command(decoding: content) { forgetAll(packet.adapter) }
        case .event: learn(packet.adapter, content)
        case .adapter: if packet.kind.endsConnections { forgetAll(packet.adapter) }
        case .note, .other: break
        }
        return true
    }

    /// Connections that begin and end.
    private mutating func learn(_ adapter: UInt16, _ bytes: Span<UInt8>) {
        switch try? HCI.Event(decoding: bytes) {
        case .connected(let event)? where event.status == 0: opened(adapter, event.handle, event.peer)
        case .connectedClassic(let event)? where event.status == 0: opened(adapter, event.handle, event.peer)
        case .disconnected(let event)? where event.status == 0: forget(Link(adapter, event.handle))
        default: break
        }
    }

    private mutating func opened(_ adapter: UInt16, _ handle: UInt16, _ address: FixedBytes<6>) {
        let link = Link(adapter, handle)
        forget(link)
        guard address.array.reversed() == peer else { return }
        if links.count == Self.linkLimit { links.removeFirst() }
        links.append(link)
    }

    private mutating func forget(_ link: Link) { links.removeAll { $0 == link } }

    private mutating func forgetAll(_ adapter: UInt16) { links.removeAll { $0.adapter == adapter } }
}
