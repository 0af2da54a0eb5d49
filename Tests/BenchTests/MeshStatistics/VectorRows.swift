import MeshTime

@testable import MeshStudy

/// One sequence of confseq, and what it gives after the last observation.
struct SequenceVector: Sendable {
    /// The distribution from which `oracle.py` draws the observations, in 0...1.
    enum Kind: Sendable { case bernoulli, uniform, narrow }

    var kind: Kind
    var seed: UInt64
    var count: Int
    var alpha: Double
    var stake: Double
    var lastBet: Double
    var betSum: Double
    /// Logarithms of the capital against 0.25, 0.5 and 0.7, upward and downward each.
    var capitals: [Double]
    var lower: Double
    var upper: Double
    var gridLower: Double
    var gridUpper: Double

    var observations: [Double] {
        var random = RandomStream(state: seed)
        return (0..<count).map { _ in
            let unit = random.unit()
            return switch kind {
            case .bernoulli: unit < 0.3 ? 1 : 0
            case .uniform: unit
            case .narrow: 0.5 + (unit - 0.45) / 16
            }
        }
    }

    func sequence() throws -> ConfidenceSequence {
        var sequence = try ConfidenceSequence(range: 0...1, alpha: alpha, stake: stake)
        for observation in observations { try sequence.record(observation) }
        return sequence
    }
}

struct SampleVector: Sendable {
    var values: [Double]
    var mean: Double
    /// At 0, 0.1, 0.25, 0.5, 0.9, 0.99 and 1.
    var quantiles: [Double]
    var gini: Double
    var topTenth: Double
}

struct DistanceVector: Sendable {
    var first: [Double]
    var firstWeights: [Double]
    var second: [Double]
    var secondWeights: [Double]
    var wasserstein: Double

    static func histogram(_ values: [Double], _ weights: [Double]) throws -> Histogram {
        try Histogram(zip(values, weights).map { Histogram.Bin($0, $1) })
    }
}

/// Returns whether two numbers agree to a relative 1e-11, or 1e-12 near zero.
func agree(_ one: Double, _ other: Double, within tolerance: Double = 1e-11) -> Bool {
    one == other || (one - other).magnitude <= tolerance * max(one.magnitude, other.magnitude, 0.1)
}

/// The reason of the error that an expression throws; nil without one.
func reason(_ body: () throws -> Void) -> StatisticsError.Reason? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StatisticsError)?.reason
    }
}
