package import MeshBluetoothHost

extension BluetoothCentral.Peer {
    /// The radio of an address.
    package init(_ peer: BluetoothRadio.Peer) {
        self =
            switch peer {
            case .address(let number): .address(number)
            case .name(let name): .name(name)
            }
    }
}
