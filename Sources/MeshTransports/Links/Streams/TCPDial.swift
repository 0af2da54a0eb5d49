import Glibc
import MeshTime

/// One call of a host: its addresses are tried side by side, one more each quarter of a second (RFC 8305).
///
/// The first that answers is used. An address that leads nowhere costs no more than that.
struct TCPDial {
    /// The time before the next address is dialed as well.
    private static let headStart = Duration.milliseconds(250)

    private struct Candidate {
        let family: Int32
        let kind: Int32
        let number: Int32
        /// A `sockaddr` of the family.
        let name: [UInt8]
    }

    private enum Attempt {
        case connected(Int32)
        case pending(Int32)
        case failed
    }

    private let address: LinkAddress
    private let receiveBuffer: Int?
    private var candidates: ArraySlice<Candidate>
    private var pending: [Int32] = []
    /// The reason for the first failure.
    private var problem: String?

    /// Looks the host up, which blocks. Errors name the address that this is done for.
    init(host: String, port: UInt16, for address: LinkAddress, receiveBuffer: Int?) throws(LinkError) {
        self.address = address
        self.receiveBuffer = receiveBuffer
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw .unreachable(address, reason: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(list) }
        var found: [Candidate] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            let name = [UInt8](UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
            found.append(
                Candidate(
                    family: entry.ai_family, kind: entry.ai_socktype, number: entry.ai_protocol, name: name))
        }
        candidates = found[...]
    }

    /// A connected socket.
    mutating func connect(within span: TimeSpan) throws(LinkError) -> Int32 {
        let clock = ContinuousClock()
        let deadline = clock.now + .microseconds(span.microseconds)
        var nextStart = clock.now
        defer { for descriptor in pending { _ = close(descriptor) } }
        while true {
            let now = clock.now
            if let candidate = candidates.first, pending.isEmpty || now >= nextStart {
                candidates.removeFirst()
                nextStart = now + Self.headStart
                switch begin(candidate) {
                case .connected(let descriptor): return descriptor
                case .pending(let descriptor): pending.append(descriptor)
                case .failed: break
                }
                continue
            }
            guard !pending.isEmpty else { throw .unreachable(address, reason: problem ?? "the host has no address") }
            guard now < deadline else {
                throw .unreachable(address, reason: "no answer within \(span.milliseconds / 1000) s")
            }
            let until = candidates.isEmpty ? deadline : min(deadline, nextStart)
            if let descriptor = answer(within: until - now) { return descriptor }
        }
    }

    private mutating func begin(_ candidate: Candidate) -> Attempt {
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(candidate.family, candidate.kind | flags, candidate.number)
        guard descriptor >= 0 else {
            note(errno)
            return .failed
        }
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Before the connection is there: the window is settled with it.
        if let receiveBuffer { set(descriptor, SOL_SOCKET, SO_RCVBUF, Int32(clamping: receiveBuffer)) }
        let status = candidate.name.withUnsafeBytes { name in
            name.baseAddress.map {
                Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(name.count))
            } ?? -1
        }
        if status == 0 { return .connected(descriptor) }
        if errno == EINPROGRESS { return .pending(descriptor) }
        note(errno)
        _ = close(descriptor)
        return .failed
    }

    /// The first of those under way that is connected, if one is in that time; those that failed are forgotten.
    private mutating func answer(within wait: Duration) -> Int32? {
        var requests = pending.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
        let (seconds, attoseconds) = wait.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        guard poll(&requests, nfds_t(requests.count), Int32(clamping: milliseconds)) > 0 else { return nil }
        for request in requests where request.revents != 0 {
            pending.removeAll { $0 == request.fd }
            var status: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(request.fd, SOL_SOCKET, SO_ERROR, &status, &size)
            if status == 0 { return request.fd }
            note(status)
            _ = close(request.fd)
        }
        return nil
    }

    private mutating func note(_ code: Int32) {
        problem = problem ?? String(cString: strerror(code))
    }

    private func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
