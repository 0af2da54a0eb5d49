import Glibc
package import MeshTime

extension ResetLine {
    /// The time for which the output is on, in milliseconds.
    private static let pulse: Int32 = 100

    /// Restarts the board behind a line: the output is switched on for a moment. Blocks until it is off again.
    package func pulse(
        _ address: LinkAddress, within span: TimeSpan = LinkDialer.limit
    ) throws(LinkError) {
        switch address {
        case .serial(let path, let baud): try pulse(path, baud, for: address)
        case .pty(let path): try pulse(path, SerialLine.defaultBaud, for: address)
        case .remote(let line) where line.wire == .rfc2217: try pulse(line, span)
        case .remote: throw .impossible(address, reason: "bare bytes carry no \(name); rfc2217:// does")
        case .tcp, .controller, .bluetooth: throw .impossible(address, reason: "is no serial line, and has no \(name)")
        }
    }

    private var name: String { rawValue.uppercased() }

    private func pulse(_ path: String, _ baud: Int, for address: LinkAddress) throws(LinkError) {
        let descriptor = try SerialLine.open(path, baud: baud)
        defer { close(descriptor) }
        func set(_ request: Int32, _ output: Int32) throws(LinkError) {
            var output = output
            guard ioctl(descriptor, UInt(request), &output) == 0 else {
                throw .impossible(address, reason: "has no \(name): \(String(cString: strerror(errno)))")
            }
        }
        // Opening a line switches both on.
        try set(TIOCMBIC, TIOCM_DTR | TIOCM_RTS)
        try set(TIOCMBIS, self == .dtr ? TIOCM_DTR : TIOCM_RTS)
        poll(nil, 0, Self.pulse)
        try set(TIOCMBIC, self == .dtr ? TIOCM_DTR : TIOCM_RTS)
    }

    private func pulse(_ line: RemoteLine, _ span: TimeSpan) throws(LinkError) {
        let link = try RemoteLineLink(line, within: span)
        defer { link.end() }
        try link.set(.dtrOff, within: span)
        try link.set(.rtsOff, within: span)
        try link.set(self == .dtr ? .dtrOn : .rtsOn, within: span)
        poll(nil, 0, Self.pulse)
        try link.set(self == .dtr ? .dtrOff : .rtsOff, within: span)
    }
}
