import Glibc
import MeshBluetoothHost
import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTime
import MeshTransports

/// A radio at the other end of a TCP connection, a serial line or a Bluetooth link, on the time of the world.
final class StreamTarget: ComplianceTarget {
    let address: LinkAddress
    let title: String
    private(set) var abilities: Abilities
    let interface: AppLink
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.milliseconds(250)
    private var stream: StreamDescriptor?
    /// The address to dial. The name of a radio found over Bluetooth may change, and its address stays.
    private var dialed: LinkAddress
    /// In place of the stream, while statements are about Bluetooth itself.
    private var phone: TestCentral?
    /// The facts of a bench file about the radio.
    private let facts: Board?
    private let lines = USBLines()

    init(_ address: LinkAddress, title: String? = nil, allowing allowed: Abilities = [], board facts: Board? = nil) {
        self.address = address
        dialed = address
        interface = address.interface
        self.title = title ?? address.brief
        self.facts = facts
        var target = Target(address, allowing: allowed)
        target.board = facts
        abilities = target.abilities
    }

    var isSilent: Bool { facts.map { !$0.allows(.transmit) } ?? false }

    /// A table that was found empty is as good as one that may be emptied.
    func noteEmptyContacts() {
        abilities.insert(.emptyContacts)
    }

    func prepare(_ setup: Setup) throws(TargetError) {
        guard setup.interface != .bluetooth else {
            // A controller has one host.
            stream = nil
            if let platform = setup.platform { try central().require(platform) }
            return
        }
        hangUp()
        if stream == nil { try connect() }
    }

    func close() {
        stream = nil
        hangUp()
    }

    /// A radio that was left without a word is found again only when it misses its central.
    private func hangUp() {
        guard let phone else { return }
        try? phone.disconnect()
        self.phone = nil
        guard case .bluetooth(var radio) = dialed, let found = phone.address else { return }
        radio.peer = .address(found.number)
        dialed = .bluetooth(radio)
    }

    func central() throws(TargetError) -> TestCentral {
        if let phone { return phone }
        guard case .bluetooth(let radio) = dialed else { throw .unsupported("speak Bluetooth") }
        let link = try StreamController(radio.controller, within: patience)
        let central = try TestCentral(link, to: TestCentral.Radio(radio), random: .system)
        phone = central
        return central
    }

    private func opened() throws(TargetError) -> StreamDescriptor {
        guard let stream else { throw .linkLost("not connected") }
        return stream
    }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        if let phone { return try phone.write(framed: bytes) }
        try opened().write(bytes, within: patience)
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        if let phone { return try phone.framedNotification(within: span) }
        return try opened().read(within: span)
    }

    func wait(_ span: TimeSpan) throws(TargetError) {
        if let phone { return try phone.rest(span) }
        // Nothing to wait for but the time itself: a statement says how long.
        _ = poll(nil, 0, Int32(clamping: span.milliseconds))
    }

    // MARK: Link

    func connect() throws(TargetError) {
        hangUp()
        stream = nil
        stream = try StreamDescriptor(dialed, within: patience)
    }

    func disconnect() throws(TargetError) {
        stream = nil
        // Time for the radio's network stack to notice.
        try wait(.milliseconds(300))
    }

    func powerCycle() throws(TargetError) {
        guard let facts, facts.powerCycle != nil else { throw .unsupported("cut the power") }
        stream = nil
        do throws(Bench.Problem) {
            try facts.switchPower(.cycle)
        } catch {
            throw .rigLost("\(error)")
        }
        try reconnectAfterRestart()
    }

    /// A board on USB may come back as another line.
    private func findLine() {
        guard let serial = facts?.usb, case .serial(_, let baud) = dialed else { return }
        let found = lines.lines(of: serial)
        if found.count == 1, let path = found.first { dialed = .serial(path: path, baud: baud) }
    }

    func reconnectAfterRestart() throws(TargetError) {
        stream = nil
        var problem = TargetError.unreachable("no attempt")
        // The statement finds the radio again.
        if let phone { return try phone.rest(.seconds(3)) }
        for _ in 0..<30 {
            try wait(.seconds(1))
            findLine()
            do {
                stream = try StreamDescriptor(dialed, within: patience)
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

extension TestCentral.Radio {
    /// The radio that an address names.
    init(_ radio: BluetoothRadio) throws(TargetError) {
        do throws(LinkError) { passkey = try radio.passkey() } catch { throw .unreachable("\(error)") }
        peer = BluetoothCentral.Peer(radio.peer)
    }
}
