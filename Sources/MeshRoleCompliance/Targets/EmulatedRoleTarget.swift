import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWire

/// An emulated node of one role, alone on its air on virtual time: a new one, at factory settings, for every statement.
final class EmulatedRoleTarget: RoleTarget {
    /// The clock of a prepared node: 2026-01-01.
    static let clock: UInt32 = 1_767_225_600

    let title = "emulator"
    let abilities: Abilities
    let precision = TimeSpan.milliseconds(2)
    var clock: UInt32 { Self.clock }
    var radio: LoRaParameters { node.core.board.radio }

    private let role: ServerRole
    private let firmware: FirmwareVersion
    private let seed: Seed
    private let faults: [RoleDefect]
    /// Tells whether a fault compares the node with what it was before a pass.
    private let comparesPasses: Bool
    private let identity = LocalIdentity(seed: Seed32([UInt8](repeating: 0x0B, count: 32)))

    private(set) var now = Instant.start
    private(set) var node: any InfrastructureNode
    private var setup: ServerSetup
    private var pacer = Pacer(.stepped)
    private var transmissionEnd: Instant?
    /// The frames on the air that are not yet fetched, oldest first.
    private var sent: [AntennaFrame] = []
    /// Frames that a fault has delayed or added, by the time at which they begin.
    private var late: [AntennaFrame] = []
    /// Frames that the node has received, for faults that remember.
    private var heard: [[UInt8]] = []
    private var printed: [UInt8] = []
    private var isChannelBusy = false
    private var isTransmitterHeld = false
    /// The number of boots, which draw different random numbers.
    private var boots = 0
    /// Passes of the node, a measure of the work of a run.
    private(set) var passes = 0

    init(
        _ role: ServerRole, firmware: FirmwareVersion = .standard, seed: Seed = Seed(1), faults: [RoleDefect] = [],
        without lacks: Abilities = []
    ) {
        self.role = role
        self.firmware = firmware
        self.seed = seed
        self.faults = faults
        comparesPasses = faults.contains { if case .passed = $0 { true } else { false } }
        abilities = Abilities.rig.union(.console).subtracting(lacks)
        let board = Self.board(firmware)
        setup = ServerSetup(role, board: board)
        node = Self.node(role, identity, board, setup, Flash(), nil, seed.stream("roles", "first"), .start)
    }

    /// The board of the nodes: as many are in the field, with outputs to switch and a loop of a millisecond.
    private static func board(_ firmware: FirmwareVersion) -> BoardProfile {
        var board = BoardProfile.heltecV3
        board.firmware = firmware
        board.hasOutputs = true
        board.loopPeriod = .milliseconds(1)
        return board
    }

    private static func node(
        _ role: ServerRole, _ identity: LocalIdentity, _ board: BoardProfile, _ setup: ServerSetup, _ flash: Flash,
        _ time: UInt32?, _ random: RandomStream, _ now: Instant
    ) -> any InfrastructureNode {
        let clock = RealTimeClock(unixSeconds: time ?? board.clockAtPowerOn, at: now)
        return switch role {
        case .repeater:
            RepeaterNode(
                identity: identity, board: board, setup: setup, random: random, clock: clock, flash: flash, at: now)
        case .roomServer:
            RoomServer(
                identity: identity, board: board, setup: setup, random: random, clock: clock, flash: flash, at: now)
        case .sensor:
            SensorNode(
                identity: identity, board: board, setup: setup, random: random, clock: clock, flash: flash, at: now)
        }
    }

    // MARK: Preparation and power

    func prepare(_ setup: RoleSetup) throws(TargetError) {
        var board = Self.board(firmware)
        setup.board?(&board)
        self.setup = ServerSetup(role, board: board)
        setup.environment?(&self.setup.environment)
        for case .setup(let change) in faults { change(&self.setup, &board) }
        now = .start
        boots = 0
        boot(Flash(), on: board, time: nil)
        (isChannelBusy, isTransmitterHeld, printed, heard) = (false, false, [], [])
        guard !setup.isUntouched else { return }
        for line in ["set advert.interval 0", "set flood.advert.interval 0"] { _ = try type(line) }
        // The boot advert is still sent.
        try wait(.seconds(20))
        _ = try type("time \(Self.clock)")
        sent = []
    }

    /// Starts the node on these files, as after an update of its firmware.
    func start(on flash: Flash) {
        var (flash, board) = (flash, Self.board(firmware))
        setup = ServerSetup(role, board: board)
        for case .setup(let change) in faults { change(&setup, &board) }
        for case .restarted(let change) in faults { change(&flash) }
        (now, boots) = (.start, 0)
        boot(flash, on: board, time: Self.clock)
        (isChannelBusy, printed, heard) = (false, [], [])
    }

    private func boot(_ flash: Flash, on board: BoardProfile, time: UInt32?) {
        boots += 1
        node = Self.node(role, identity, board, setup, flash, time, seed.stream("roles", "\(boots)"), now)
        (sent, late, transmissionEnd) = ([], [], nil)
        pacer.start()
        post(.woke)
    }

    /// Starts the node again from its flash.
    private func restart(keepingClock: Bool) {
        var flash = node.flash
        for case .restarted(let change) in faults { change(&flash) }
        setup.environment = node.environment
        let time = keepingClock && node.core.board.keepsClockOverRestart ? node.unixTime(at: now) : nil
        boot(flash, on: node.core.board, time: time)
    }

    func cyclePower() throws(TargetError) { restart(keepingClock: false) }

    func file(_ path: String) throws(TargetError) -> [UInt8]? { node.flash[path] }

    func setBattery(millivolts: UInt16) throws(TargetError) {
        node.environment.battery = .millivolts(millivolts)
    }

    func holdChannel(_ isBusy: Bool) throws(TargetError) { isChannelBusy = isBusy }

    func holdTransmitter(_ isHeld: Bool) throws(TargetError) { isTransmitterHeld = isHeld }

    // MARK: Time

    func wait(_ span: TimeSpan) throws(TargetError) { run(for: span) { false } }

    /// Lets time pass until `isDone` or until `span` is over.
    private func run(for span: TimeSpan, until isDone: () -> Bool) {
        pacer.allow(until: now + span)
        while !isDone(), case .run(let moment) = pacer.turn(from: now, next: nextEventTime) { pass(at: moment) }
    }

    private var nextEventTime: Instant {
        min(node.nextWake, min(transmissionEnd ?? .never, late.first?.begin ?? .never))
    }

    private func pass(at moment: Instant) {
        now = moment
        if let first = late.first, first.begin <= now {
            sent.append(late.removeFirst())
        } else if let end = transmissionEnd, end <= now {
            transmissionEnd = nil
            post(.transmitDone)
        } else if node.nextWake <= now {
            post(.woke)
        }
    }

    private func post(_ input: NodeInput) {
        passes += 1
        let before = comparesPasses ? node : nil
        var effects: [NodeEffect] = []
        node.handle(input, at: now, radio: RadioStatus(isReceiving: isChannelBusy), into: &effects)
        if let before { for case .passed(let change) in faults { change(&node, before) } }
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: NodeEffect) {
        switch effect {
        case .transmit(let frame):
            let airtime = node.core.board.airtime(node.core.parameters)
            let end = now + .microseconds(airtime.microseconds(bytes: frame.count))
            transmissionEnd = isTransmitterHeld ? nil : end
            emit(frame.bytes)
        case .appBytes(let bytes): printed += bytes
        case .reboot: restart(keepingClock: true)
        case .tune, .setTxPower, .flash, .trace, .powerOff, .bridge, .atInterface, .appClosed, .appReplaced: break
        }
    }

    // MARK: Air

    private var context: FaultContext { FaultContext(node: node, heard: heard) }

    private func emit(_ frame: [UInt8]) {
        var frame = frame
        var delay = TimeSpan.zero
        for fault in faults {
            switch fault {
            case .sending(let change): change(&frame, context)
            case .late(let fits, let span): if let parts = SentBytes(frame), fits(parts) { delay = delay + span }
            default: break
            }
        }
        if !frame.isEmpty { put(frame, after: delay) }
    }

    private func put(_ frame: [UInt8], after delay: TimeSpan) {
        let frame = AntennaFrame(begin: now + delay, bytes: frame)
        guard delay > .zero else { return sent.append(frame) }
        let place = late.firstIndex { $0.begin > frame.begin } ?? late.count
        late.insert(frame, at: place)
    }

    func hear(_ frame: [UInt8], snr: Double, isWaiting: Bool) throws(TargetError) {
        // Half duplex: a frame during a transmission is lost, which few statements are about.
        if isWaiting { run(for: .seconds(60)) { self.transmissionEnd == nil } }
        var (frame, hundredths) = (frame, Int16(wholePart: snr * 100))
        var extras: [(after: TimeSpan, frame: [UInt8])] = []
        for fault in faults {
            switch fault {
            case .hearing(let change): change(&frame, &hundredths, context)
            case .extra(let frames): extras += frames(frame, context)
            default: break
            }
        }
        heard.append(frame)
        for extra in extras { put(extra.frame, after: extra.after) }
        guard !frame.isEmpty else { return }
        post(.heard(RadioFrame(frame), Signal(snrHundredths: hundredths, rssiHundredths: -6000)))
    }

    func transmission(within span: TimeSpan) throws(TargetError) -> AntennaFrame? {
        run(for: span) { !self.sent.isEmpty }
        return sent.isEmpty ? nil : sent.removeFirst()
    }

    // MARK: Console

    func type(_ line: String) throws(TargetError) -> [UInt8] {
        printed = []
        var typed = line
        for case .typed(let change) in faults { change(&typed, context) }
        post(.appBytes([UInt8]((typed + "\r").utf8)))
        for case .answered(let change) in faults {
            var answer = ConsoleText.answer(in: printed)
            let original = answer
            change(line, &answer)
            if answer != original { printed = [UInt8]((line + "\r\n" + ConsoleText.mark + answer + "\r\n").utf8) }
        }
        return printed
    }
}
