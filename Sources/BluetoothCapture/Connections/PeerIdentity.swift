import MeshBluetoothHost

/// The property by which a device is recognised on its next connection.
enum PeerIdentity: Hashable {
    case address(BluetoothAddress)
    /// Of a device whose address changes every few minutes.
    case name(String)

    /// `nil` where neither is known.
    init?(_ opened: OpenedConnection) {
        if let address = opened.peer, address.isLasting {
            self = .address(address)
        } else if let name = opened.peerName {
            self = .name(name)
        } else {
            return nil
        }
    }
}
