import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// The receive pipeline of OverTheAir, "Reception", step by step; firmware, `Mesh::onRecvPacket`.
extension MeshNode {
    /// Decides on the fate of a packet, which it may change for forwarding.
    mutating func onReceive(_ packet: inout PacketView) -> PacketAction {
        resolveRegion(packet)
        if packet.isDirect {
            if packet.type == .trace { return passTrace(&packet) }
            if packet.type == .control, let first = packet.payloadByte(at: 0), first & 0x80 != 0 {
                if packet.hopCount == 0 { receivedControl(packet) }
                return .release
            }
            if packet.hopCount > 0 { return passDirect(&packet) }
        }
        guard packet.payloadCount >= packet.type.shortestProcessed else { return drop(.tooShort) }
        switch packet.type {
        case .ack: return receiveAck(&packet)
        case .req, .response, .txtMsg, .path: return receiveDatagram(&packet)
        case .anonReq: return receiveAnonymous(&packet)
        case .grpTxt, .grpData: return receiveGroup(&packet)
        case .advert: return receiveAdvert(&packet)
        case .rawCustom: return receiveRaw(packet)
        case .multipart: return receiveMultipart(packet)
        default: return drop(.ignoredType)
        }
    }

    /// Releases a packet and reports the reason.
    mutating func drop(_ reason: DropReason) -> PacketAction {
        core.trace(.rxDrop(reason))
        return .release
    }

    /// Delivers an acknowledgement to the role; `true` when it was ours.
    mutating func deliverAck(_ packet: PacketView, at offset: Int = 0) -> Bool {
        guard let ack = packet.payloadU32(at: offset), receivedAck(packet, ack: ack) else { return false }
        core.trace(.acked(ack))
        return true
    }

    private mutating func receiveAck(_ packet: inout PacketView) -> PacketAction {
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        return deliverAck(packet) ? .release : passFlood(&packet)
    }

    private mutating func receiveGroup(_ packet: inout PacketView) -> PacketAction {
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        let isDelivered = openGroup(packet)
        return passFlood(&packet, isDelivered: isDelivered)
    }

    /// The first channel whose secret verifies gets the data.
    private mutating func openGroup(_ packet: PacketView) -> Bool {
        let matches = channels(withHash: packet.payloadByte(at: 0) ?? 0)
        for position in 0..<matches.count {
            let (index, secret) = matches[position]
            guard let opened = open(packet, secret: secret) else { continue }
            opened.withBytes { receivedGroup(packet, type: packet.type, channel: index, data: $0) }
            return true
        }
        return false
    }

    private mutating func receiveAnonymous(_ packet: inout PacketView) -> PacketAction {
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        if packet.payloadByte(at: 0) == core.publicKey[0] {
            let sender = packet.withPayload { PublicKey($0.from(1)) }
            let secret = core.identity.sharedSecret(with: sender)
            if let opened = open(packet, secret: secret) {
                opened.withBytes { receivedAnonymous(packet, sender: sender, secret: secret, data: $0) }
                return .release
            }
        }
        return passFlood(&packet)
    }

    /// A forged advert stays in the duplicate table and so blocks the packet that it imitates (OTA-024).
    private mutating func receiveAdvert(_ packet: inout PacketView) -> PacketAction {
        let key = packet.withPayload { PublicKey($0) }
        guard key != core.publicKey else { return drop(.ownAdvert) }
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        guard packet.hasValidAdvertSignature else {
            if !core.quirks.contains(.forgedAdvertBlocks) { core.seen.clear(packet.packetHash) }
            return drop(.badSignature)
        }
        core.trace(.delivered(payloadType: packet.type.rawValue))
        let timestamp = packet.payloadU32(at: 32) ?? 0
        packet.withPayload { payload in
            receivedAdvert(
                packet, key: key, timestamp: timestamp, appData: payload.from(100).first(PacketLimits.advertData))
        }
        return passFlood(&packet, isDelivered: true)
    }

    private mutating func receiveRaw(_ packet: PacketView) -> PacketAction {
        guard packet.isDirect else { return drop(.ignoredType) }
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        core.trace(.delivered(payloadType: packet.type.rawValue))
        receivedRaw(packet)
        return .release
    }

    /// Copies that differ in `remaining` only are one, and another packet than the plain acknowledgement.
    private mutating func receiveMultipart(_ packet: PacketView) -> PacketAction {
        guard let ack = packet.multipartAck else { return drop(.ignoredType) }
        guard !core.isDuplicate(ack) else { return drop(.alreadySeen) }
        _ = deliverAck(ack)
        return .release
    }

    /// Opens a sealed payload; `nil` when the secret does not fit.
    mutating func open(_ packet: PacketView, secret: SharedSecret) -> OpenedPayload? {
        guard let opened = packet.opened(with: secret) else { return nil }
        core.trace(.delivered(payloadType: packet.type.rawValue))
        return opened
    }
}

extension PacketView {
    /// The packet inside a MULTIPART acknowledgement: the same header, the payload without its first byte.
    ///
    /// It is hashed as MULTIPART (OverTheAir, "Reception"). `nil` when it holds no whole acknowledgement.
    var multipartAck: PacketView? {
        guard type == .multipart, payloadCount >= 5, let first = payloadByte(at: 0),
            first & 0x0F == PayloadType.ack.rawValue
        else { return nil }
        var inner = self
        withPayload { _ = inner.setPayload($0.from(1)) }
        return inner
    }
}
