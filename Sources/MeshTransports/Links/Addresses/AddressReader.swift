/// Reads the text of a link address.
///
/// It looks at bytes: a mark that is joined to a colon or a bracket does not hide it.
struct AddressReader {
    /// The purpose of the address.
    enum Purpose {
        case radio, listener, endpoint, control, web

        /// The forms in which the address can be written.
        var forms: String {
            switch self {
            case .radio: LinkAddress.radioForms
            case .listener: "tcp://HOST:PORT or pty:PATH"
            case .endpoint: LinkAddress.sentence(["tcp://HOST:PORT", "pty:PATH"] + LinkAddress.controllerFormList)
            case .control: "tcp://HOST:PORT"
            case .web: "http://HOST:PORT"
            }
        }

        /// The rules for a TCP port.
        fileprivate var tcp: PlaceRules {
            switch self {
            case .radio: PlaceRules(prefix: "tcp://", host: nil, port: LinkAddress.defaultPort, ports: 1...UInt16.max)
            case .listener, .endpoint:
                PlaceRules(prefix: "tcp://", host: LinkAddress.defaultHost, port: nil, ports: 0...UInt16.max)
            case .control: PlaceRules(prefix: "tcp://", host: nil, port: nil, ports: 1...UInt16.max)
            case .web:
                PlaceRules(
                    prefix: LinkAddress.webScheme, host: LinkAddress.defaultHost, port: nil, ports: 0...UInt16.max)
            }
        }
    }

    /// The rules for a host and a port.
    struct PlaceRules {
        /// The prefix of the host.
        let prefix: String
        /// The host that an address without one means.
        let host: String?
        /// The port that an address without one means.
        let port: UInt16?
        let ports: ClosedRange<UInt16>

        /// The rules for a controller's port, which belongs to another program and has no default.
        static let controller = PlaceRules(
            prefix: BluetoothController.tcpPrefix, host: nil, port: nil, ports: 1...UInt16.max)
    }

    typealias Bytes = Substring.UTF8View

    let text: String
    let purpose: Purpose

    init(_ text: some StringProtocol, for purpose: Purpose) {
        self.text = String(text)
        self.purpose = purpose
    }

    func address() throws(LinkError) -> LinkAddress {
        if let rest = rest(behind: purpose.tcp.prefix) {
            let (host, port) = try place(rest, purpose.tcp)
            return .tcp(host: host, port: port)
        }
        if purpose == .radio, let rest = rest(behind: "serial:") { return try serial(rest) }
        for wire in RemoteLine.Wire.allCases where purpose == .radio {
            if let rest = rest(behind: wire.scheme) { return .remote(try remoteLine(rest, wire)) }
        }
        if purpose == .listener || purpose == .endpoint, let rest = rest(behind: "pty:") {
            return .pty(path: try path(rest, or: "the path is missing, as in pty:./radio.tty"))
        }
        if let rest = rest(behind: LinkAddress.scheme) { return try bluetooth(rest) }
        throw problem("expected \(purpose.forms)")
    }

    private func rest(behind prefix: String) -> Bytes? {
        text.utf8.starts(with: prefix.utf8) ? text.utf8.dropFirst(prefix.utf8.count) : nil
    }

    func problem(_ reason: String) -> LinkError { .badAddress(BluetoothRadio.masked(text), reason: reason) }

    // MARK: Host and port

    func place(_ rest: Bytes, _ rules: PlaceRules) throws(LinkError) -> (host: String, port: UInt16) {
        let (host, port) = rest.first == Ascii.opening ? try bracketed(rest, rules) : try plain(rest, rules)
        return (try self.host(host, rules), try self.port(port, rules))
    }

    /// `[IPv6]` or `[IPv6]:PORT`.
    private func bracketed(_ rest: Bytes, _ rules: PlaceRules) throws(LinkError) -> (host: Bytes, port: Bytes?) {
        guard let end = rest.firstIndex(of: Ascii.closing) else {
            throw problem("the closing bracket is missing, as in \(rules.prefix)[::1]:5000")
        }
        let host = rest[..<end].dropFirst()
        guard host.contains(Ascii.colon) else {
            throw problem("brackets are for IPv6 addresses, as in \(rules.prefix)[::1]:5000")
        }
        let tail = rest[end...].dropFirst()
        guard let colon = tail.first else { return (host, nil) }
        guard colon == Ascii.colon else { throw problem("a port follows the bracket, as in \(rules.prefix)[::1]:5000") }
        return (host, tail.dropFirst())
    }

    /// `HOST` or `HOST:PORT`.
    private func plain(_ rest: Bytes, _ rules: PlaceRules) throws(LinkError) -> (host: Bytes, port: Bytes?) {
        guard let colon = rest.firstIndex(of: Ascii.colon) else { return (rest, nil) }
        let port = rest[colon...].dropFirst()
        guard !port.contains(Ascii.colon) else {
            throw problem("an IPv6 address needs brackets, as in \(rules.prefix)[::1]:5000")
        }
        return (rest[..<colon], port)
    }

    private func host(_ bytes: Bytes, _ rules: PlaceRules) throws(LinkError) -> String {
        if bytes.isEmpty, let host = rules.host { return host }
        let host = String(Substring(bytes))
        guard !host.isEmpty else { throw problem("the host is missing, as in \(rules.prefix)127.0.0.1:5000") }
        guard host.unicodeScalars.allSatisfy(Self.isOfHost) else {
            throw problem("the host has a character that no name or address has")
        }
        return host
    }

    /// Returns whether a host may have the character: any script, but no separators and no invisible ones.
    private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "\\", "?", "#", "@", "[", "]", "\"", "'": false
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse:
                false
            default: true
            }
        }
    }

    private func port(_ bytes: Bytes?, _ rules: PlaceRules) throws(LinkError) -> UInt16 {
        guard let bytes else {
            guard let port = rules.port else {
                throw problem("the port is missing, as in \(rules.prefix)127.0.0.1:5000")
            }
            return port
        }
        guard let port = Self.number(bytes).flatMap(UInt16.init(exactly:)), rules.ports.contains(port) else {
            throw problem("the port is not a number from \(rules.ports.lowerBound) to \(rules.ports.upperBound)")
        }
        return port
    }

    /// Digits alone, no sign.
    static func number(_ bytes: Bytes) -> Int? {
        bytes.allSatisfy(Ascii.digits.contains) ? Int(String(Substring(bytes))) : nil
    }

    // MARK: Paths

    private func serial(_ rest: Bytes) throws(LinkError) -> LinkAddress {
        let mark = rest.lastIndex(of: Ascii.questionMark)
        let path = try path(rest[..<(mark ?? rest.endIndex)], or: "the line is missing, as in serial:/dev/ttyUSB0")
        guard let mark else { return .serial(path: path) }
        return .serial(path: path, baud: try baud(rest[mark...].dropFirst()))
    }

    /// `HOST:PORT[?baud=RATE]`; a raw connection has no option, as its server sets the speed.
    private func remoteLine(_ rest: Bytes, _ wire: RemoteLine.Wire) throws(LinkError) -> RemoteLine {
        let mark = rest.firstIndex(of: Ascii.questionMark) ?? rest.endIndex
        let rules = PlaceRules(prefix: wire.scheme, host: nil, port: nil, ports: 1...UInt16.max)
        let (host, port) = try place(rest[..<mark], rules)
        var line = RemoteLine(host: host, port: port, wire: wire)
        guard mark != rest.endIndex else { return line }
        guard wire != .raw else { throw problem("has no option: the server sets the speed of its line") }
        line.baud = try baud(rest[mark...].dropFirst())
        return line
    }

    private func baud(_ option: Bytes) throws(LinkError) -> Int {
        guard option.starts(with: "baud=".utf8), !option.contains(UInt8(ascii: "&")) else {
            throw problem("\"\(Substring(option))\" is no option, expected baud=RATE")
        }
        guard let baud = Self.number(option.dropFirst("baud=".utf8.count)), SerialLine.bauds.contains(baud) else {
            throw problem("the baud rate is none of \(SerialLine.bauds)")
        }
        return baud
    }

    private func path(_ bytes: Bytes, or reason: String) throws(LinkError) -> String {
        guard !bytes.isEmpty else { throw problem(reason) }
        // The system would read up to there, and open something else.
        guard !bytes.contains(0) else { throw problem("a path has no NUL character") }
        return String(Substring(bytes))
    }
}
