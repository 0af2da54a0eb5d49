import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

/// The place of an antenna, in metres on a plane that touches the earth somewhere near.
public struct PlanePosition: Hashable, Sendable {
    /// Metres to the east.
    public var east: Double
    /// Metres to the north.
    public var north: Double
    /// Height above the plane.
    public var up: Double

    public init(east: Double, north: Double, up: Double = 2) {
        self.east = east
        self.north = north
        self.up = up
    }

    func squareDistance(to other: PlanePosition) -> Double {
        let x = east - other.east
        let y = north - other.north
        let z = up - other.up
        return x * x + y * y + z * z
    }
}

/// The law by which a signal weakens with distance.
public enum PathLoss: Hashable, Sendable {
    /// Nothing in between: 20 dB a decade.
    case freeSpace
    /// As in free space up to `referenceMetres`, then ten times `exponent` decibels a decade.
    ///
    /// Towns have exponents from 2.7 to 3.5, towns in shadow 3 to 5 (Rappaport, "Wireless Communications", table 4.2).
    case logDistance(exponent: Double, referenceMetres: Double = 40)
    /// A measured loss in decibels over the first kilometre, and ten times `exponent` decibels a decade.
    ///
    /// Nearer than ten metres the formula makes no sense, so the loss is constant there.
    case measured(atKilometre: Double, exponent: Double)

    /// Decibels lost over a distance, never less than over one metre.
    public func decibels(metres: Double, frequencyKilohertz: UInt32) -> Double {
        decibels(squareMetres: metres * metres, frequencyKilohertz: frequencyKilohertz)
    }

    func decibels(squareMetres: Double, frequencyKilohertz: UInt32) -> Double {
        let square = max(1, squareMetres)
        // 20 log10(d/m) + 20 log10(f/kHz) − 87.55, that is 20 log10 of 4πdf/c.
        let carrier = 20 * Decibels.log10(Double(max(1, frequencyKilohertz))) - 87.55
        switch self {
        case .freeSpace: return 10 * Decibels.log10(square) + carrier
        case .logDistance(let exponent, let reference):
            let near = max(1, reference * reference)
            guard square > near else { return 10 * Decibels.log10(square) + carrier }
            return 10 * Decibels.log10(near) + carrier + 5 * exponent * Decibels.log10(square / near)
        case .measured(let atKilometre, let exponent):
            return atKilometre + 5 * exponent * (Decibels.log10(max(100, square)) - 6)
        }
    }
}

/// The model from places to links: the power sent, the loss on the way, and the noise.
///
/// Worlds use it for nodes with positions, topologies for nodes with places.
public struct Propagation: Hashable, Sendable {
    /// The loss by distance.
    public var pathLoss: PathLoss
    /// Standard deviation of the gain or loss by hills and houses, in 1/100 dB: drawn once for each pair, for both
    /// directions.
    public var shadowingHundredths = 0
    /// The power that every node sends with, antenna gains included, in 1/100 dBm; `nil` for the power of its board
    /// and `antennaGain`.
    public var sendingPowerHundredths: Int?
    /// Gain of each antenna, in 1/100 dB.
    public var antennaGainHundredths = 0
    /// Additional loss of each companion at the ends of a link, in 1/100 dB: it is carried in a hand or a pocket.
    public var companionLossHundredths = 0
    /// The noise at a quiet receiver, in 1/100 dBm; `nil` for thermal noise and `noiseFigure`.
    public var noiseFloorHundredths: Int?
    /// The noise that the receiver adds to thermal noise, in 1/100 dB.
    public var noiseFigureHundredths = 600
    /// The SNR below which a link is left out, in 1/100 dB; `nil` for the limit of the spreading factor less
    /// `interferenceMargin`.
    public var weakestHundredths: Int?
    /// The margin below the SNR limit within which a frame still is an interferer worth a link, in 1/100 dB.
    public var interferenceMarginHundredths = 600
    /// A modem reports no higher SNR than this, in 1/100 dB.
    public var strongestHundredths = Int(Int16.max)

    public init(_ pathLoss: PathLoss = .logDistance(exponent: 3)) {
        self.pathLoss = pathLoss
    }

    /// A town at 869 MHz with antennas on roofs.
    ///
    /// An exponent of 3.5 and 6 dB of shadowing are within Rappaport's values for shadowed urban cells (Wireless
    /// Communications, table 4.2). Boards send with 22 dBm. Thermal noise in 62.5 kHz is −120 dBm with a noise
    /// figure of 6 dB. SF 8 still decodes −10 dB.
    public static let town: Propagation = {
        var town = Propagation(.measured(atKilometre: 128, exponent: 3.5))
        town.shadowingHundredths = 600
        town.sendingPowerHundredths = 2200
        town.companionLossHundredths = 600
        town.noiseFloorHundredths = -12_000
        town.weakestHundredths = -1000
        town.strongestHundredths = 1300
        return town
    }()

    /// One end of a link.
    struct Sender: Hashable {
        /// In dBm.
        let power: Int8
        let parameters: LoRaParameters
        /// The least SNR that its spreading factor decodes, in 1/100 dB.
        let snrLimitHundredths: Int16
    }

    /// Thermal noise in the bandwidth and the receiver's own, in 1/100 dBm.
    func noiseHundredths(bandwidthHertz: UInt32) -> Int {
        noiseFloorHundredths
            ?? Decibels.hundredths(10 * Decibels.log10(Double(max(1, bandwidthHertz))) - 174) + noiseFigureHundredths
    }

    /// The signal of a sender, `nil` when it is not worth a link.
    ///
    /// - Parameters:
    ///   - companions: how many of the two ends are companions.
    ///   - shadow: how far from the middle the pair is, in standard deviations.
    func signal(squareMetres: Double, from sender: Sender, companions: Int = 0, shadow: Double) -> Signal? {
        let loss = pathLoss.decibels(
            squareMetres: squareMetres, frequencyKilohertz: sender.parameters.frequencyKilohertz)
        let sent = sendingPowerHundredths ?? Int(sender.power) * 100 + 2 * antennaGainHundredths
        let pockets = Double(companions * companionLossHundredths) / 100
        let strength = Double(sent) / 100 - loss - pockets + shadow * Double(shadowingHundredths) / 100
        let noise = Double(noiseHundredths(bandwidthHertz: sender.parameters.bandwidthHertz)) / 100
        let weakest = weakestHundredths ?? Int(sender.snrLimitHundredths) - interferenceMarginHundredths
        guard strength - noise >= Double(weakest) / 100 else { return nil }
        // No modem reports more than 0 dBm.
        return Signal(
            snrHundredths: Int16(clamping: min(Decibels.hundredths(strength - noise), strongestHundredths)),
            rssiHundredths: Int16(clamping: min(Decibels.hundredths(strength), 0)))
    }

    /// Returns the metres beyond which no node receives the sender, whatever the shadowing.
    func reach(of sender: Sender) -> Double {
        // A companion's loss may be a gain.
        let companions = companionLossHundredths < 0 ? 2 : 0
        var reach = 1.0
        while reach < 1e8,
            signal(squareMetres: reach * reach, from: sender, companions: companions, shadow: Shadowing.most) != nil
        { reach *= 1.1 }
        return reach
    }
}

/// The gain or loss by hills and houses between two nodes, drawn from the seed and the two labels only.
///
/// Another node changes no other node's shadowing.
struct Shadowing: Sendable {
    /// The most standard deviations that are ever drawn.
    static let most = 6.0

    private let first: UInt64

    init(of label: String, seed: Seed) {
        var stream = seed.stream("shadow", label)
        first = stream.next()
    }

    /// A normally distributed number of a pair, the same in both orders: twelve uniform ones, less their mean.
    func deviation(to other: Shadowing) -> Double {
        var stream = RandomStream(state: first &+ other.first)
        var sum = -6.0
        for _ in 0..<6 {
            let draw = stream.next()
            sum += Double(draw >> 32) / 4_294_967_296 + Double(draw & 0xFFFF_FFFF) / 4_294_967_296
        }
        return sum
    }
}

/// Logarithms from additions and multiplications alone: every process and every processor gets the same ones, which no
/// library promises.
enum Decibels {
    /// The decimal logarithm of a positive number, exact to some 1e-12.
    static func log10(_ number: Double) -> Double {
        let ratio = (number.significand - 1) / (number.significand + 1)
        let square = ratio * ratio
        var term = ratio
        var sum = 0.0
        for step in 0..<16 {
            sum += term / Double(2 * step + 1)
            term *= square
        }
        return (2 * sum + Double(number.exponent) * 0.6931471805599453) * 0.4342944819032518
    }

    /// The nearest hundredth; here floating point ends.
    static func hundredths(_ decibels: Double) -> Int { Int(nearest: decibels * 100, in: -1_000_000...1_000_000) }
}
