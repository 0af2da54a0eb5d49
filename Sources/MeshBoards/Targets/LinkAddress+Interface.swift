package import MeshSimulator
package import MeshTransports

// What an address says about the radio behind it.
extension LinkAddress {
    /// The interface of a radio that is reached here.
    package var interface: AppLink {
        switch self {
        case .tcp: .wifi
        case .serial, .remote, .pty: .serial
        case .controller, .bluetooth: .bluetooth
        }
    }

    /// The radio is reached through a controller whose packets are ours; bluetoothd keeps those of its own.
    var hasController: Bool {
        guard case .bluetooth(let radio) = self else { return false }
        if case .desktop = radio.controller { return false }
        return true
    }
}
