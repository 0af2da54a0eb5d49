/// What Bluetooth is done with: a controller that takes HCI packets.
public enum BluetoothController: Hashable, Sendable {
    /// One that answers on a TCP port of a host, with packets as on a UART (H4).
    case tcp(host: String, port: UInt16)
    /// An adapter of this machine, through the kernel's exclusive user channel; its number is that of `hci0`.
    case adapter(Int)

    /// The numbers that the kernel gives adapters.
    static let adapters = 0...0xFFFE
}

extension BluetoothController: CustomStringConvertible {
    /// As an address names it: `hci:tcp=127.0.0.1:6402` or `hci1`.
    public var description: String {
        switch self {
        case .tcp(let host, let port): Self.tcpPrefix + LinkAddress.place(host, port)
        case .adapter(let number): "hci\(number)"
        }
    }

    /// What one on a TCP port begins with.
    static let tcpPrefix = "hci:tcp="
    /// What an adapter needs behind it where it takes the part of a radio.
    static let exactMode = "mode=exact"
}
