import MeshCrypto
import MeshPacket
import MeshWire

/// Keys in a recording's header, which open the packets that its radio has sealed.
///
/// They are the rows `private key` of the radio itself and `key of …` of those it writes to.
struct PacketKeys: Sendable {
    private let radio: LocalIdentity?
    private let peers: [PublicKey]

    init(_ header: RecordingHeader) {
        radio = header.value(of: "private key").flatMap { ExpandedPrivateKey(hex: $0) }
            .map { LocalIdentity(privateKey: $0) }
        peers = header.rows.filter { $0.key.hasPrefix("key of ") }.compactMap { PublicKey(hex: $0.value) }
    }

    /// Returns whether a packet is the recorded one, as far as its line tolerates differences.
    func agree(_ recorded: [UInt8], _ seen: [UInt8], _ tolerance: RecordingEntry.Tolerance) -> Bool {
        if tolerance.difference(recorded, seen) == nil { return true }
        guard !tolerance.sealed.isEmpty, recorded.count == seen.count, let view = try? PacketView(recorded),
            let one = opened(recorded, view.payloadOffset), let other = opened(seen, view.payloadOffset)
        else { return false }
        // Route, path and both hashes of keys; the MAC behind them follows from what is sealed.
        let open = recorded.prefix(view.payloadOffset + 2)
        return open.elementsEqual(seen.prefix(view.payloadOffset + 2)) && one.count == other.count
            && RecordingEntry.Tolerance.difference(one, other, but: tolerance.sealed) == nil
    }

    /// Returns the plaintext of a packet for the peer that it is for.
    private func opened(_ packet: [UInt8], _ payload: Int) -> [UInt8]? {
        guard let radio, packet.count > payload + 2 else { return nil }
        for peer in peers where peer[0] == packet[payload] {
            let secret = radio.sharedSecret(with: peer)
            if let plaintext = Sealing.open([UInt8](packet[(payload + 2)...]), secret: secret) { return plaintext }
        }
        return nil
    }
}
