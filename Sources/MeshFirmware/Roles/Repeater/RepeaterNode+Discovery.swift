import MeshCrypto
import MeshPacket
import MeshWire

/// A repeater's own search for its neighbours: answers with this tag count until then.
struct NeighbourSearch: Hashable, Sendable {
    let tag: UInt32
    let until: Millis
}

// Discovery. Source: InfrastructureNodes, "Neighbours and discovery".
extension RepeaterNode {
    mutating func receivedControl(_ packet: PacketView) {
        guard let first = packet.payloadByte(at: 0) else { return }
        switch first >> 4 {
        case 8: answerDiscovery(packet)
        case 9: noteDiscovered(packet)
        default: break
        }
    }

    /// Names itself to a neighbour that asks for repeaters. Requests that the limiter refuses count, too.
    private mutating func answerDiscovery(_ packet: PacketView) {
        guard let request = discoverRequest(in: packet), !server.preferences.isForwardingDisabled,
            discoveryLimit.allows(at: core.unixTime)
        else { return }
        answer(request, to: packet)
    }

    /// Enters a repeater that answers this one's own search.
    private mutating func noteDiscovered(_ packet: PacketView) {
        guard let pending = search,
            let found = try? packet.withPayload({ bytes throws(FrameError) in try DiscoverResponse(reading: bytes) }),
            found.nodeType == .repeater, found.publicKey.count == 32
        else { return }
        let key = PublicKey(found.publicKey)
        guard !core.hasPassed(pending.until) else {
            search = nil
            return
        }
        guard found.tag == pending.tag, key != core.publicKey else { return }
        let now = core.unixTime
        neighbours.note(key, advert: now, heard: now, snr: packet.snr)
    }

    /// Asks all repeaters in range for their names (`discover.neighbors`).
    mutating func searchNeighbours() {
        let tag = core.randomBytes()
        search = NeighbourSearch(tag: tag, until: core.future(60_000))
        let request = DiscoverRequest(filter: 1 << NodeType.repeater.rawValue, tag: tag, since: 0)
        guard let packet = request.written().withUnsafeBytes({ core.createControl($0) }) else { return }
        core.sendZeroHop(packet)
    }
}
