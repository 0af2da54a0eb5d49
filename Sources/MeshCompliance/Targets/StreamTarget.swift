import Glibc
import MeshCompanion
import MeshLinks
import MeshSimulator
import MeshTime

/// A radio at the other end of a TCP connection or a serial line, on the time of the world.
final class StreamTarget: ComplianceTarget {
    let address: LinkAddress
    let title: String
    private(set) var abilities: Abilities
    let interface: AppLink
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.milliseconds(250)
    private var stream: StreamDescriptor?

    init(_ address: LinkAddress, title: String? = nil, allowing allowed: Abilities = []) {
        self.address = address
        interface = address.interface
        self.title = title ?? address.brief
        abilities = Target(address, allowing: allowed).abilities
    }

    /// A table that was found empty is as good as one that may be emptied.
    func noteEmptyContacts() {
        abilities.insert(.emptyContacts)
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
        stream = try StreamDescriptor(address, within: patience)
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
                stream = try StreamDescriptor(address, within: patience)
                try write(StreamFraming.encode(toRadio: [0x05]))
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
        stream = try StreamDescriptor(address, within: patience)
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

extension LinkAddress {
    /// The interface of a radio that is reached here.
    var interface: AppLink {
        switch self {
        case .tcp: .wifi
        case .serial, .pty: .serial
        case .controller, .bluetooth: .bluetooth
        }
    }
}
