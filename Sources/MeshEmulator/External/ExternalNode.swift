import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire

/// A node whose firmware runs in another process, which is its client: requests are written to it, answers come back.
///
/// It is asked when the board starts, when something has happened, and when the time has come that it asked for. Until
/// it has answered it is not asked again; what happens at the same moment is told with the next request. Whoever runs
/// the world lets no time pass meanwhile (`PeerDesk`).
struct ExternalNode: GuestNode {
    /// An empty flash: the program stores what it needs itself.
    let flash = Flash()
    private(set) var nextWake = Instant.never
    /// The program's breach of the rules; the node does nothing more after it.
    private(set) var problem: PeerProblem?
    /// Tells whether it has switched itself off.
    private(set) var hasLeft = false

    private let board: BoardProfile
    private let start: PeerStart
    private var parameters: LoRaParameters
    private var tick = PeerTick()
    private var wake = Instant.never
    private var hasStarted = false
    private var isAsked = false
    private var isSending = false

    init(_ boot: BootRecord) {
        board = boot.board
        parameters = boot.board.radio
        var stream = boot.seed.stream("external")
        start = PeerStart(
            node: boot.label, boots: boot.boots, now: 0, seed: (0..<32).map { _ in stream.nextByte() }.hex,
            radio: PeerRadioSettings(boot.board.radio, power: boot.board.txPower))
    }

    mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        guard problem == nil, !hasLeft else { return }
        switch input {
        case .appConnected: begin(at: now, into: &effects)
        case .appBytes(let bytes): take(bytes, at: now, into: &effects)
        case .heard(let frame, let signal): note(frame, signal)
        case .heardPacket(let shared, let signal): note(RadioFrame(shared.packet), signal)
        case .receiveError: tick.errors = (tick.errors ?? 0) + 1
        case .transmitDone:
            isSending = false
            tick.sent = true
        case .appDisconnected, .bridge, .atInterface, .woke: break
        }
        askAgain(at: now, radio, into: &effects)
        // An answer comes before time passes.
        nextWake = isAsked || problem != nil || hasLeft ? .never : wake
    }

    // MARK: Requests

    private mutating func begin(at now: Instant, into effects: inout [NodeEffect]) {
        guard !hasStarted else { return }
        hasStarted = true
        var start = start
        start.now = now.microseconds
        ask(.start(start), into: &effects)
    }

    private mutating func note(_ frame: RadioFrame, _ signal: Signal) {
        tick.heard =
            (tick.heard ?? []) + [
                PeerTick.Heard(frame: frame.bytes.hex, snr: signal.snrHundredths, rssi: signal.rssiHundredths)
            ]
    }

    private mutating func askAgain(at now: Instant, _ radio: RadioStatus, into effects: inout [NodeEffect]) {
        guard hasStarted, !isAsked, problem == nil, !hasLeft else {
            // What a radio hears before its program is there, nobody fetches.
            if !hasStarted { tick = PeerTick() }
            return
        }
        guard tick.isNews || wake <= now else { return }
        tick.now = now.microseconds
        tick.busy = radio.isReceiving
        tick.noise = radio.noiseFloor
        ask(.tick(tick), into: &effects)
        tick = PeerTick()
    }

    private mutating func ask(_ request: PeerRequest, into effects: inout [NodeEffect]) {
        isAsked = true
        wake = .never
        effects.append(.appBytes(request.line))
    }

    // MARK: Answers

    private mutating func take(_ bytes: [UInt8], at now: Instant, into effects: inout [NodeEffect]) {
        do throws(PeerProblem) {
            guard isAsked else { throw PeerProblem("it speaks although it was not asked") }
            isAsked = false
            try obey(PeerAnswer(line: bytes), at: now, into: &effects)
        } catch {
            problem = error
        }
    }

    private mutating func obey(
        _ answer: PeerAnswer, at now: Instant, into effects: inout [NodeEffect]
    ) throws(PeerProblem) {
        if let radio = answer.radio { try tune(to: radio, into: &effects) }
        if let frame = try answer.frame() {
            guard !isSending else { throw PeerProblem("it transmits before \"sent\" has ended its last frame") }
            isSending = true
            effects.append(.transmit(frame))
        }
        if let wake = answer.wake {
            guard now.microseconds < wake, wake <= PeerAnswer.lastWake else {
                throw PeerProblem("\"wake\" is \(wake), which is not after now, \(now.microseconds), or too far away")
            }
            self.wake = Instant(microseconds: wake)
        }
        if answer.leave == true {
            hasLeft = true
            effects.append(.powerOff)
        }
    }

    /// A chip that refuses a setting is a mistake of the program's, of which it is to hear.
    private mutating func tune(to radio: PeerRadioSettings, into effects: inout [NodeEffect]) throws(PeerProblem) {
        let wanted = radio.parameters
        let applied = board.chip.applying(
            frequencyKilohertz: wanted.frequencyKilohertz, bandwidthHertz: wanted.bandwidthHertz,
            spreadingFactor: wanted.spreadingFactor, codingRate: wanted.codingRate, to: parameters)
        guard wanted.isInRange, applied == wanted, board.chip.supports(txPower: radio.power) else {
            throw PeerProblem("\"radio\" has a setting that the board's chip does not take")
        }
        if applied != parameters {
            parameters = applied
            effects.append(.tune(applied))
        }
        effects.append(.setTxPower(radio.power))
    }
}
