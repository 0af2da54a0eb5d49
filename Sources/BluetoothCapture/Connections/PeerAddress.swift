/// By what a device is recognised on its next connection.
enum PeerIdentity: Hashable {
    case address(PeerAddress)
    /// Of a device whose address changes every few minutes.
    case name(String)

    /// `nil` where neither is known.
    init?(_ opened: OpenedConnection) {
        if let address = PeerAddress(opened) {
            self = .address(address)
        } else if let name = opened.peerName {
            self = .name(name)
        } else {
            return nil
        }
    }
}

/// The address of a device that keeps it: a public one, or a random one that does not change.
struct PeerAddress: Hashable {
    private let bytes: [UInt8]
    private let isRandom: Bool

    /// `nil` for an address that changes every few minutes, or where none was seen.
    init?(_ opened: OpenedConnection) {
        guard let peer = opened.peer, peer.count == 6 else { return nil }
        // The two highest bits of a random address are set in a static one.
        if opened.isPeerAddressRandom, peer[0] & 0xC0 != 0xC0 { return nil }
        bytes = peer
        isRandom = opened.isPeerAddressRandom
    }
}
