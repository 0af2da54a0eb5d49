import MeshCompanion
import MeshPacket

extension RoutingCore {
    /// Allocates a packet from the pool for sending; an empty pool is stored as an error (OTA-101).
    mutating func takeForSending() -> Bool {
        if pool.take() { return true }
        errorFlags.insert(.poolEmpty)
        return false
    }

    /// Queues a packet that was allocated from the pool, or releases it when the queue has no room.
    mutating func queue(_ packet: PacketView, priority: UInt8, delayMillis: UInt32) {
        let due = future(delayMillis)
        guard sendQueue.count < sendQueue.capacity, let slot = pool.store(packet) else {
            pool.giveBack()
            return trace(.rxDrop(.queueFull))
        }
        _ = sendQueue.add(PacketQueue.Entry(slot: slot, priority: priority, due: due))
    }

    /// Delays a received packet, or releases it when the queue has no room.
    mutating func queueInbound(_ packet: PacketView, delayMillis: UInt32) {
        let due = future(delayMillis)
        guard inboundQueue.count < inboundQueue.capacity, let slot = pool.store(packet) else {
            pool.giveBack()
            return trace(.rxDrop(.queueFull))
        }
        _ = inboundQueue.add(PacketQueue.Entry(slot: slot, priority: 0, due: due))
    }

    /// A delayed packet whose time has come; it is still allocated from the pool.
    mutating func takeDueInbound() -> PacketView? {
        guard let entry = inboundQueue.takeDue(at: millis) else { return nil }
        return pool.withdraw(entry.slot)
    }

    /// Returns whether a packet was seen before, and counts a duplicate. Acknowledgements that are kept apart are
    /// not looked up.
    mutating func isKnown(_ packet: PacketView) -> Bool {
        if seen.acks != nil, packet.type == .ack { return false }
        return seen.wasSeen(packet.packetHash, isDirect: packet.isDirect)
    }

    /// Returns whether a packet was seen before, and enters it when it was not.
    mutating func isDuplicate(_ packet: PacketView) -> Bool {
        seen.meets(packet)
    }

    /// Enters a packet that this node originates; until 1.16 only when it was not met before (FWV-088).
    mutating func markSent(_ packet: borrowing PacketView) {
        guard board.firmware.switches.marksSentAgain else {
            _ = isDuplicate(copy packet)
            return
        }
        seen.markSeen(packet.packetHash)
    }
}

extension SeenTable {
    /// Returns whether a packet was seen before, and enters it when it was not.
    mutating func meets(_ packet: PacketView) -> Bool {
        if acks != nil, packet.type == .ack {
            return meetAck(packet.payloadU32(at: 0) ?? 0, isDirect: packet.isDirect)
        }
        let hash = packet.packetHash
        if wasSeen(hash, isDirect: packet.isDirect) { return true }
        markSeen(hash)
        return false
    }
}

extension PacketView {
    /// Sets the header to 0xFF, the firmware's mark for "consumed"; the packet then reads as another one.
    ///
    /// Source: OverTheAir, "Consumed packets".
    mutating func markDoNotRetransmit() {
        setRoute(.transportDirect)
        setType(.rawCustom)
        setVersion(3)
    }

    /// True when a flooded duplicate of this type is only counted: looking it up is the first step (OverTheAir,
    /// "Reception").
    @inline(__always)
    var isDroppedWhenSeen: Bool {
        guard payloadCount >= type.shortestProcessed else { return false }
        switch type {
        case .ack, .req, .response, .txtMsg, .path, .anonReq, .grpTxt, .grpData: return true
        default: return false
        }
    }

    /// The length from which retransmit delays are made: transport codes do not count
    /// (OverTheAir, "Retransmit delays").
    @inline(__always)
    var delayLength: Int { pathLength.byteCount + payloadCount + 2 }

    /// A little-endian number of the payload; `nil` when it ends before.
    func payloadU32(at offset: Int) -> UInt32? {
        guard offset + 4 <= payloadCount else { return nil }
        return withPayload { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }
}
