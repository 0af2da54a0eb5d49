import MeshFirmware
import MeshRadio

/// Where an antenna is, in metres on a plane that touches the earth somewhere near.
public struct Position: Hashable, Sendable {
    public var east: Double
    public var north: Double
    /// Height above the plane.
    public var up: Double

    public init(east: Double, north: Double, up: Double = 2) {
        self.east = east
        self.north = north
        self.up = up
    }

    func squareDistance(to other: Position) -> Double {
        let x = east - other.east
        let y = north - other.north
        let z = up - other.up
        return x * x + y * y + z * z
    }
}

/// How a signal weakens with distance.
public enum PathLoss: Hashable, Sendable {
    /// Nothing in between: 20 dB a decade.
    case freeSpace
    /// As in free space up to `referenceMetres`, then ten times `exponent` decibels a decade.
    ///
    /// Towns have exponents from 2.7 to 3.5, towns in shadow 3 to 5 (Rappaport, "Wireless Communications", table 4.2).
    case logDistance(exponent: Double, referenceMetres: Double = 40)

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
        }
    }
}

/// From positions to links: what is sent, what is lost on the way, and what noise it meets.
public struct Propagation: Hashable, Sendable {
    public var pathLoss: PathLoss
    /// Standard deviation of what hills and houses add or take, in 1/100 dB: drawn once for each pair, the same in both
    /// directions.
    public var shadowingHundredths = 0
    /// Gain of each antenna, in 1/100 dB.
    public var antennaGainHundredths = 0
    /// What the receiver adds to thermal noise, in 1/100 dB.
    public var noiseFigureHundredths = 600
    /// How far below the SNR limit a frame still is an interferer worth a link, in 1/100 dB.
    public var interferenceMarginHundredths = 600

    public init(_ pathLoss: PathLoss = .logDistance(exponent: 3)) {
        self.pathLoss = pathLoss
    }

    /// Thermal noise in the bandwidth and the receiver's own, in 1/100 dBm.
    func noiseHundredths(bandwidthHertz: UInt32) -> Int {
        Decibels.hundredths(10 * Decibels.log10(Double(max(1, bandwidthHertz))) - 174) + noiseFigureHundredths
    }

    /// The signal of a sender of `power` dBm, with `shadow` hundredths on top.
    func signal(squareMetres: Double, power: Int8, _ parameters: LoRaParameters, shadow: Int) -> Signal {
        let loss = pathLoss.decibels(
            squareMetres: squareMetres, frequencyKilohertz: parameters.frequencyKilohertz)
        let strength = Int(power) * 100 + 2 * antennaGainHundredths - Decibels.hundredths(loss) + shadow
        let noise = noiseHundredths(bandwidthHertz: parameters.bandwidthHertz)
        return Signal(snrHundredths: Int16(clamping: strength - noise), rssiHundredths: Int16(clamping: strength))
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
    static func hundredths(_ decibels: Double) -> Int { Int((decibels * 100).rounded()) }
}
