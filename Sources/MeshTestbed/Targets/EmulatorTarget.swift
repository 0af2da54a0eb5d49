import MeshFirmware
import MeshRadio
import MeshTime

/// The emulated companion radio in this process, on virtual time: a new one, at factory settings, for every statement.
///
/// It is run one pass at a time and only while somebody waits for it, so that frames can be taken one by one. Its air
/// is silent but for what the suite puts there.
final class EmulatorTarget: ComplianceTarget {
    let title = "emulator"
    let capabilities = Capabilities(rawValue: ~0).subtracting(.sockets)
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.seconds(1)

    private(set) var interface = Interface.serial
    private let quirks: QuirkSet
    private let seed: Seed
    /// Changes what the radio writes, for tests of the suite itself.
    var tamper: ((inout [UInt8]) -> Void)?

    private var radio: CompanionRadio
    private var now = Instant.start
    private var effects: [NodeEffect] = []
    /// What the radio wrote and nobody has read, one write each.
    private var output: [[UInt8]] = []
    /// What the radio began to send and nobody has looked at.
    private var transmissions: [[UInt8]] = []
    private var transmissionEnds: Instant?
    private var airtime = Airtime(.init())
    private var isChannelBusy = false
    private var isConnected = false
    private var restarts = 0
    private var seenRestarts = 0

    init(quirks: QuirkSet = .all, seed: Seed = Seed(1)) {
        self.quirks = quirks
        self.seed = seed
        radio = Self.boot(.heltecV3, quirks, seed, .serial)
    }

    private static func boot(_ board: BoardProfile, _ quirks: QuirkSet, _ seed: Seed, _ interface: Interface)
        -> CompanionRadio
    {
        CompanionRadio(
            board: board, quirks: quirks, identityStream: seed.stream("comply", "identity"),
            randomStream: seed.stream("comply", "radio"), interface: link(interface, board), at: .start)
    }

    private static func link(_ interface: Interface, _ board: BoardProfile) -> AppInterface {
        switch interface {
        case .serial: .serial
        case .wifi: .wifi(sendQueue: board.sendQueueSize)
        }
    }

    // MARK: Time

    /// Runs what is due next, unless that is later than `limit`.
    private func step(until limit: Instant) -> Bool {
        let due = min(radio.nextWake, transmissionEnds ?? .never)
        guard due <= limit else { return false }
        now = max(now, due)
        if let end = transmissionEnds, end <= now {
            transmissionEnds = nil
            post(.transmitDone)
        } else {
            post(.woke)
        }
        return true
    }

    /// Runs until `isDone` or until the time is over.
    private func run(for span: TimeSpan, until isDone: () -> Bool) {
        let limit = now + span
        while !isDone() {
            guard step(until: limit) else {
                now = limit
                return
            }
        }
    }

    private func post(_ input: NodeInput) {
        effects.removeAll(keepingCapacity: true)
        radio.handle(input, at: now, radio: RadioStatus(isReceiving: isChannelBusy), into: &effects)
        // Restarting replaces the radio and with it what else it wanted.
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: NodeEffect) {
        switch effect {
        case .transmit(let frame):
            transmissions.append(frame.bytes)
            transmissionEnds = now + .microseconds(airtime.microseconds(bytes: frame.count))
        case .tune(let parameters): airtime = Airtime(parameters, chip: radio.board.chip)
        case .appBytes(var bytes):
            tamper?(&bytes)
            // What a radio writes to nobody is kept, so that the next client finds it and the statement breaks.
            output.append(bytes)
        case .appClosed: isConnected = false
        case .reboot:
            restarts += 1
            restart(keepingRTC: true)
        case .setTxPower, .flash, .trace, .powerOff: break
        }
    }

    private func restart(keepingRTC: Bool) {
        isConnected = false
        transmissionEnds = nil
        radio = radio.rebooted(at: now, keepingRTC: keepingRTC, interface: Self.link(interface, radio.board))
        airtime = Airtime(radio.radioParameters, chip: radio.board.chip)
    }

    // MARK: Client

    func prepare(_ setup: Setup) {
        var board = BoardProfile.heltecV3
        setup.board?(&board)
        interface = setup.interface ?? .serial
        radio = Self.boot(board, quirks, seed, interface)
        airtime = Airtime(radio.radioParameters, chip: board.chip)
        now = .start
        output = []
        transmissions = []
        transmissionEnds = nil
        isChannelBusy = false
        restarts = 0
        seenRestarts = 0
        connect()
    }

    func close() {}

    func write(_ bytes: [UInt8]) {
        guard isConnected else { return }
        seenRestarts = restarts
        post(.appBytes(bytes))
    }

    func read(within span: TimeSpan) -> [UInt8]? {
        run(for: span) { !output.isEmpty }
        return output.isEmpty ? nil : output.removeFirst()
    }

    func wait(_ span: TimeSpan) {
        run(for: span) { false }
    }

    // MARK: Link and power

    func connect() {
        isConnected = true
        post(.appConnected)
    }

    func disconnect() {
        isConnected = false
        // A serial line cannot be dropped, but what it carried is not read any more.
        output = []
        post(.appDisconnected)
    }

    func reconnectAfterRestart() throws(TargetError) {
        run(for: .seconds(10)) { restarts > seenRestarts }
        guard restarts > seenRestarts else { throw .linkLost("the radio did not restart within 10 seconds") }
        seenRestarts = restarts
        connect()
    }

    func powerCycle() {
        output = []
        restart(keepingRTC: false)
        connect()
    }

    func connectSecondClient() -> Bool {
        output = []
        post(.appConnected)
        return true
    }

    // MARK: Air and storage

    func hear(_ frame: [UInt8], snr: Double, rssi: Double) {
        // Half duplex: what arrives during a transmission is lost, and no statement is about that.
        run(for: .seconds(60)) { transmissionEnds == nil }
        let signal = Signal(snrHundredths: Int16(snr * 100), rssiHundredths: Int16(rssi * 100))
        post(.heard(RadioFrame(frame), signal))
    }

    func transmission(within span: TimeSpan) -> [UInt8]? {
        run(for: span) { !transmissions.isEmpty }
        return transmissions.isEmpty ? nil : transmissions.removeFirst()
    }

    func holdChannel(_ isBusy: Bool) {
        isChannelBusy = isBusy
    }

    func failStorage(writing: Bool, formatting: Bool) {
        radio.setFlashFaults(write: writing, format: formatting)
    }
}
