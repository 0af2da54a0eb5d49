import Glibc
import MeshTime

/// An open socket or serial line: reads and writes with a deadline, and closes itself.
final class StreamDescriptor {
    private var descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close()
    }

    func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    // MARK: Opening

    /// Connects to a TCP port, trying the addresses of the host one after the other.
    static func tcp(host: String, port: UInt16, within span: TimeSpan) throws(TargetError) -> StreamDescriptor {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw .unreachable("\(host): " + String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(list) }
        var problem = "no address"
        var next = list
        while let candidate = next?.pointee {
            next = candidate.ai_next
            let stream = StreamDescriptor(
                socket(
                    candidate.ai_family, candidate.ai_socktype | Int32(SOCK_NONBLOCK.rawValue), candidate.ai_protocol))
            if stream.descriptor < 0 || !stream.connect(to: candidate, within: span) {
                problem = errorText()
                continue
            }
            var one: Int32 = 1
            setsockopt(
                stream.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            return stream
        }
        throw .unreachable("\(host):\(port): \(problem)")
    }

    private func connect(to address: addrinfo, within span: TimeSpan) -> Bool {
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS, poll(for: Int16(POLLOUT), within: span) else { return false }
        var problem: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
        errno = problem
        return problem == 0
    }

    /// The speeds that a line can be set to, in baud.
    private static let speeds: [(baud: Int, speed: speed_t)] = [
        (9600, speed_t(B9600)), (19_200, speed_t(B19200)), (38_400, speed_t(B38400)), (57_600, speed_t(B57600)),
        (115_200, speed_t(B115200)), (230_400, speed_t(B230400)), (460_800, speed_t(B460800)),
        (921_600, speed_t(B921600)),
    ]

    /// Opens a serial line raw, at a usual speed.
    static func serial(path: String, baud: Int = 115_200) throws(TargetError) -> StreamDescriptor {
        guard let speed = speeds.first(where: { $0.baud == baud })?.speed else {
            throw .unreachable("\(path): no line has \(baud) baud")
        }
        let stream = StreamDescriptor(open(path, O_RDWR | O_NOCTTY | O_NONBLOCK))
        guard stream.descriptor >= 0 else { throw .unreachable("\(path): \(errorText())") }
        var settings = termios()
        guard tcgetattr(stream.descriptor, &settings) == 0 else {
            throw .unreachable("\(path): is not a serial line")
        }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed)
        guard tcsetattr(stream.descriptor, TCSANOW, &settings) == 0 else {
            throw .unreachable("\(path): \(errorText())")
        }
        return stream
    }

    // MARK: Bytes

    /// What arrived, as soon as something has; `nil` when nothing did. The end of the stream is an error.
    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        guard poll(for: Int16(POLLIN), within: span) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return [UInt8](buffer.prefix(count)) }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        throw .linkLost(count == 0 ? "the radio closed the connection" : Self.errorText())
    }

    func write(_ bytes: [UInt8], within span: TimeSpan) throws(TargetError) {
        var sent = 0
        while sent < bytes.count {
            guard poll(for: Int16(POLLOUT), within: span) else { throw .linkLost("the radio takes no more bytes") }
            let count = bytes.withUnsafeBytes { memory in
                // A closed peer must not end the program with a signal.
                let part = UnsafeRawBufferPointer(rebasing: memory[sent...])
                let count = send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                return count < 0 && errno == ENOTSOCK ? Glibc.write(descriptor, part.baseAddress, part.count) : count
            }
            if count > 0 {
                sent += count
            } else if errno != EAGAIN, errno != EINTR {
                throw .linkLost(Self.errorText())
            }
        }
    }

    /// Forgets what has arrived on a serial line.
    func discardInput() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Whether the other side closes the stream in that time; what it sends before is lost.
    func isEnded(within span: TimeSpan) -> Bool {
        do {
            while try read(within: span) != nil {}
            return false
        } catch {
            return true
        }
    }

    private func poll(for events: Int16, within span: TimeSpan) -> Bool {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        let milliseconds = Int32(clamping: (span.microseconds + 999) / 1000)
        return Glibc.poll(&request, 1, milliseconds) > 0
    }

    private static func errorText() -> String { String(cString: strerror(errno)) }
}
