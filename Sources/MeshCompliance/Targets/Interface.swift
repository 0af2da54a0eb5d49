import MeshLinks
import MeshSimulator

/// Which of its interfaces a radio offers.
enum Interface: String, Sendable {
    /// USB or UART: hunts for `3C`, cuts long frames, always connected.
    case serial
    /// TCP of the ESP32 Wi-Fi builds: fixed headers, discards long frames, one client.
    case wifi
    /// TCP of the builds with an Ethernet module: hunts for `3C` as the serial line does, one client.
    case ethernet
    /// Whole frames at least 60 ms apart, of which four may wait, as on ESP32 Bluetooth: the link that is busy at times.
    case paced

    /// The build of the emulated board that has it.
    var appLink: AppLink {
        switch self {
        case .serial: .serial
        case .wifi: .wifi
        case .ethernet: .ethernet
        case .paced: .paced
        }
    }
}

extension LinkAddress {
    /// The interface of a radio that is reached here.
    var interface: Interface { isLine ? .serial : .wifi }
}
