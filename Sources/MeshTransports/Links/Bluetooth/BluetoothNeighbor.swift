package import MeshBluetoothHost

/// A radio that is in range, as far as its advertisements say.
package struct BluetoothNeighbor: Hashable, Sendable {
    /// The device address: six bytes as a number, the first one the highest.
    package var address: UInt64
    /// The name without characters that would disturb a terminal.
    package var name: String?
    /// The signal in dBm; `nil` where it is not known.
    package var signal: Int?
    /// True when this machine has its keys.
    package var isPaired: Bool
    /// True when it offers the Nordic UART service.
    package var hasNordicUART: Bool

    package init(address: UInt64, name: String?, signal: Int?, isPaired: Bool, hasNordicUART: Bool) {
        self.address = address
        self.name = name
        self.signal = signal
        self.isPaired = isPaired
        self.hasNordicUART = hasNordicUART
    }

    /// Makes a neighbour from an advertiser that a host of our own received.
    package init(_ advertiser: BluetoothHost.Advertiser, isPaired: Bool) {
        self.init(
            address: advertiser.address.number, name: advertiser.facts.name,
            signal: advertiser.rssi == 127 ? nil : Int(advertiser.rssi), isPaired: isPaired,
            hasNordicUART: advertiser.facts.hasNordicUART)
    }

    /// True for a radio of the kind that is looked for: by the name that its firmware gives it.
    package var isMeshCore: Bool { hasNordicUART && name?.hasPrefix("MeshCore-") == true }
}
