import MeshFirmware
import MeshSimulator
import MeshTime

/// The emulated companion radio in this process, on virtual time: a new one, at factory settings, for every statement.
///
/// Time passes only while somebody waits for the radio. Its air is silent but for what the suite puts there.
final class EmulatorTarget: ComplianceTarget {
    let title: String
    let abilities = Abilities.rig.union(.bluetooth)
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.seconds(1)

    private(set) var interface = AppLink.serial
    private let mutant: Mutant?
    private let quirks: QuirkSet
    private let seed: Seed
    private let hooks: (any CompanionHooks)?
    /// Changes what the radio writes, for tests of the suite itself.
    var tamper: ((inout [UInt8]) -> Void)?

    /// The board; over Bluetooth its link is the peripheral's business.
    var radio: HeldRadio
    /// Where statements are about Bluetooth, once one has asked for it.
    private var bluetooth: (link: EmulatedController, central: TestCentral)?

    init(title: String = "emulator", quirks: QuirkSet = .all, seed: Seed = Seed(1), mutant: Mutant? = nil) {
        self.title = title
        self.mutant = mutant
        hooks = mutant?.hooks
        self.quirks = quirks
        self.seed = seed
        var build = HeldRadio.Build(quirks: quirks, seed: seed)
        build.hooks = hooks
        radio = HeldRadio(build)
    }

    var virtualTime: Instant? { radio.now }
    var airLog: [HeldRadio.Transmission] { radio.airLog }

    // MARK: Client

    func prepare(_ setup: Setup) {
        interface = setup.interface ?? .serial
        var build = HeldRadio.Build(
            board: setup.board(from: .heltecV3), quirks: quirks, link: interface, seed: seed)
        build.hooks = hooks
        radio = HeldRadio(build)
        bluetooth = nil
        connect()
    }

    func close() {}

    func central() throws(TargetError) -> TestCentral {
        if let bluetooth { return bluetooth.central }
        let link = try EmulatedController(self, flaw: mutant?.bluetoothFlaw, seed: seed)
        let central = try TestCentral(link, random: .drawn(seed.stream("comply", "phone")))
        bluetooth = (link, central)
        return central
    }

    var linkProblem: String? {
        if radio.hasRestarted { return "the radio has restarted" }
        return radio.isConnected ? nil : "nobody is connected"
    }

    var hasRestarted: Bool { radio.hasRestarted }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        guard let bluetooth else { return radio.receive(bytes) }
        try bluetooth.central.write(framed: bytes)
    }

    func read(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        guard var bytes = try written(within: span) else { return nil }
        tamper?(&bytes)
        return bytes
    }

    private func written(within span: TimeSpan) throws(TargetError) -> [UInt8]? {
        if let bluetooth { return try bluetooth.central.framedNotification(within: span) }
        radio.run(for: span, until: .written)
        return radio.takeWrite()
    }

    func wait(_ span: TimeSpan) throws(TargetError) {
        if let bluetooth { return try bluetooth.central.rest(span) }
        radio.run(for: span, until: .never)
    }

    // MARK: Link and power

    func connect() {
        // Over Bluetooth an app is there once its link is secure.
        if interface != .bluetooth { radio.connect() }
    }

    func disconnect() {
        // A serial line cannot be dropped, but what it carried is not read any more.
        radio.dropWrites()
        radio.disconnect()
    }

    func reconnectAfterRestart() throws(TargetError) {
        if let bluetooth { try bluetooth.central.rest(.seconds(10)) { self.radio.hasRestarted } }
        radio.run(for: .seconds(10), until: .restarted)
        guard radio.hasRestarted else { throw .linkLost("the radio did not restart within 10 seconds") }
        radio.noteRestart()
        connect()
    }

    func powerCycle() {
        radio.dropWrites()
        radio.cyclePower()
        connect()
    }

    func connectSecondClient() -> Bool {
        radio.dropWrites()
        let before = radio.clientsReplaced
        connect()
        return radio.clientsReplaced == before + 1
    }

    // MARK: Air and storage

    func hear(_ frame: [UInt8], snr: Double, rssi: Double) {
        let signal = Signal(snrHundredths: Int16(snr * 100), rssiHundredths: Int16(rssi * 100))
        radio.hear(RadioFrame(frame), signal)
        // What the board says of it is on its way before it hears the next one.
        bluetooth?.link.attend()
    }

    func transmission(within span: TimeSpan) -> [UInt8]? {
        radio.run(for: span, until: .sent)
        return radio.takeTransmission()
    }

    func holdChannel(_ isBusy: Bool) {
        radio.isChannelBusy = isBusy
    }

    func failStorage(writing: Bool, formatting: Bool) {
        radio.failStorage(writing: writing, formatting: formatting)
    }
}
