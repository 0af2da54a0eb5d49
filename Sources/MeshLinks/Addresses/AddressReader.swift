/// Reads the text of a link address.
///
/// It looks at bytes: a mark that is joined to a colon or a bracket does not hide it.
struct AddressReader {
    /// What the address is for.
    enum Purpose {
        case radio, listener, control

        /// What can be written.
        var forms: String {
            switch self {
            case .radio: LinkAddress.radioForms
            case .listener: "tcp://HOST:PORT or pty:PATH"
            case .control: "tcp://HOST:PORT"
            }
        }

        /// The host that an address without one means.
        var host: String? { self == .listener ? LinkAddress.defaultHost : nil }

        /// The port that an address without one means.
        var port: UInt16? { self == .radio ? LinkAddress.defaultPort : nil }

        var ports: ClosedRange<UInt16> { self == .listener ? 0...UInt16.max : 1...UInt16.max }
    }

    private typealias Bytes = Substring.UTF8View

    private let text: String
    private let purpose: Purpose

    init(_ text: some StringProtocol, for purpose: Purpose) {
        self.text = String(text)
        self.purpose = purpose
    }

    func address() throws(LinkError) -> LinkAddress {
        if let rest = rest(behind: "tcp://") { return try tcp(rest) }
        if purpose == .radio, let rest = rest(behind: "serial:") { return try serial(rest) }
        if purpose == .listener, let rest = rest(behind: "pty:") {
            return .pty(path: try path(rest, or: "the path is missing, as in pty:./radio.tty"))
        }
        throw problem("expected \(purpose.forms)")
    }

    private func rest(behind prefix: String) -> Bytes? {
        text.utf8.starts(with: prefix.utf8) ? text.utf8.dropFirst(prefix.utf8.count) : nil
    }

    private func problem(_ reason: String) -> LinkError { .badAddress(text, reason: reason) }

    // MARK: TCP

    private func tcp(_ rest: Bytes) throws(LinkError) -> LinkAddress {
        let (host, port) = rest.first == Ascii.opening ? try bracketed(rest) : try plain(rest)
        return .tcp(host: try self.host(host), port: try self.port(port))
    }

    /// `[IPv6]` or `[IPv6]:PORT`.
    private func bracketed(_ rest: Bytes) throws(LinkError) -> (host: Bytes, port: Bytes?) {
        guard let end = rest.firstIndex(of: Ascii.closing) else {
            throw problem("the closing bracket is missing, as in tcp://[::1]:5000")
        }
        let host = rest[..<end].dropFirst()
        guard host.contains(Ascii.colon) else {
            throw problem("brackets are for IPv6 addresses, as in tcp://[::1]:5000")
        }
        let tail = rest[end...].dropFirst()
        guard let colon = tail.first else { return (host, nil) }
        guard colon == Ascii.colon else { throw problem("a port follows the bracket, as in tcp://[::1]:5000") }
        return (host, tail.dropFirst())
    }

    /// `HOST` or `HOST:PORT`.
    private func plain(_ rest: Bytes) throws(LinkError) -> (host: Bytes, port: Bytes?) {
        guard let colon = rest.firstIndex(of: Ascii.colon) else { return (rest, nil) }
        let port = rest[colon...].dropFirst()
        guard !port.contains(Ascii.colon) else {
            throw problem("an IPv6 address needs brackets, as in tcp://[::1]:5000")
        }
        return (rest[..<colon], port)
    }

    private func host(_ bytes: Bytes) throws(LinkError) -> String {
        if bytes.isEmpty, let host = purpose.host { return host }
        let host = String(Substring(bytes))
        guard !host.isEmpty else { throw problem("the host is missing, as in tcp://127.0.0.1:5000") }
        guard host.unicodeScalars.allSatisfy(Self.isOfHost) else {
            throw problem("the host has a character that no name or address has")
        }
        return host
    }

    /// Names may be in any script; what separates, or cannot be seen, is none of them.
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

    private func port(_ bytes: Bytes?) throws(LinkError) -> UInt16 {
        guard let bytes else {
            guard let port = purpose.port else { throw problem("the port is missing, as in tcp://127.0.0.1:5000") }
            return port
        }
        guard let port = Self.number(bytes).flatMap(UInt16.init(exactly:)), purpose.ports.contains(port) else {
            throw problem("the port is not a number from \(purpose.ports.lowerBound) to \(purpose.ports.upperBound)")
        }
        return port
    }

    /// Digits alone, no sign.
    private static func number(_ bytes: Bytes) -> Int? {
        bytes.allSatisfy(Ascii.digits.contains) ? Int(String(Substring(bytes))) : nil
    }

    // MARK: Paths

    private func serial(_ rest: Bytes) throws(LinkError) -> LinkAddress {
        let mark = rest.lastIndex(of: Ascii.questionMark)
        let path = try path(rest[..<(mark ?? rest.endIndex)], or: "the line is missing, as in serial:/dev/ttyUSB0")
        guard let mark else { return .serial(path: path) }
        let option = rest[mark...].dropFirst()
        guard option.starts(with: "baud=".utf8), !option.contains(UInt8(ascii: "&")) else {
            throw problem("\"\(Substring(option))\" is no option, expected baud=RATE")
        }
        guard let baud = Self.number(option.dropFirst("baud=".utf8.count)), SerialLine.bauds.contains(baud) else {
            throw problem("the baud rate is none of \(SerialLine.bauds)")
        }
        return .serial(path: path, baud: baud)
    }

    private func path(_ bytes: Bytes, or reason: String) throws(LinkError) -> String {
        guard !bytes.isEmpty else { throw problem(reason) }
        // The system would read up to there, and open something else.
        guard !bytes.contains(0) else { throw problem("a path has no NUL character") }
        return String(Substring(bytes))
    }
}
