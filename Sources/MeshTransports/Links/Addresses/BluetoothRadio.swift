import MeshBluetoothHost

/// A radio that is reached over Bluetooth: its name or address, its controller, and the PIN that it shows.
public struct BluetoothRadio: Hashable, Sendable {
    /// The choice of a radio among those in range.
    public enum Peer: Hashable, Sendable {
        /// The one with this device address: its six bytes as a number, the first one the highest.
        case address(UInt64)
        /// The one that advertises this name, as in `MeshCore-alice`.
        case name(String)
    }

    /// The radio to dial.
    public var peer: Peer
    /// Through which controller it is dialed.
    public var controller: BluetoothController
    /// The six digits as a number; without it those of the environment variable, else ``defaultPIN``.
    public var pin: UInt32?

    /// A radio, and the way to it: bluetoothd's unless another is named.
    public init(_ peer: Peer, via controller: BluetoothController = .desktop(nil), pin: UInt32? = nil) {
        self.peer = peer
        self.controller = controller
        self.pin = pin
    }

    /// The PIN of radios without a display, unless they were given another.
    public static let defaultPIN: UInt32 = 123_456
    /// Holds the PIN where the address does not, so that no list of processes shows it.
    public static let pinVariable = "MESHBED_PIN"
    /// Bytes of a name (Bluetooth Core, Vol 3 Part C, 12.1).
    static let longestName = 248
}

extension BluetoothRadio.Peer: CustomStringConvertible {
    /// The text in an address: `AA:BB:CC:DD:EE:FF` or the name.
    public var description: String {
        switch self {
        case .name(let name): name
        case .address(let number): BluetoothAddress(number: number, isRandom: false).text
        }
    }
}

extension BluetoothRadio: CustomStringConvertible, CustomReflectable {
    /// The radio and the way to it, never the PIN: `MeshCore-alice?via=hci:tcp=127.0.0.1:6402`.
    public var description: String {
        switch controller {
        case .desktop(nil): "\(peer)"
        case .adapter: "\(peer)?via=\(controller)&\(BluetoothController.exactMode)"
        case .tcp, .desktop, .androidNetsim: "\(peer)?via=\(controller)"
        }
    }
    /// The mirror without the PIN, for `dump` and test reports.
    public var customMirror: Mirror { Mirror(self, children: ["peer": peer, "controller": controller]) }
}
