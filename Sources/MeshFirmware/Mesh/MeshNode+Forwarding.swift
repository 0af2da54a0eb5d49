import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// Source: OverTheAir, "Flood forwarding" and "Direct forwarding"; firmware, `Mesh::routeRecvPacket`,
// `forwardMultipartDirect` and `routeDirectRecvAcks`.
extension MeshNode {
    /// Sends a flood on with this node's hash appended, if nothing is against it.
    ///
    /// Packets that were delivered here end without a reason to report.
    mutating func passFlood(_ packet: inout PacketView, isDelivered: Bool = false) -> PacketAction {
        guard packet.isFlood else { return isDelivered ? .release : drop(.notForUs) }
        guard packet.canAppendHop, packet.hopCount < 63 || core.quirks.contains(.hopCountOverflow) else {
            return isDelivered ? .release : drop(.pathFull)
        }
        guard allowsForwarding(packet) else { return isDelivered ? .release : drop(.forwardingDenied) }
        packet.appendHop(core.publicKey)
        return .retransmit(
            priority: UInt8(packet.hopCount), delayMillis: floodRetransmitDelay(bytes: packet.delayLength) & 0xFF_FFFF)
    }

    /// A direct packet with hops remaining: overheard acknowledgements are read, and the next hop sends it on.
    ///
    /// An acknowledgement for this node is marked. A node that is also its next hop then no longer knows its type:
    /// it leaves with header 0xFF, which every node discards (OverTheAir, "Known quirks of the firmware").
    mutating func passDirect(_ packet: inout PacketView) -> PacketAction {
        if packet.type == .ack, deliverAck(packet) { packet.markDoNotRetransmit() }
        guard packet.isNextHop(core.publicKey) else { return drop(.notNextHop) }
        guard allowsForwarding(packet) else { return drop(.forwardingDenied) }
        switch packet.type {
        case .multipart: return passMultipart(packet)
        case .ack:
            guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
            packet.removeFirstHop()
            reemitAcks(packet, delayMillis: 0)
            return .release
        default:
            guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
            packet.removeFirstHop()
            return .retransmit(priority: 0, delayMillis: directRetransmitDelay(bytes: packet.delayLength) & 0xFF_FFFF)
        }
    }

    private mutating func passMultipart(_ packet: PacketView) -> PacketAction {
        guard var ack = packet.multipartAck, let first = packet.payloadByte(at: 0) else { return drop(.ignoredType) }
        guard !core.isDuplicate(ack) else { return drop(.alreadySeen) }
        ack.removeFirstHop()
        reemitAcks(ack, delayMillis: (UInt32(first >> 4) + 1) * 300)
        return .release
    }

    /// Sends an acknowledgement on as new packets: the extra copies, then the plain one with the last of them.
    ///
    /// They have route DIRECT, so transport codes are lost (OTA-042), and are not entered as seen.
    private mutating func reemitAcks(_ packet: PacketView, delayMillis: UInt32) {
        // Until 1.15 the new packets carry the first four bytes alone (FWV-067).
        let length = core.switches.relaysWholeAcks ? packet.payloadCount : min(4, packet.payloadCount)
        var delay = delayMillis
        for remaining in stride(from: extraAckCount, to: 0, by: -1) {
            delay &+= directRetransmitDelay(bytes: packet.delayLength) &+ 300
            reemit(
                packet.withPayload { core.createMultiAck($0.first(length), remaining: remaining) }, like: packet, delay)
        }
        reemit(packet.withPayload { core.createAck($0.first(length)) }, like: packet, delay)
    }

    private mutating func reemit(_ created: PacketView?, like packet: PacketView, _ delayMillis: UInt32) {
        guard var created else { return }
        let keepsCodes = !core.quirks.contains(.directAckLosesCodes)
        created.setRoute(keepsCodes ? packet.route : .direct, codes: packet.transportCodes)
        packet.withPath { _ = created.setPath(packet.pathLength, $0) }
        core.trace(.forwarded(hops: UInt8(packet.hopCount), delayMilliseconds: delayMillis))
        core.queue(created, priority: 0, delayMillis: delayMillis)
    }

    /// A TRACE: the node named next appends the SNR at which it received the packet; at its end every node may read
    /// it.
    ///
    /// `path_len` counts SNR bytes here, and entries are of 1, 2, 4 or 8 bytes (OTA-053).
    mutating func passTrace(_ packet: inout PacketView) -> PacketAction {
        let visited = Int(packet.pathLength.rawValue)
        guard visited < PacketLimits.path else { return drop(.pathFull) }
        guard let tag = packet.payloadU32(at: 0), let auth = packet.payloadU32(at: 4),
            let flags = packet.payloadByte(at: 8)
        else { return drop(.tooShort) }
        let size = 1 << Int(flags & 3)
        guard visited * size < packet.payloadCount - 9 else {
            core.trace(.delivered(payloadType: packet.type.rawValue))
            deliverTrace(packet, tag: tag, auth: auth, flags: flags)
            return .release
        }
        guard packet.payloadHolds(core.publicKey, bytes: size, at: 9 + visited * size) else { return drop(.notNextHop) }
        guard allowsForwarding(packet) else { return drop(.forwardingDenied) }
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        packet.appendSNR(packet.snr)
        return .retransmit(priority: 5, delayMillis: directRetransmitDelay(bytes: packet.delayLength) & 0xFF_FFFF)
    }

    private mutating func deliverTrace(_ packet: PacketView, tag: UInt32, auth: UInt32, flags: UInt8) {
        packet.withPath { snrs in
            packet.withPayload { payload in
                receivedTrace(packet, tag: tag, auth: auth, flags: flags, snrs: snrs, hashes: payload.from(9))
            }
        }
    }
}

extension PacketView {
    /// Returns whether the payload holds the first bytes of a key at `offset`; false when it ends before.
    func payloadHolds(_ key: PublicKey, bytes: Int, at offset: Int) -> Bool {
        guard offset + bytes <= payloadCount else { return false }
        for index in 0..<bytes where payloadByte(at: offset + index) != key[index] { return false }
        return true
    }
}
