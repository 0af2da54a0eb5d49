import MeshCrypto
import MeshPacket
import MeshWire

// Payloads between two nodes that hold each other's keys: REQ, RESPONSE, TXT_MSG and PATH.
// Source: OverTheAir, "Reception" (OTA-014, OTA-067, OTA-069).
extension MeshNode {
    mutating func receiveDatagram(_ packet: inout PacketView) -> PacketAction {
        guard !core.isDuplicate(packet) else { return drop(.alreadySeen) }
        if packet.payloadByte(at: 0) == core.publicKey[0], openDatagram(packet) { return .release }
        return passFlood(&packet)
    }

    /// Tries the peers with the source hash in table order; `true` when one has sent the packet.
    private mutating func openDatagram(_ packet: PacketView) -> Bool {
        let matches = peers(withHash: packet.payloadByte(at: 1) ?? 0)
        for position in 0..<matches.count {
            let index = matches[position]
            let secret = secret(ofPeer: index)
            guard let opened = open(packet, secret: secret) else { continue }
            return opened.withBytes { data in
                guard packet.type == .path else {
                    receivedFromPeer(packet, type: packet.type, peer: index, secret: secret, data: data)
                    return true
                }
                // A path that makes no sense ends the search, as if nobody had sent it.
                return receivePath(packet, peer: index, secret: secret, data: data)
            }
        }
        return false
    }

    /// Delivers a returned path to the role, and sends the path of this packet to its sender; `false` when the path
    /// is invalid.
    private mutating func receivePath(
        _ packet: PacketView, peer index: Int, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) -> Bool {
        let length = PathLength(rawValue: data[0])
        let extraAt = 1 + length.byteCount
        guard length.isValid, extraAt < data.count else { return false }
        let path = data.from(1).first(length.byteCount)
        let isAccepted = receivedPath(
            packet, peer: index, secret: secret, pathLength: length, path: path, extraType: data[extraAt] & 0x0F,
            extra: data.from(extraAt + 1))
        guard isAccepted, packet.isFlood else { return true }
        let source = packet.payloadByte(at: 1) ?? 0
        let reciprocal = packet.withPath {
            core.createPathReturn(toHash: source, secret: secret, pathLength: packet.pathLength, path: $0)
        }
        if let reciprocal { core.sendDirect(reciprocal, pathLength: length, path: path, delayMillis: 500) }
        return true
    }
}
