/// A serial line of another machine, behind a TCP port of a program such as ser2net.
public struct RemoteLine: Hashable, Sendable {
    /// The meaning of the bytes on the connection.
    public enum Wire: String, Hashable, Sendable, CaseIterable {
        /// Telnet with the options of RFC 2217: the client sets the line's speed and its outputs.
        case rfc2217
        /// The bytes of the line and nothing else; the server sets the line up.
        case raw = "socket"

        /// The prefix of an address.
        package var scheme: String { rawValue + "://" }
    }

    /// The host of the server.
    public var host: String
    /// The port of the server.
    public var port: UInt16
    /// The meaning of the bytes.
    public var wire: Wire
    /// The speed that the client sets; the server's own on a raw connection.
    public var baud: Int

    /// A line at a port of a host.
    public init(host: String, port: UInt16, wire: Wire, baud: Int = SerialLine.defaultBaud) {
        self.host = host
        self.port = port
        self.wire = wire
        self.baud = baud
    }
}

extension RemoteLine: CustomStringConvertible {
    /// The address: `rfc2217://HOST:PORT?baud=RATE` or `socket://HOST:PORT`.
    public var description: String { wire == .raw ? place : place + "?baud=\(baud)" }

    /// The same without the speed where it is the default.
    var brief: String { baud == SerialLine.defaultBaud ? place : description }

    private var place: String { wire.scheme + LinkAddress.place(host, port) }
}
