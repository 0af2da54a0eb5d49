/// The Bluetooth controller of a link: one that accepts HCI packets, or an adapter of bluetoothd.
public enum BluetoothController: Hashable, Sendable {
    /// A controller that answers on a TCP port of a host, with packets as on a UART (H4).
    case tcp(host: String, port: UInt16)
    /// An adapter of this machine, through the kernel's exclusive user channel; its number is that of `hci0`.
    case adapter(Int)
    /// An adapter of this machine beside the desktop, which bluetoothd keeps; its default one without a number.
    case desktop(Int?)
    /// A virtual controller in the air of the Android emulator, of its netsim with this instance number, from 1.
    case androidNetsim(Int)

    /// True for a controller that is no adapter of this machine: its air is that of its program.
    package var isVirtual: Bool {
        switch self {
        case .tcp, .androidNetsim: true
        case .adapter, .desktop: false
        }
    }

    /// The numbers that the kernel gives adapters.
    static let adapters = 0...0xFFFE

    /// The forms that `init` accepts, in a sentence.
    package static let forms = "hci0, hci0?mode=exact, hci:tcp=HOST:PORT or android-netsim"

    /// Reads the name of a controller: `hci0`, `hci0?mode=exact`, `hci:tcp=HOST:PORT` or `android-netsim`.
    ///
    /// The first is bluetoothd's adapter, the second is the adapter alone, and the third is a controller on a TCP port.
    /// The last is one of the Android emulator on this machine; `android-netsim:2` is one of its second instance.
    package init(_ text: some StringProtocol) throws(LinkError) {
        self = try AddressReader(text, for: .radio).anyController()
    }
}

extension BluetoothController: CustomStringConvertible {
    /// The text in an address: `hci:tcp=127.0.0.1:6402` or `hci1`; bluetoothd's default adapter as `bluetoothd`.
    public var description: String {
        switch self {
        case .tcp(let host, let port): Self.tcpPrefix + LinkAddress.place(host, port)
        case .adapter(let number), .desktop(let number?): "hci\(number)"
        case .desktop(nil): "bluetoothd"
        case .androidNetsim(1): Self.netsimName
        case .androidNetsim(let instance): "\(Self.netsimName):\(instance)"
        }
    }

    /// The name of a controller of the Android emulator.
    static let netsimName = "android-netsim"

    /// The prefix of a controller on a TCP port.
    static let tcpPrefix = "hci:tcp="
    /// The suffix of an adapter that is used exclusively.
    static let exactMode = "mode=exact"
}
