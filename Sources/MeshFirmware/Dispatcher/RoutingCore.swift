package import MeshCompanion
package import MeshCrypto
import MeshPacket
package import MeshRadio
package import MeshTime

/// The state that every mesh node has, whatever its role: identity, clocks, radio, pool, queues, duplicate table
/// and counters.
///
/// It mirrors the state of the firmware's `Dispatcher` and `Mesh`. Reception and forwarding ask the role and are in
/// the extensions of `MeshNode`. The parts that need no role (time, creating, sending, transmitting) are here. A
/// core is a value: a copy is a snapshot.
public struct RoutingCore: Sendable {
    // What every pass looks at stands together, so that a node among thousands costs few cache lines.

    // MARK: Time
    /// The time of the pass; also the time of anything done between passes.
    package private(set) var now: Instant
    let boot: Instant
    /// The value of the millisecond counter at boot.
    let millisAtBoot: UInt32
    /// The state that the chip reports in this pass.
    private(set) var radioStatus = RadioStatus()

    // MARK: Transmission
    var inFlight: Transmission?
    var nextTransmission: Millis
    /// The time at which listening before talking first found the channel busy; 0 stands for never, as in the
    /// firmware.
    var busySince = Millis(0)
    /// The state that the driver keeps for listening before talking.
    var receptionCheck = ReceptionCheck()
    var budget: TransmitBudget
    /// The driver's estimate for the longest frame, in milliseconds.
    private(set) var longestAirtime: UInt32
    /// Facts of the board that passes ask for.
    let loopPeriod: TimeSpan
    let driver: ReceptionDriver
    let logsPackets: Bool
    var quirks: QuirkSet
    /// The node's random numbers, drawn in the order in which the firmware draws them.
    var random: RandomStream
    var errorFlags: ErrorFlags = []
    /// True when `trace` reports events.
    var reportsEvents = true

    // MARK: Packets
    /// The effects of the pass, in order; before the first pass, those of booting.
    package var effects: [NodeEffect] = []
    /// An imported advert that is processed at the end of the mesh part of the pass; one at most.
    var loopback: [PacketView] = []
    var sendQueue: PacketQueue
    var inboundQueue: PacketQueue
    /// The moment at which the first entry of both queues is due, as `radioWake` found it last.
    private var nextDue = Instant.never
    var pool: PacketPool

    // MARK: Reports
    /// The signal of the last frame that arrived.
    var lastSignal = Signal(snrHundredths: 0, rssiHundredths: 0)
    var statistics = RoutingStatistics()
    /// The radio as it is set; change it with `tune`.
    private(set) var airtime: Airtime

    // What only packets need that the node has not met, and then what hardly anything needs.

    // MARK: Who and what
    package var identity: LocalIdentity
    package var seen: SeenTable
    package var clock: RealTimeClock
    package let board: BoardProfile

    /// A transmission that has not ended.
    struct Transmission: Sendable {
        let slot: UInt16
        let isFlood: Bool
        let startedAt: Millis
        /// The moment at which the node gives the transmission up.
        let deadline: Millis
    }

    init(
        identity: LocalIdentity, board: BoardProfile, quirks: QuirkSet = .all, random: RandomStream,
        clock: RealTimeClock, at boot: Instant, millisAtBoot: UInt32 = 0, poolSize: Int? = nil
    ) {
        self.identity = identity
        self.board = board
        seen = SeenTable(board.firmware.switches)
        self.quirks = quirks
        self.random = random
        self.clock = clock
        self.boot = boot
        self.millisAtBoot = millisAtBoot
        now = boot
        airtime = board.airtime(board.radio)
        longestAirtime = airtime.milliseconds(bytes: PacketLimits.frame)
        loopPeriod = board.loopPeriod
        driver = ReceptionDriver(board)
        logsPackets = board.logsPackets
        pool = PacketPool(capacity: poolSize ?? board.packetPoolSize)
        sendQueue = PacketQueue(capacity: pool.capacity)
        inboundQueue = PacketQueue(capacity: pool.capacity)
        budget = TransmitBudget(at: Millis(millisAtBoot))
        nextTransmission = Millis(millisAtBoot)
    }

    /// The differences of the node's firmware from other versions.
    package var switches: FirmwareSwitches { board.firmware.switches }
    package var publicKey: PublicKey { identity.publicKey }
    package var parameters: LoRaParameters { airtime.parameters }

    /// Sets the radio: for the node's reckoning at once, for the air by an effect.
    package mutating func tune(_ parameters: LoRaParameters) {
        airtime = board.airtime(parameters)
        longestAirtime = airtime.milliseconds(bytes: PacketLimits.frame)
        effects.append(.tune(parameters))
    }

    /// Sets the radio value by value: a value that the chip refuses stays as it was.
    mutating func tune(
        frequencyKilohertz: UInt32, bandwidthHertz: UInt32, spreadingFactor: UInt8, codingRate: UInt8
    ) {
        tune(
            board.chip.applying(
                frequencyKilohertz: frequencyKilohertz, bandwidthHertz: bandwidthHertz,
                spreadingFactor: spreadingFactor, codingRate: codingRate, to: parameters))
    }

    /// Sets the transmit power in dBm; one that the chip refuses changes nothing.
    mutating func setTxPower(_ power: Int8) {
        if board.chip.supports(txPower: power) { effects.append(.setTxPower(power)) }
    }

    /// The estimate of the driver for a frame of `bytes`, in milliseconds.
    @inline(__always)
    func estimatedAirtime(bytes: Int) -> UInt32 { airtime.milliseconds(bytes: bytes) }

    /// Noise floor in dBm as the chip estimates it.
    var noiseFloor: Int16 { radioStatus.noiseFloor }
    /// Packets in the send queue, due or not.
    var queuedToSend: Int { sendQueue.count }

    /// Clears counters and error flags, as the command of the server roles and the companion's does.
    package mutating func resetStatistics() {
        statistics.reset()
        seen.resetStatistics()
        errorFlags = []
    }

    mutating func trace(_ event: NodeEvent) {
        if reportsEvents { effects.append(.trace(event)) }
    }
}

extension RoutingCore {
    /// Begins a pass: stores the time and the caller's list of effects, which `endPass` returns.
    mutating func beginPass(at now: Instant, radio: RadioStatus, effects caller: inout [NodeEffect]) {
        self.now = max(now, self.now)
        radioStatus = radio
        if !effects.isEmpty {
            caller.append(contentsOf: effects)
            effects.removeAll()
        }
        swap(&effects, &caller)
    }

    /// Notes that a pass was made at this moment, by whom ever.
    mutating func passed(at moment: Instant) { now = max(now, moment) }

    mutating func endPass(effects caller: inout [NodeEffect]) {
        swap(&effects, &caller)
    }
}

extension RoutingCore {
    private var elapsedMilliseconds: Int64 { (now - boot).milliseconds }

    /// Seconds since the board started, the waits in `setup` included.
    package var uptimeSeconds: UInt32 { UInt32(truncatingIfNeeded: (Int64(millisAtBoot) + elapsedMilliseconds) / 1000) }

    /// The millisecond counter.
    package var millis: Millis { Millis(millisAtBoot &+ UInt32(truncatingIfNeeded: elapsedMilliseconds)) }

    /// The counter's value after so many milliseconds (`futureMillis`).
    package func future(_ milliseconds: UInt32) -> Millis { millis + milliseconds }
    func hasPassed(_ moment: Millis) -> Bool { moment.hasPassed(at: millis) }

    /// Returns the instant at which the counter shows `moment`.
    func instant(of moment: Millis) -> Instant {
        boot + .milliseconds(elapsedMilliseconds + Int64(millis.distance(to: moment)))
    }

    /// Returns the instant at which `moment` has passed: one millisecond later.
    func instant(after moment: Millis) -> Instant { instant(of: moment) + .milliseconds(1) }

    /// Unix seconds on the node's clock.
    package var unixTime: UInt32 { clock.time(at: now) }
    /// Returns the instant at which the node's clock shows these Unix seconds: one pass from now at the earliest.
    func instant(ofUnixTime seconds: UInt32) -> Instant { max(clock.instant(of: seconds), now + board.loopPeriod) }
    /// A time stamp that this node has not used yet.
    package mutating func uniqueTime() -> UInt32 { clock.uniqueTime(at: now) }
    package mutating func setUnixTime(_ seconds: UInt32) { clock.set(seconds, at: now) }

    /// The next pass that radio and queues want; `.never` when only an input can bring more to do.
    mutating func radioWake() -> Instant {
        if !loopback.isEmpty { return now + loopPeriod }
        if let inFlight { return instant(after: inFlight.deadline) }
        var wake = Instant.never
        if let due = inboundQueue.earliestDue(at: millis) { wake = instant(of: due) }
        nextDue = wake
        if let due = sendQueue.earliestDue(at: millis) {
            let due = instant(of: due)
            nextDue = min(nextDue, due)
            wake = min(wake, max(due, instant(after: nextTransmission)))
        }
        return wake == .never ? .never : max(wake, now + loopPeriod)
    }

    /// Returns the moment until which passes with a known flood or a wrong checksum do nothing but count.
    ///
    /// The role has nothing to do before `wake`, and has asked for `radioWake` at the end of this pass. The result is
    /// the beginning of the run when there is no such time.
    ///
    /// A queue with an entry that is due and may not go yet is not quiet: every pass refills the budget then. Nor is
    /// the last loop period before something is due, in which a pass puts it off by a part of that period.
    mutating func quietUntil(_ wake: Instant) -> Instant {
        guard inFlight == nil, !reportsEvents, loopback.isEmpty, effects.isEmpty, pool.freeCount > 0,
            inboundQueue.isPredictable, sendQueue.isPredictable
        else { return .start }
        let end = min(wake, nextDue)
        return end == .never ? .never : end - loopPeriod
    }
}
