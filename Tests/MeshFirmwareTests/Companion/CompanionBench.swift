import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire

/// A companion radio on virtual time with its app and its air: keeps the clock, ends transmissions, collects output.
struct CompanionBench {
    private(set) var radio: CompanionRadio
    private(set) var now = Instant.start
    /// Frames for the app that the test has not read yet; with serial or TCP framing, writes.
    var toApp: [[UInt8]] = []
    /// The same for the apps at further interfaces, by their numbers.
    private(set) var toFurther: [UInt8: [[UInt8]]] = [:]
    /// The further interfaces whose clients were hung up on.
    private(set) var closedFurther: Set<UInt8> = []
    /// Packets that the radio has transmitted.
    var transmitted: [[UInt8]] = []
    private(set) var events: [NodeEvent] = []
    private(set) var flashChanges = 0
    private(set) var isClosed = false
    /// Clients that were hung up on for a newer one.
    private(set) var replacedCount = 0
    private(set) var rebootCount = 0
    /// The chip's state while a pass runs.
    var status = RadioStatus()
    /// The end of the transmission under way.
    private var transmissionEnd: Instant?
    /// The duration of transmissions; the reference was recorded with a radio that needs no time.
    var transmission = TransmissionLength.none

    enum TransmissionLength {
        case none
        /// As long as the frame is on the air.
        case real
    }

    init(_ radio: CompanionRadio) {
        self.radio = radio
        run()
    }

    init(
        board: BoardProfile = .vectors, quirks: QuirkSet = .all, flash: Flash = Flash(), seed: UInt64 = 1,
        interface: AppInterface = .frames
    ) {
        let seed = Seed(seed)
        self.init(
            CompanionRadio(
                board: board, quirks: quirks, flash: flash, identityStream: seed.stream("identity"),
                randomStream: seed.stream("random"), interface: interface, at: .start))
    }

    // MARK: Time

    /// One pass with an input at the present time.
    mutating func pass(_ input: NodeInput = .woke) {
        var effects: [NodeEffect] = []
        radio.handle(input, at: now, radio: status, into: &effects)
        for effect in effects { take(effect) }
    }

    private mutating func take(_ effect: NodeEffect) {
        switch effect {
        case .transmit(let frame):
            transmitted.append(frame.bytes)
            transmissionEnd = end(of: frame)
        case .appBytes(let bytes): toApp.append(bytes)
        case .appClosed: isClosed = true
        case .appReplaced: replacedCount += 1
        case .atInterface(let number, .appBytes(let bytes)): toFurther[number, default: []].append(bytes)
        case .atInterface(let number, .appClosed): closedFurther.insert(number)
        case .atInterface: break
        case .reboot: rebootCount += 1
        case .flash: flashChanges += 1
        case .trace(let event): events.append(event)
        case .tune, .setTxPower, .bridge, .powerOff: break
        }
    }

    private func end(of frame: RadioFrame) -> Instant? {
        switch transmission {
        case .none: now
        case .real: now + TimeSpan.microseconds(Airtime(radio.radioParameters).microseconds(bytes: frame.count))
        }
    }

    /// The time of the next event: the end of a transmission or the wake that the radio wants.
    private var nextEvent: Instant { min(radio.nextWake, transmissionEnd ?? .never) }

    private mutating func step() {
        now = max(now, nextEvent)
        if let end = transmissionEnd, end <= now {
            transmissionEnd = nil
            pass(.transmitDone)
        } else {
            pass()
        }
    }

    /// Runs the events that are due at the present time, and nothing later.
    mutating func run() {
        while nextEvent <= now { step() }
    }

    mutating func wait(milliseconds: Int) {
        let end = now + TimeSpan.milliseconds(milliseconds)
        while nextEvent <= end { step() }
        now = end
    }

    // MARK: The app

    /// Sends a frame and runs one pass; the answers are in `toApp`.
    mutating func send(_ frame: [UInt8]) { pass(.appBytes(frame)) }
    mutating func send(_ frame: some CommandFrame) { send(frame.encoded()) }

    /// Sends a frame and gives what the radio has answered by the end of the pass.
    mutating func ask(_ frame: [UInt8]) -> [[UInt8]] {
        toApp = []
        send(frame)
        defer { toApp = [] }
        return toApp
    }

    mutating func ask(_ frame: some CommandFrame) -> [[UInt8]] { ask(frame.encoded()) }

    mutating func connect() { pass(.appConnected) }
    mutating func disconnect() { pass(.appDisconnected) }
    /// The link has no room for a further frame, or has again.
    mutating func hold(_ isHeld: Bool) {
        if radio.holdLink(isHeld) { pass() }
    }

    /// Everything that came for the app since the last look.
    mutating func takeFrames() -> [[UInt8]] {
        defer { toApp = [] }
        return toApp
    }

    /// The same for the app at a further interface.
    mutating func takeFrames(at interface: UInt8) -> [[UInt8]] {
        defer { toFurther[interface] = nil }
        return toFurther[interface] ?? []
    }

    mutating func takeTransmissions() -> [[UInt8]] {
        defer { transmitted = [] }
        return transmitted
    }

    // MARK: The air

    mutating func hear(_ packet: [UInt8], snr: Double = 6.25, rssi: Double = -90) {
        let signal = Signal(
            snrHundredths: Int16((snr * 100).rounded()), rssiHundredths: Int16((rssi * 100).rounded()))
        pass(.heard(RadioFrame(packet), signal))
    }

    // MARK: The board

    /// Restarts the board; without power its clock begins anew.
    mutating func reboot(keepingRTC: Bool = false, interface: AppInterface = .frames) {
        radio = radio.rebooted(at: now, keepingRTC: keepingRTC, interface: interface)
        transmissionEnd = nil
        isClosed = false
        run()
    }

    mutating func withRadio(_ body: (inout CompanionRadio) -> Void) { body(&radio) }
}

extension BoardProfile {
    /// The build that the vectors were made with, its main loop slow enough that passes can be counted.
    static let vectors: BoardProfile = {
        var board = BoardProfile.heltecV3
        board.loopPeriod = .milliseconds(1)
        board.hasOutputs = true
        board.mcuTemperatureTenths = nil
        return board
    }()
}

extension Flash {
    /// The flash of a board that has been given an identity and nothing else.
    static func holding(_ identity: LocalIdentity) -> Flash {
        Flash(files: [("/_main.id", identity.publicKey.array + identity.privateKey.array)])
    }
}
