import MeshFirmware
import MeshSimulator
import MeshTime

/// The emulated companion radio in this process, on virtual time: a new one, at factory settings, for every statement.
///
/// Time passes only while somebody waits for the radio. Its air is silent but for what the suite puts there.
final class EmulatorTarget: ComplianceTarget {
    let title: String
    let abilities = Abilities.rig
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.seconds(1)

    private(set) var interface = AppLink.serial
    private let quirks: QuirkSet
    private let seed: Seed
    private let hooks: (any CompanionHooks)?
    /// Changes what the radio writes, for tests of the suite itself.
    var tamper: ((inout [UInt8]) -> Void)?

    private var radio: HeldRadio

    init(title: String = "emulator", quirks: QuirkSet = .all, seed: Seed = Seed(1), mutant: Mutant? = nil) {
        self.title = title
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
        connect()
    }

    func close() {}

    var linkProblem: String? {
        if radio.hasRestarted { return "the radio has restarted" }
        return radio.isConnected ? nil : "nobody is connected"
    }

    var hasRestarted: Bool { radio.hasRestarted }

    func write(_ bytes: [UInt8]) {
        radio.receive(bytes)
    }

    func read(within span: TimeSpan) -> [UInt8]? {
        radio.run(for: span, until: .written)
        guard var bytes = radio.takeWrite() else { return nil }
        tamper?(&bytes)
        return bytes
    }

    func wait(_ span: TimeSpan) {
        radio.run(for: span, until: .never)
    }

    // MARK: Link and power

    func connect() {
        radio.connect()
    }

    func disconnect() {
        // A serial line cannot be dropped, but what it carried is not read any more.
        radio.dropWrites()
        radio.disconnect()
    }

    func reconnectAfterRestart() throws(TargetError) {
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
