import MeshRadio
public import MeshTime

/// The numbers by which frames meet on the air; every one can be set.
///
/// Three models have names (`named`): `step`, `chip` and `field`. A new one is `chip`.
public struct AirModel: Hashable, Sendable {
    /// The times at which a modem leaves the frame that it follows for a stronger one.
    public enum Relock: Hashable, Sendable {
        /// At any time of the frame that it follows.
        case always
        /// While the frame it follows is still in its preamble; after that the modem stays, as LoRa chips do.
        case duringPreamble
        case never
    }

    /// The fate of frames near the SNR limit of their spreading factor.
    public enum Sensitivity: Hashable, Sendable {
        /// All are received down to the limit, and none below it.
        case limit
        /// A curve: 1 % of frames of 40 symbols are lost at the limit, 99 % less than 5 dB below it.
        ///
        /// Longer frames are lost more often. Modems also follow frames that they then cannot decode: all at the
        /// limit, half of them 3 dB below it, none 6 dB below it. MeshBench measured this on a detector of five
        /// symbols (`detectfloor_test.go`).
        case curve
    }

    /// The interference that a frame has to survive where several others are on the air.
    public enum Interference: Hashable, Sendable {
        /// The strongest of them.
        case strongest
        /// The sum of their powers.
        case sum
    }

    /// The difference by which one of two overlapping frames must be stronger to survive, in 1/100 dB.
    ///
    /// 6 dB is what Semtech states for two frames of equal spreading factor.
    public var captureThresholdHundredths = 600
    /// The same for the frame that a modem follows, once its preamble is over; in 1/100 dB.
    ///
    /// Published values are 1 dB (Croce and others, IEEE Communications Letters 22(4), 2018; AN1200.22), 3 dB
    /// (Benaissa and others, Sensors 21(3), 2021), and the 6 dB of `captureThresholdHundredths`.
    public var lockedThresholdHundredths = 300
    /// The interference that a frame has to survive where several others are on the air.
    public var interference = Interference.sum
    /// True when coding rates 4/7 and 4/8 repair one symbol that another frame covers.
    public var repairsSymbol = true
    /// True when frames of other spreading factors disturb, on the same frequency and bandwidth (`CrossTalk`).
    public var hasCrossTalk = true
    /// The times at which a modem leaves the frame that it follows for a stronger one.
    public var relock = Relock.duringPreamble
    /// Symbols at the end of a preamble that a modem needs to lock on to a frame.
    ///
    /// A disturbance of only the preamble before them does no harm. A modem that is free again by then still
    /// receives the frame. Bor and others measured 5 in 2016 ("Do LoRa low-power wide-area networks scale?").
    public var criticalPreambleSymbols = 5
    /// Preamble symbols that pass before a listener's modem notices a frame.
    ///
    /// Two nodes that start within this time do not see each other, which is how frames collide in range.
    public var detectionSymbols = 4
    /// From the end of a node's transmission until its receiver listens again.
    public var turnaround = TimeSpan.microseconds(200)
    /// The fate of frames near the SNR limit.
    public var sensitivity = Sensitivity.curve
    /// The SNR limit of spreading factors 5 to 12, in 1/100 dB: what datasheets state for the SX1276.
    public var snrLimitsHundredths: [Int16] = [-250, -500, -750, -1000, -1250, -1500, -1750, -2000]
    /// The noise floor that a quiet receiver estimates, in dBm.
    public var noiseFloor: Int16 = -110
    /// The variation of links in time; none at first.
    public var fading = Fading()
    /// The report of modems on the signals that they receive; exact at first.
    public var report = SignalReport()

    /// The model `chip`.
    public init() {}

    func snrLimitHundredths(spreadingFactor: UInt8) -> Int16 {
        let index = Int(min(max(spreadingFactor, 5), 12)) - 5
        return index < snrLimitsHundredths.count ? snrLimitsHundredths[index] : .min
    }
}

extension AirModel {
    /// Every model that has a name, with a summary for people.
    public static let named: [(name: String, model: AirModel, summary: String)] = [
        ("step", .step, "a hard SNR limit, capture at 6 dB at any time, the strongest interferer alone"),
        ("chip", .chip, "loss near the limit as a curve, capture by timing, interferers summed, one symbol repaired"),
        ("field", .field, "chip with fading of 2.3 dB, and SNR and RSSI as chips in the field report them"),
    ]

    /// The model of this name; `nil` where none has it.
    public init?(named name: String) {
        guard let model = Self.named.first(where: { $0.name == name })?.model else { return nil }
        self = model
    }

    /// The name of this model; `nil` where some number of it was changed.
    public var name: String? { Self.named.first { $0.model == self }?.name }

    /// The oldest model: simple rules that are easily followed by hand.
    public static let step: AirModel = {
        var air = AirModel()
        air.sensitivity = .limit
        air.lockedThresholdHundredths = air.captureThresholdHundredths
        air.interference = .strongest
        air.repairsSymbol = false
        air.hasCrossTalk = false
        return air
    }()

    /// The known behaviour of LoRa chips, on links that do not change.
    public static let chip = AirModel()

    /// The same on varying links, with the reports of chips outdoors.
    ///
    /// The SNR of one link varied by 2.3 dB within 5 to 200 m of a moving radio, in 3,138 exchanges of the Mesh
    /// Utility community. A coherence of 5 s is the longest that Cattani and others (2017) state for towns.
    public static let field: AirModel = {
        var air = AirModel()
        air.fading = Fading(deviationHundredths: 230, coherence: .seconds(5))
        air.report = .field
        return air
    }()
}

/// The variation of a link's strength in time: normally distributed in decibels, the same in both directions.
///
/// The deviation at a moment follows from seed, link and time alone, so that it can be computed in any order. No
/// other link changes it. Between moments one `coherence` apart it changes smoothly from one drawn value to the
/// next.
public struct Fading: Hashable, Sendable {
    /// Standard deviation in 1/100 dB; 0 switches fading off.
    public var deviationHundredths = 0
    /// The time for which a link stays about the same.
    public var coherence = TimeSpan.seconds(5)

    public init(deviationHundredths: Int = 0, coherence: TimeSpan = .seconds(5)) {
        precondition(coherence > .zero, "fading needs a coherence time")
        self.deviationHundredths = deviationHundredths
        self.coherence = coherence
    }

    var isOn: Bool { deviationHundredths != 0 }

    /// Returns the difference of the pair's strength at `time` from the usual one, in 1/100 dB.
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

    /// Makes the key from a stream's state and the numbers of the nodes' labels.
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
    /// Returns whether a receiver with these parameters locks on to a frame sent with `other`.
    ///
    /// The coding rate does not matter: the explicit header carries it.
    func hears(_ other: LoRaParameters) -> Bool {
        frequencyKilohertz == other.frequencyKilohertz && bandwidthHertz == other.bandwidthHertz
            && spreadingFactor == other.spreadingFactor
    }
}
