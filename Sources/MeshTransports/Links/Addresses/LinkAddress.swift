/// The address of a link: a TCP port, a serial line, here or elsewhere, a pseudo-terminal, a Bluetooth controller or a
/// radio behind one.
///
/// Each reader names its purpose. The optional parts differ, all else is the same.
///
/// | | `init(radio:)` | `init(listener:)` | `init(endpoint:)` | `init(control:)` | `init(web:)` |
/// |---|---|---|---|---|---|
/// | forms | TCP, lines, `ble:` | `tcp://`, `pty:` | those of a listener, `ble:hci` | `tcp://` | `http://` |
/// | no host | refused | `127.0.0.1` | as a listener; refused for a controller | refused | `127.0.0.1` |
/// | no port | 5000; refused for a line elsewhere | refused | refused | refused | refused |
/// | port 0 | refused | the system chooses | as a listener; refused for a controller | refused | the system chooses |
/// | no baud rate | 115200 | | | | |
/// | no PIN | `MESHBED_PIN`, else 123456 | | | | |
///
/// An IPv6 address stands in brackets: `tcp://[::1]:5000`. The printed form of an address is read as the same address.
/// One exception: it never has the PIN of a radio.
///
/// A radio to dial is `ble:RADIO[?via=CONTROLLER][&mode=exact][&pin=DIGITS]`. The radio is a device address as
/// `AA:BB:CC:DD:EE:FF`, or the name that it advertises. Names with `?`, `&` or invisible characters are reached by
/// their address. The controller is bluetoothd's default adapter unless it is named. `hci0` is another one of
/// bluetoothd's; with `mode=exact` it is that adapter through the kernel's exclusive channel. `hci:tcp=HOST:PORT` is
/// one on a TCP port, and `android-netsim` one of the Android emulator on this machine. Endpoints of emulated radios
/// are `ble:hci:tcp=HOST:PORT`, `ble:android-netsim`, `ble:hci0` beside the desktop, and `ble:hci0?mode=exact` for the
/// kernel's exclusive channel.
public enum LinkAddress: Hashable, Sendable {
    /// A TCP port of a host: a name, or an address without brackets. Listeners accept port 0 for any free one.
    case tcp(host: String, port: UInt16)
    /// A serial line.
    case serial(path: String, baud: Int = SerialLine.defaultBaud)
    /// A serial line of another machine.
    case remote(RemoteLine)
    /// A pseudo-terminal, found under a symbolic link at this path.
    case pty(path: String)
    /// A Bluetooth controller, for programs that play a radio with it.
    case controller(BluetoothController)
    /// A radio in the range of a Bluetooth controller.
    case bluetooth(BluetoothRadio)

    /// The default address of listeners: this machine alone.
    public static let defaultHost = "127.0.0.1"
    /// `TCP_PORT` of the firmware.
    public static let defaultPort: UInt16 = 5000
    /// The address for any free port of this machine alone, for listeners.
    public static let freePort = LinkAddress.tcp(host: defaultHost, port: 0)

    /// The address of a radio to dial: `tcp://HOST[:PORT]`, `serial:PATH[?baud=RATE]`,
    /// `rfc2217://HOST:PORT[?baud=RATE]`, `socket://HOST:PORT` or `ble:RADIO[?via=CONTROLLER][&pin=DIGITS]`.
    public init(radio text: some StringProtocol) throws(LinkError) {
        self = try AddressReader(text, for: .radio).address()
    }

    /// Reads the address of a listener for clients: `tcp://[HOST]:PORT` or `pty:PATH`.
    public init(listener text: some StringProtocol) throws(LinkError) {
        self = try AddressReader(text, for: .listener).address()
    }

    /// Reads the address at which clients reach an emulated radio.
    ///
    /// It is one of a listener, or `ble:hci:tcp=HOST:PORT`, `ble:hci0`, `ble:hci0?mode=exact` or `ble:android-netsim`.
    /// The last four name the controller through which it is a Bluetooth peripheral.
    public init(endpoint text: some StringProtocol) throws(LinkError) {
        self = try AddressReader(text, for: .endpoint).address()
    }

    /// The address at which a rig is steered: `tcp://HOST:PORT`.
    public init(control text: some StringProtocol) throws(LinkError) {
        self = try AddressReader(text, for: .control).address()
    }

    /// The address at which a control API listens: `http://[HOST]:PORT`. It is that of a TCP port; `web` prints it
    /// again.
    package init(web text: some StringProtocol) throws(LinkError) {
        self = try AddressReader(text, for: .web).address()
    }

    /// True for a line or terminal, on which opening and closing by others stays unnoticed.
    public var isLine: Bool {
        switch self {
        case .tcp, .controller, .bluetooth: false
        case .serial, .remote, .pty: true
        }
    }

    /// Tells whether other devices can reach it, such as a phone: over the network, or over an adapter of this machine.
    package var isReachableFromElsewhere: Bool {
        switch self {
        case .tcp(let host, _): !(host == "localhost" || host == "::1" || host.hasPrefix("127."))
        case .controller(.adapter), .controller(.desktop): true
        // Its radio is a program's.
        case .controller(.tcp), .controller(.androidNetsim): false
        case .serial, .remote, .pty, .bluetooth: false
        }
    }

    /// The address that clients of a listener dial: a terminal is opened like any serial line.
    public var dialed: LinkAddress {
        if case .pty(let path) = self { .serial(path: path) } else { self }
    }
}

extension LinkAddress: CustomStringConvertible {
    /// The whole address with its optional parts, but never a PIN.
    public var description: String {
        switch self {
        case .tcp(let host, let port): "tcp://" + Self.place(host, port)
        case .serial(let path, let baud): "serial:\(path)?baud=\(baud)"
        case .remote(let line): "\(line)"
        case .pty(let path): "pty:\(path)"
        case .controller(.adapter(let number)):
            "\(Self.scheme)\(BluetoothController.adapter(number))?\(BluetoothController.exactMode)"
        case .controller(let controller): Self.scheme + "\(controller)"
        case .bluetooth(let radio): Self.scheme + "\(radio)"
        }
    }

    /// The address of a control API, where it can be one: `http://127.0.0.1:8080`.
    package var web: String? {
        guard case .tcp(let host, let port) = self else { return nil }
        return Self.webScheme + Self.place(host, port)
    }

    /// The prefix of the address of a control API.
    static let webScheme = "http://"
    /// The prefix of all Bluetooth addresses.
    static let scheme = "ble:"

    static func place(_ host: String, _ port: UInt16) -> String {
        host.utf8.contains(Ascii.colon) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The text without the baud rate where it is the default.
    public var brief: String {
        if case .remote(let line) = self { return line.brief }
        guard case .serial(let path, SerialLine.defaultBaud) = self, !path.utf8.contains(Ascii.questionMark) else {
            return description
        }
        return "serial:\(path)"
    }
}

/// The characters that mean something in an address.
enum Ascii {
    static let ampersand = UInt8(ascii: "&")
    static let colon = UInt8(ascii: ":")
    static let questionMark = UInt8(ascii: "?")
    static let opening = UInt8(ascii: "[")
    static let closing = UInt8(ascii: "]")
    static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
