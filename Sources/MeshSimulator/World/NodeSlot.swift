import MeshFirmware
import MeshRadio
import MeshTime

/// The state that the world reads with every frame that reaches a node.
///
/// It needs less than a cache line, so that the states of ten thousand nodes stay in the cache.
struct ReceiverState: Sendable {
    /// From when on the receiver listens: later than now while the node transmits.
    var readyAt = Instant.start
    /// The time at which the modem noticed the frame that it follows, or since which it follows none.
    var lockedFrom = Instant.start
    /// The beginning of the first frame, received or sent, since which the noise floor could not be sampled.
    var busyFrom = Instant.start
    /// The first of the frames on the air at this node; −1 for none.
    var firstReception: Int32 = -1
    /// The frame that the modem follows; −1 for none.
    var locked: Int32 = -1
    /// The place of the node's transmission on the air; −1 for none.
    var transmission: Int32 = -1
    /// The index of the world's settings that the radio works with.
    var tuning: UInt16
    /// Off while the board starts again, or without power.
    var isUp = true
    /// Faults that make the node deaf.
    var deafness: UInt8 = 0

    /// The modem notices a frame and follows it; the antenna is not quiet from `begin` on.
    @inline(__always)
    mutating func follow(_ place: Int32, noticed: Instant, begin: Instant) {
        takeUp(begin)
        locked = place
        lockedFrom = noticed
    }

    /// The modem follows no frame any more.
    @inline(__always)
    mutating func unfollow(at now: Instant) {
        guard locked >= 0 else { return }
        locked = -1
        lockedFrom = now
    }

    /// The antenna stops being quiet. When it has been for long enough, a sampling of the noise floor has ended.
    @inline(__always)
    mutating func takeUp(_ begin: Instant) {
        if locked < 0 && begin - lockedFrom >= NoiseSampling.length { busyFrom = begin }
    }
}

/// The state that the world reads with every pass of a node.
struct NodeState: Sendable {
    let place: CorePlace
    /// The excess of the node's clock, in millionths.
    var clockSkew: Int32 = 0
    /// The wake that is in the queue, `.never` when none is; any other one of this node is stale.
    var pendingWake = Instant.never
    /// The moment at which the node wants its next pass.
    var wish = Instant.never
    /// The excess of the noise floor at its place over that of the air, in hundredths of dB.
    var noiseHundredths: Int16 = 0
    /// The counts of a repeater that has nothing to do.
    var deferredCounts = DeferredCounts()
}

/// One setting that radios of this world work with.
struct Tuning: Sendable {
    let airtime: Airtime
    /// A number that is equal for settings that receive each other.
    let channel: UInt16
    let snrLimitHundredths: Int16
    /// From here on noise spoils no frame, in 1/100 dB.
    let surelyHeardHundredths: Int16
    /// The part of a frame's ends that its coding rate repairs.
    let repaired: TimeSpan
    let detection: TimeSpan
    /// From the beginning of a frame to the moment from which its listeners must be undisturbed.
    let leadIn: TimeSpan
    /// From the beginning of a frame to the end of its header.
    let header: TimeSpan

    init(_ airtime: Airtime, channel: UInt16, air: AirModel) {
        self.airtime = airtime
        self.channel = channel
        snrLimitHundredths = air.snrLimitHundredths(spreadingFactor: airtime.parameters.spreadingFactor)
        surelyHeardHundredths =
            air.sensitivity == .curve
            ? Int16(clamping: Int(snrLimitHundredths) + SymbolLoss.last) : snrLimitHundredths
        let symbol = airtime.symbolMicroseconds
        let isRepaired = air.repairsSymbol && airtime.parameters.codingRate >= 7
        repaired = TimeSpan(microseconds: isRepaired ? symbol : 0)
        detection = TimeSpan(microseconds: symbol * Int64(air.detectionSymbols))
        leadIn = TimeSpan(
            microseconds: symbol * Int64(max(0, Int(airtime.preambleSymbols) - air.criticalPreambleSymbols)))
        header = TimeSpan(microseconds: airtime.preambleMicroseconds)
    }
}

/// The make of a node: the same for many nodes, and needed when one of them starts again.
struct NodeKit: Hashable, Sendable {
    let board: BoardProfile
    let quirks: QuirkSet
    let setup: ServerSetup?
    let furtherLinks: [AppLink]
}

/// The state of a node that the world rarely reads.
struct NodeSlot: Sendable {
    let label: String
    /// The hash of the label, for draws that belong to the node.
    let labelHash: UInt64
    let role: NodeRole
    /// Always one; an array because nodes that are alike share its memory.
    let kit: [NodeKit]
    /// Restarts since the world began.
    var boots = 0
    /// Its transmissions so far, and how long they were together.
    var framesSent: UInt32 = 0
    var airtime = TimeSpan.zero
    /// The excess of its power over the board's factory power, at which links are stated; in hundredths of dB.
    var gainHundredths: Int32 = 0
    /// The excess of its carrier over the frequency that it is set to.
    var carrierOffsetHertz: Int32 = 0
    /// The time of the board's last start.
    var bootedAt = Instant.start
    var airtimeBeforeBoot = TimeSpan.zero
    /// The next start finds an empty flash, or a clock that has stood still.
    var losesFlash = false
    var losesClock = false
    var position: PlanePosition?
    /// The place of its body among those of the world; −1 for none.
    var body: Int32 = -1
    /// The inputs that arrived from the client while the board was starting.
    var waiting = WaitingInputs()

    var board: BoardProfile { kit[0].board }
    var quirks: QuirkSet { kit[0].quirks }
    var setup: ServerSetup? { kit[0].setup }
    /// The links of a companion radio by the numbers of its interfaces, whether its firmware knows of all or not.
    var links: [AppLink] { if case .companion(let link) = role { [link] + kit[0].furtherLinks } else { [] } }

    /// From a restart until the main loop runs.
    var bootDelay: TimeSpan {
        switch role {
        case .companion: board.bootDelay + board.gpsSearch
        case .server: board.bootDelay + board.serverSetup
        case .guest: board.bootDelay
        }
    }
}

/// The inputs that a client sent to a board that is starting: stored as its socket buffer would, and no more.
struct WaitingInputs: Sendable {
    /// Bytes a small IP stack buffers for one socket.
    static let byteLimit = 5744
    static let inputLimit = 64

    private(set) var inputs: [NodeInput] = []
    private var byteCount = 0

    /// Bytes that still fit.
    var window: Int { inputs.count < Self.inputLimit ? Self.byteLimit - byteCount : 0 }

    /// Keeps the input, or drops it when the buffer is full.
    mutating func add(_ input: NodeInput) {
        switch input.content {
        case .appConnected, .appDisconnected:
            inputs.removeAll { $0.interface == input.interface }
            byteCount = inputs.reduce(0) { $0 + $1.byteCount }
            inputs.append(input)
        case .appBytes:
            guard input.byteCount <= window else { return }
            byteCount += input.byteCount
            inputs.append(input)
        case .heard, .heardPacket, .receiveError, .transmitDone, .bridge, .atInterface, .woke: break
        }
    }

    mutating func take() -> [NodeInput] {
        defer { self = WaitingInputs() }
        return inputs
    }
}

extension NodeInput {
    /// The number of the interface at which a client does something.
    fileprivate var interface: UInt8 { if case .atInterface(let number, _) = self { number } else { 0 } }

    /// The same without the number of an interface.
    fileprivate var content: NodeInput { if case .atInterface(_, let input) = self { input } else { self } }

    fileprivate var byteCount: Int { if case .appBytes(let bytes) = content { bytes.count } else { 0 } }
}
