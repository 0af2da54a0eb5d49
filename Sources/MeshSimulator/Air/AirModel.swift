import MeshRadio
public import MeshTime

/// The numbers by which frames meet on the air; every one can be set.
public struct AirModel: Hashable, Sendable {
    /// When a modem leaves the frame it follows for a stronger one.
    public enum Relock: Hashable, Sendable {
        /// Whenever the stronger one comes.
        case always
        /// While the frame it follows is still in its preamble; after that the modem stays, as LoRa chips do.
        case duringPreamble
        case never
    }

    /// How much stronger one of two overlapping frames must be to survive, in 1/100 dB.
    ///
    /// 6 dB is what Semtech states for two frames of equal spreading factor.
    public var captureThresholdHundredths = 600
    /// When a modem leaves the frame it follows for a stronger one.
    public var relock = Relock.duringPreamble
    /// Symbols at the end of a preamble that a modem needs to lock on to a frame.
    ///
    /// What disturbs only the preamble before them does no harm, and a modem that is free again by then still receives
    /// the frame. 5 is what Bor and others measured in 2016 ("Do LoRa low-power wide-area networks scale?").
    public var criticalPreambleSymbols = 5
    /// Preamble symbols that pass before a listener's modem notices a frame.
    ///
    /// Two nodes that start within this time do not see each other, which is how frames collide in range.
    public var detectionSymbols = 4
    /// From the end of a node's transmission until its receiver listens again.
    public var turnaround = TimeSpan.microseconds(200)
    /// The least SNR at which a frame is made out, in 1/100 dB, for spreading factors 5 to 12.
    public var snrLimitsHundredths: [Int16] = [-250, -500, -750, -1000, -1250, -1500, -1750, -2000]
    /// What a quiet receiver estimates as its noise floor, in dBm.
    public var noiseFloor: Int16 = -110
    /// How links waver; none at first.
    public var fading = Fading()

    public init() {}

    func snrLimitHundredths(spreadingFactor: UInt8) -> Int16 {
        let index = Int(min(max(spreadingFactor, 5), 12)) - 5
        return index < snrLimitsHundredths.count ? snrLimitsHundredths[index] : .min
    }
}

/// How the strength of a link wavers in time: normally distributed in decibels, the same in both directions.
///
/// The deviation at a moment follows from seed, link and time alone, so that it can be asked for in any order, and no
/// other link changes it. Between moments one `coherence` apart it goes over smoothly from one drawn value to the next.
public struct Fading: Hashable, Sendable {
    /// Standard deviation in 1/100 dB; 0 switches fading off.
    public var deviationHundredths = 0
    /// How long a link stays about the same.
    public var coherence = TimeSpan.seconds(5)

    public init(deviationHundredths: Int = 0, coherence: TimeSpan = .seconds(5)) {
        precondition(coherence > .zero, "fading needs a coherence time")
        self.deviationHundredths = deviationHundredths
        self.coherence = coherence
    }

    var isOn: Bool { deviationHundredths != 0 }

    /// How much stronger than usual the pair is at `time`, in 1/100 dB.
    func deviation(of pair: PairKey, at time: Instant) -> Int {
        let step = time.microseconds / coherence.microseconds
        let sixteenths = (time.microseconds - step * coherence.microseconds) * 16 / coherence.microseconds
        // Weights on a quarter circle, so that the variance is the same everywhere.
        let old = Self.quarterCircle[16 - Int(sixteenths)]
        let new = Self.quarterCircle[Int(sixteenths)]
        let mixed = pair.normal(UInt64(bitPattern: step)) * old + pair.normal(UInt64(bitPattern: step + 1)) * new
        return mixed / 1024 * deviationHundredths / PairKey.normalUnit
    }

    /// The sine of sixteenths of a right angle, times 1024.
    private static let quarterCircle = [
        0, 100, 200, 297, 392, 483, 569, 650, 724, 792, 851, 903, 946, 980, 1004, 1019, 1024,
    ]
}

/// Names a pair of nodes for draws that belong to the link between them, in whichever direction.
struct PairKey: Hashable, Sendable {
    private let value: UInt64
    /// One standard deviation of `normal`.
    static let normalUnit = 65_536

    /// From a stream's state and the numbers that the nodes' labels give.
    init(_ seed: UInt64, _ one: UInt64, _ other: UInt64) {
        var first = RandomStream(state: seed ^ min(one, other))
        var second = RandomStream(state: first.next() ^ max(one, other))
        value = second.next()
    }

    /// The normally distributed number of this index: the sum of twelve even ones, within six deviations.
    func normal(_ index: UInt64) -> Int {
        var stream = RandomStream(state: value &+ index &* 0xD6E8_FEB8_6659_FD93)
        var sum = 0
        for _ in 0..<3 {
            let bits = stream.next()
            sum += Int(bits & 0xFFFF) + Int(bits >> 16 & 0xFFFF) + Int(bits >> 32 & 0xFFFF) + Int(bits >> 48)
        }
        return sum - 6 * Self.normalUnit
    }
}

extension LoRaParameters {
    /// Whether a receiver with these parameters locks on to a frame sent with `other`.
    ///
    /// The coding rate does not matter: the explicit header carries it.
    func hears(_ other: LoRaParameters) -> Bool {
        frequencyKilohertz == other.frequencyKilohertz && bandwidthHertz == other.bandwidthHertz
            && spreadingFactor == other.spreadingFactor
    }
}
