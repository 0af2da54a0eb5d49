import MeshBoards
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire

/// A radio at a real socket or terminal, on a bench that a rig steers: a new one, on held time, for every statement.
///
/// The rig says how many bytes the radio has written, and the target waits for all of them. So it knows a silence
/// without looking at a clock.
final class RigTarget: ComplianceTarget {
    let title: String
    let abilities = Abilities.rig
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.seconds(1)
    /// The time that the machine may need to carry bytes that are written already.
    static let carriage = TimeSpan.seconds(10)

    private(set) var interface: AppLink
    private(set) var board: BoardProfile?
    /// The interface of statements that are about no interface.
    private let preferred: AppLink
    private let rig: RigConnection
    private let addresses: [LinkAddress]
    /// The rig that was started for this target alone.
    private let ownRig: Rig?

    private var stream: StreamDescriptor?
    private var taken = 0
    private var read = 0
    private var transmissions: [[UInt8]] = []

    /// - Parameters:
    ///   - address: where the radio is; its other interface is where the rig says.
    ///   - rig: where the rig is steered.
    init(_ address: LinkAddress, title: String, rig: LinkAddress, owning ownRig: Rig? = nil)
        throws(TargetError)
    {
        self.title = title
        self.ownRig = ownRig
        preferred = address.interface
        interface = preferred
        self.rig = try RigConnection(rig)
        addresses = [address] + self.rig.addresses
    }

    /// Starts rig and radio in this process, on a thread of their own.
    static func started(_ interface: AppLink, title: String, build: HeldRadio.Build = .init()) throws(TargetError)
        -> RigTarget
    {
        let rig: Rig
        do {
            rig = try Rig.start(.init(build: build))
        } catch {
            throw .unreachable("\(error)")
        }
        do {
            guard let endpoint = rig.endpoints.first(where: { $0.endpoint.interface == interface }) else {
                throw TargetError.unreachable("the rig has no \(interface) interface")
            }
            return try RigTarget(endpoint.endpoint.dialed, title: title, rig: rig.control, owning: rig)
        } catch {
            rig.stop()
            throw error as? TargetError ?? .unreachable("\(error)")
        }
    }

    // MARK: Client

    func prepare(_ setup: Setup) throws(TargetError) {
        interface = setup.interface ?? preferred
        stream = nil
        let isOther = setup.board != nil || setup.platform != nil
        let other = isOther ? setup.board(from: rig.welcome.board) : nil
        board = other ?? rig.welcome.board
        try ask(.prepare(link: interface, board: other))
        transmissions = []
        read = 0
        try connect()
    }

    func close() {
        stream = nil
        rig.close()
        ownRig?.stop()
    }

    var linkProblem: String? {
        if rig.state.hasRestarted { return "the radio has restarted" }
        return rig.state.isConnected ? nil : "nobody is connected"
    }

    var hasRestarted: Bool { rig.state.hasRestarted }

    /// Has the rig do something, and keeps what the radio sends meanwhile.
    private func ask(_ request: RigRequest) throws(TargetError) {
        for frame in try rig.ask(request).sent { transmissions.append([UInt8](hex: frame) ?? []) }
    }

    private func opened() throws(TargetError) -> StreamDescriptor {
        guard let stream else { throw .linkLost("not connected") }
        return stream
    }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        // A radio that restarts hears nobody, and its connection is closed.
        guard rig.state.isConnected else { return }
        try opened().write(bytes, within: Self.carriage)
        taken += bytes.count
        try ask(.taken(bytes: taken))
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        if let bytes = try readWritten() { return bytes }
        try ask(.run(microseconds: span.microseconds, until: .written))
        return try readWritten()
    }

    /// Reads the bytes that the radio has written and the client has not read, if there are any.
    private func readWritten() throws(TargetError) -> [UInt8]? {
        guard let stream, read < rig.state.written else { return nil }
        guard let bytes = try stream.read(within: Self.carriage) else {
            throw .linkLost("\(rig.state.written - read) bytes that the radio wrote have not come")
        }
        read += bytes.count
        guard read <= rig.state.written else { throw .linkLost("more bytes came than the radio wrote") }
        return bytes
    }

    private func discardWritten() throws(TargetError) {
        guard interface == .serial else { return }
        while try readWritten() != nil {}
    }

    func wait(_ span: TimeSpan) throws(TargetError) {
        try ask(.run(microseconds: span.microseconds, until: .never))
    }

    // MARK: Link and power

    func connect() throws(TargetError) {
        try open()
        try ask(.linkUp)
    }

    /// A serial line stays open: nobody on it notices who listens.
    private func open() throws(TargetError) {
        taken = 0
        if interface == .serial, stream != nil { return }
        guard let address = addresses.first(where: { ($0.interface == .serial) == (interface == .serial) }) else {
            throw .unreachable("the rig offers no \(interface) interface")
        }
        stream = nil
        stream = try StreamDescriptor(address, within: patience)
        // What was left there for somebody else.
        if interface == .serial { stream?.discardInput() } else { read = 0 }
    }

    func disconnect() throws(TargetError) {
        try discardWritten()
        if interface != .serial { stream = nil }
        try ask(.linkDown)
    }

    func reconnectAfterRestart() throws(TargetError) {
        try ask(.run(microseconds: TimeSpan.seconds(10).microseconds, until: .restarted))
        guard rig.state.hasRestarted else { throw .linkLost("the radio did not restart within 10 seconds") }
        try ask(.noteRestart)
        try connect()
    }

    func powerCycle() throws(TargetError) {
        try discardWritten()
        try ask(.cyclePower)
        try connect()
    }

    func connectSecondClient() throws(TargetError) -> Bool {
        try discardWritten()
        let first = stream
        stream = nil
        try connect()
        guard interface != .serial, let first else { return true }
        return first.isEnded(within: Self.carriage)
    }

    // MARK: Air and storage

    func hear(_ frame: [UInt8], snr: Double, rssi: Double) throws(TargetError) {
        try ask(.hear(frame: frame.hex, snr: Int16(wholePart: snr * 100), rssi: Int16(wholePart: rssi * 100)))
    }

    func transmission(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        if transmissions.isEmpty { try ask(.run(microseconds: span.microseconds, until: .sent)) }
        return transmissions.isEmpty ? nil : transmissions.removeFirst()
    }

    func failStorage(writing: Bool, formatting: Bool) throws(TargetError) {
        try ask(.storage(failsWriting: writing, failsFormatting: formatting))
    }
}
