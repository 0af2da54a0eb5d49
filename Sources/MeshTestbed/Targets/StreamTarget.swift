import Glibc
import MeshTime

/// A radio at the other end of a TCP connection or a serial line, on the time of the world.
final class StreamTarget: ComplianceTarget {
    enum Address: Hashable, Sendable {
        case tcp(host: String, port: UInt16)
        case serial(path: String)
    }

    let address: Address
    let title: String
    private(set) var capabilities: Capabilities
    let interface: Interface
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.milliseconds(250)
    private var stream: StreamDescriptor?

    /// `isDestructive` allows what a user would miss: the identity, the contacts, the time since boot.
    init(_ address: Address, isDestructive: Bool = false) {
        self.address = address
        switch address {
        case .tcp(let host, let port):
            title = "tcp://\(host):\(port)"
            interface = .wifi
            capabilities = [.link, .secondClient]
        case .serial(let path):
            title = "serial:\(path)"
            interface = .serial
            capabilities = []
        }
        if isDestructive { capabilities.formUnion([.reboot, .identity, .clock, .emptyContacts]) }
    }

    /// A table that was found empty is as good as one that may be emptied.
    func noteEmptyContacts() {
        capabilities.insert(.emptyContacts)
    }

    func prepare(_ setup: Setup) throws(TargetError) {
        if stream == nil { try connect() }
    }

    func close() {
        stream = nil
    }

    private func opened() throws(TargetError) -> StreamDescriptor {
        guard let stream else { throw .linkLost("not connected") }
        return stream
    }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        try opened().write(bytes, within: patience)
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        try opened().read(within: span)
    }

    func wait(_ span: TimeSpan) {
        // Nothing to wait for but the time itself: a statement says how long.
        _ = poll(nil, 0, Int32(clamping: span.milliseconds))
    }

    // MARK: Link

    func connect() throws(TargetError) {
        stream = nil
        stream = try open()
    }

    private func open() throws(TargetError) -> StreamDescriptor {
        switch address {
        case .tcp(let host, let port): try .tcp(host: host, port: port, within: patience)
        case .serial(let path): try .serial(path: path)
        }
    }

    func disconnect() {
        stream = nil
        // Time for the radio's network stack to notice.
        wait(.milliseconds(300))
    }

    func reconnectAfterRestart() throws(TargetError) {
        stream = nil
        var problem = TargetError.unreachable("no attempt")
        for _ in 0..<30 {
            wait(.seconds(1))
            do {
                stream = try open()
                try write(StreamReader.framed([0x05]))
                var reader = StreamReader()
                while let bytes = try read(within: .seconds(1)) {
                    reader.append(bytes)
                    while let frame = reader.next() { if frame.first == 0x09 { return } }
                }
            } catch {
                problem = error
            }
        }
        throw problem
    }

    func connectSecondClient() throws(TargetError) -> Bool {
        let first = stream
        stream = try open()
        for _ in 0..<10 {
            do {
                _ = try first?.read(within: .milliseconds(200))
            } catch {
                return true
            }
        }
        return false
    }
}
