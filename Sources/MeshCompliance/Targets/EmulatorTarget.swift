import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

/// The emulated companion radio in this process, on virtual time: a new one, at factory settings, for every statement.
///
/// Time passes only while somebody waits for the radio. Its air is silent but for what the suite puts there. Over a
/// modelled link all statements but those on other interfaces go through Bluetooth, as those on Bluetooth always do.
final class EmulatorTarget: ComplianceTarget {
    let title: String
    let abilities = Abilities.emulated
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.seconds(1)

    private(set) var interface = AppLink.serial
    private(set) var board: BoardProfile?
    private let mutant: Mutant?
    private let quirks: QuirkSet
    /// The firmware of the radio.
    private let firmware: FirmwareVersion
    private let seed: Seed
    private let hooks: (any CompanionHooks)?
    /// Changes what the radio writes, for tests of the suite itself.
    var tamper: ((inout [UInt8]) -> Void)?

    /// The board; over Bluetooth its link is the peripheral's business.
    var radio: HeldRadio
    /// The Bluetooth side of the radio, once a statement has asked for it, or when all go over it.
    private var bluetooth: (link: EmulatedController, central: TestCentral)?
    /// The link of statements that are about no interface; a serial line unless stated otherwise.
    private let modelled: Target.Modelled?
    /// The interface for statements that are about none.
    private let preferred: AppLink
    /// The statement is the radio's central itself.
    private var isCentral = false

    init(
        title: String = "emulator", quirks: QuirkSet = .all, seed: Seed = Seed(1), mutant: Mutant? = nil,
        over modelled: Target.Modelled? = nil, on preferred: AppLink = .serial, firmware: FirmwareVersion = .standard
    ) {
        self.title = title
        self.preferred = preferred
        self.modelled = modelled
        self.mutant = mutant
        hooks = mutant?.hooks
        self.quirks = quirks
        self.seed = seed
        self.firmware = firmware
        var build = HeldRadio.Build(quirks: quirks, seed: seed)
        build.hooks = hooks
        radio = HeldRadio(build)
    }

    var virtualTime: Instant? { radio.now }
    var airLog: [HeldRadio.Transmission] { radio.airLog }

    // MARK: Client

    func prepare(_ setup: Setup) throws(TargetError) {
        let usual = setup.isAboutLeaving ? .wifi : preferred
        interface = setup.interface ?? (modelled == nil ? usual : .bluetooth)
        isCentral = setup.interface == .bluetooth
        var base = BoardProfile.heltecV3
        base.firmware = firmware
        if let modelled { base.platform = modelled.board.platform }
        let board = setup.board(from: base)
        self.board = board
        var build = HeldRadio.Build(board: board, quirks: quirks, link: interface, seed: seed)
        build.hooks = hooks
        if let further = setup.further { build.furtherLinks = [further] }
        radio = HeldRadio(build)
        bluetooth = nil
        try connect()
    }

    func close() {}

    func central() throws(TargetError) -> TestCentral {
        if let bluetooth { return bluetooth.central }
        let link = try EmulatedController(
            self, faults: mutant?.bluetoothFaults ?? [], renamesAtOnce: mutant?.renamesAtOnce ?? false, seed: seed)
        let central = try TestCentral(link, random: .drawn(seed.stream("comply", "phone")))
        bluetooth = (link, central)
        return central
    }

    var linkProblem: String? {
        if radio.hasRestarted { return "the radio has restarted" }
        return radio.isConnected ? nil : "nobody is connected"
    }

    var hasRestarted: Bool { radio.hasRestarted }

    var hidden: String? {
        guard !isCentral, let link = bluetooth?.link else { return nil }
        if link.hasCut {
            return "has a frame whose end an ESP32 cuts over Bluetooth (CMP-032); run it with --target emulator"
        }
        guard case .frames(let interface) = radio.companion.interface, interface.lostOutputs > 0 else { return nil }
        return
            "has more frames at one moment than may wait for Bluetooth (CMP-028, CMP-029); run it with --target emulator"
    }

    func write(_ bytes: [UInt8]) throws(TargetError) {
        guard let bluetooth else { return radio.receive(bytes) }
        do throws(TargetError) {
            try bluetooth.central.write(framed: bytes)
        } catch {
            // A board that restarts may be down before it has answered; other links do not tell either.
            if isCentral || bluetooth.central.isLinked { throw error }
        }
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

    func connect() throws(TargetError) {
        // Over Bluetooth an app is there once its link is secure.
        guard interface == .bluetooth else { return radio.connect() }
        if !isCentral { try central().begin() }
    }

    func disconnect() throws(TargetError) {
        if let bluetooth { return try bluetooth.central.disconnect() }
        // A serial line cannot be dropped, but what it carried is not read any more.
        radio.dropWrites()
        radio.disconnect()
    }

    func reconnectAfterRestart() throws(TargetError) {
        if let bluetooth { try bluetooth.central.rest(.seconds(10)) { self.radio.hasRestarted } }
        radio.run(for: .seconds(10), until: .restarted)
        guard radio.hasRestarted else { throw .linkLost("the radio did not restart within 10 seconds") }
        radio.noteRestart()
        bluetooth?.link.attend()
        try connect()
    }

    func powerCycle() throws(TargetError) {
        radio.dropWrites()
        radio.cyclePower()
        bluetooth?.link.losePower()
        try connect()
    }

    func secondApp() throws(TargetError) -> any ComplianceTarget {
        let app = SecondAppTarget(self)
        try app.connect()
        return app
    }

    /// Lets time pass until the app at an interface has something to read, or until the span is over.
    func wait(_ span: TimeSpan, forAppAt number: Int) throws(TargetError) {
        guard let bluetooth else { return radio.run(for: span, until: .written, at: number) }
        try bluetooth.central.rest(span) { self.radio.hasWrite(at: number) }
    }

    func connectSecondClient() throws(TargetError) -> Bool {
        radio.dropWrites()
        let before = radio.clientsReplaced
        try connect()
        return radio.clientsReplaced == before + 1
    }

    // MARK: Air and storage

    func hear(_ frame: [UInt8], snr: Double, rssi: Double) {
        let signal = Signal(snrHundredths: Int16(wholePart: snr * 100), rssiHundredths: Int16(wholePart: rssi * 100))
        radio.hear(RadioFrame(frame), signal)
        // What the board says of it is on its way before it hears the next one.
        bluetooth?.link.attend()
    }

    func transmission(within span: TimeSpan) -> [UInt8]? {
        if let bluetooth { bluetooth.link.awaitTransmission(within: span) } else { radio.run(for: span, until: .sent) }
        return radio.takeTransmission()
    }

    func failStorage(writing: Bool, formatting: Bool) {
        radio.failStorage(writing: writing, formatting: formatting)
    }
}
