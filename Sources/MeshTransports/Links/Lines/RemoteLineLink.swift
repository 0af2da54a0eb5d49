import Glibc
import MeshFiles
import MeshTime

/// A connection to a serial line of another machine, which blocks until an answer is there.
///
/// A raw connection is its socket. With RFC 2217 the bytes pass through a thread that sets and removes the marks of
/// Telnet, so that its user has a stream like any other.
final class RemoteLineLink {
    private let line: RemoteLine
    private let socket: Int32
    private var client: ComPortClient
    /// Bytes of the line that came during the negotiation.
    private var early: [UInt8] = []

    /// Bytes that may wait for one side.
    private static let pendingLimit = 65_536
    /// The longest time for which the last bytes may wait when one side has ended, in milliseconds.
    private static let grace: Int32 = 2000

    /// Opens a stream of the line's bytes. The descriptor does not block, and is the caller's to close.
    static func open(_ line: RemoteLine, within span: TimeSpan, receiveBuffer: Int?) throws(LinkError) -> Int32 {
        guard line.wire == .rfc2217 else {
            return try dialed(line, within: span, receiveBuffer: receiveBuffer)
        }
        return try RemoteLineLink(line, within: span, receiveBuffer: receiveBuffer).stream()
    }

    private static func dialed(
        _ line: RemoteLine, within span: TimeSpan, receiveBuffer: Int?
    ) throws(LinkError) -> Int32 {
        var dial = try TCPDial(host: line.host, port: line.port, for: .remote(line), receiveBuffer: receiveBuffer)
        return try dial.connect(within: span)
    }

    /// Dials the server and sets the line up.
    init(_ line: RemoteLine, within span: TimeSpan, receiveBuffer: Int? = nil) throws(LinkError) {
        self.line = line
        client = ComPortClient(baud: line.baud)
        socket = try Self.dialed(line, within: span, receiveBuffer: receiveBuffer)
        do throws(LinkError) {
            let reason = "does not answer as RFC 2217 asks; socket:// takes bare bytes"
            try exchange(client.opening(), within: span, or: reason)
        } catch {
            close(socket)
            throw error
        }
    }

    /// Sets an output of the line, and waits until the server has.
    func set(_ control: ComPortClient.Control, within span: TimeSpan) throws(LinkError) {
        try exchange(client.set(control), within: span, or: "does not set the outputs of its line")
    }

    /// Closes the connection, unless a stream has taken it.
    func end() { close(socket) }

    // MARK: Settings

    /// Sends bytes, and reads until the server has answered all settings, or the time is over for that reason.
    private func exchange(_ bytes: [UInt8], within span: TimeSpan, or reason: String) throws(LinkError) {
        let deadline = ContinuousClock.now + .microseconds(span.microseconds)
        var out = bytes
        repeat {
            guard flush(&out) else { throw problem("the connection ended") }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw problem(reason) }
            var request = pollfd(fd: socket, events: Int16(out.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
            guard poll(&request, 1, Int32(clamping: TimeSpan(left).milliseconds + 1)) > 0 else { continue }
            guard request.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
            guard let got = Self.read(socket) else { throw problem("the connection ended") }
            do throws(ComPortClient.Fault) {
                let (line, answer) = try client.receive(got)
                early += line.prefix(Self.pendingLimit - early.count)
                out += answer
            } catch {
                throw problem(error)
            }
        } while !client.isReady || !out.isEmpty
    }

    private func problem(_ reason: String) -> LinkError { .unreachable(.remote(line), reason: reason) }

    private func problem(_ fault: ComPortClient.Fault) -> LinkError {
        switch fault {
        case .noComPort: problem("has no com port option (RFC 2217); socket:// takes bare bytes")
        case .otherBaud(let baud): problem("keeps the line at \(baud) baud")
        case .malformed: problem("breaks the protocol of Telnet")
        }
    }

    // MARK: Bytes

    /// Hands the connection to a thread, and returns the other end of its stream.
    private func stream() throws(LinkError) -> Int32 {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw problem(reason)
        }
        let pump = Pump(server: socket, app: ends[0], client: client, toApp: early)
        SystemThread.start { pump.run() }
        return ends[1]
    }

    /// The bytes that are there; `nil` at the end of the stream.
    fileprivate static func read(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    private func flush(_ bytes: inout [UInt8]) -> Bool { Self.flush(&bytes, to: socket) }

    /// Writes what fits; `false` when the other side is gone.
    fileprivate static func flush(_ bytes: inout [UInt8], to descriptor: Int32) -> Bool {
        guard !bytes.isEmpty else { return true }
        // A closed peer must not end the program with a signal.
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        bytes.removeFirst(count)
        return true
    }

    /// The two ends of a stream, joined on a thread of their own until one of them ends.
    private struct Pump: Sendable {
        let server: Int32
        let app: Int32
        let client: ComPortClient
        let toApp: [UInt8]

        func run() {
            var client = client
            var toApp = toApp
            var toServer: [UInt8] = []
            defer {
                close(app)
                close(server)
            }
            while true {
                var requests = [
                    pollfd(fd: server, events: Self.events(reads: toApp, writes: toServer), revents: 0),
                    pollfd(fd: app, events: Self.events(reads: toServer, writes: toApp), revents: 0),
                ]
                guard poll(&requests, 2, -1) > 0 else {
                    if errno == EINTR { continue }
                    return
                }
                if Self.isReadable(requests[0]) {
                    guard let got = RemoteLineLink.read(server), let part = try? client.receive(got) else {
                        return Self.finish(toApp, to: app)
                    }
                    toApp += part.line
                    toServer += part.answer
                }
                if Self.isReadable(requests[1]) {
                    guard let got = RemoteLineLink.read(app) else { return Self.finish(toServer, to: server) }
                    toServer += client.encoded(got[...])
                }
                guard RemoteLineLink.flush(&toApp, to: app), RemoteLineLink.flush(&toServer, to: server) else { return }
            }
        }

        /// A side is read only while the other one takes what comes.
        private static func events(reads pending: [UInt8], writes waiting: [UInt8]) -> Int16 {
            Int16((pending.count < pendingLimit ? POLLIN : 0) | (waiting.isEmpty ? 0 : POLLOUT))
        }

        private static func isReadable(_ request: pollfd) -> Bool {
            request.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
        }

        /// Writes the last bytes for the side that is still there.
        private static func finish(_ bytes: [UInt8], to descriptor: Int32) {
            var bytes = bytes
            while !bytes.isEmpty {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&request, 1, grace) > 0, RemoteLineLink.flush(&bytes, to: descriptor) else { return }
            }
        }
    }
}
