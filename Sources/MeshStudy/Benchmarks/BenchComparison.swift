import Glibc
import MeshWire

/// Two reports of one benchmark, figure by figure.
///
/// A count is compared exactly; a worse one is a regression. Times, rates and memory are compared by the ratio of their
/// geometric means. Its interval of 95 % is that of Welch's t test on their logarithms. They decide nothing, since
/// other work of a machine is in no interval.
package struct BenchComparison: Sendable {
    enum Verdict: String, Sendable {
        case same
        case better
        case worse
        /// A count without a better side has changed.
        case differs
        /// The interval has 1 in it, or there is none.
        case unclear
        /// In the new report alone.
        case new
        /// In the old report alone.
        case gone
    }

    struct Row: Sendable {
        let figure: BenchFigure
        let old: Double?
        let new: Double?
        /// The new one, of the old one.
        let ratio: Double?
        /// Missing with fewer than 3 samples on a side.
        let interval: ClosedRange<Double>?
        let verdict: Verdict
    }

    /// In the order of the new report; what is gone comes last.
    let rows: [Row]
    /// Names of digests that both have and that differ.
    let changedDigests: [String]
    let isOfAnotherMachine: Bool

    /// Tells whether a count got worse.
    package var isRegression: Bool { rows.contains { $0.figure.kind == .count && $0.verdict == .worse } }

    package init(old: BenchReport, new: BenchReport) {
        let before = Dictionary(old.figures.map { ($0.name, $0) }) { first, _ in first }
        let names = Set(new.figures.map(\.name))
        let shared = new.figures.map { figure in Self.row(before[figure.name], figure) }
        let gone = old.figures.filter { !names.contains($0.name) }.map { figure in
            Row(figure: figure, old: figure.typical, new: nil, ratio: nil, interval: nil, verdict: .gone)
        }
        rows = shared + gone
        changedDigests = new.digests.keys.filter { name in
            old.digests[name].map { $0 != new.digests[name] } ?? false
        }.sorted()
        isOfAnotherMachine = old.machine != new.machine
    }

    private static func row(_ old: BenchFigure?, _ new: BenchFigure) -> Row {
        guard let old, old.kind == new.kind, old.unit == new.unit else {
            return Row(figure: new, old: nil, new: new.typical, ratio: nil, interval: nil, verdict: .new)
        }
        let ratio = old.typical == 0 ? nil : new.typical / old.typical
        let interval = new.kind == .count ? nil : Self.interval(old.samples, new.samples)
        return Row(
            figure: new, old: old.typical, new: new.typical, ratio: ratio, interval: interval,
            verdict: new.kind == .count ? verdict(old, new) : verdict(interval, new.better))
    }

    /// Of counts.
    private static func verdict(_ old: BenchFigure, _ new: BenchFigure) -> Verdict {
        guard old.typical != new.typical else { return .same }
        guard let better = new.better else { return .differs }
        return (new.typical < old.typical) == (better == .less) ? .better : .worse
    }

    /// Of what is measured.
    private static func verdict(_ interval: ClosedRange<Double>?, _ better: BenchFigure.Direction?) -> Verdict {
        guard let interval, let better, !interval.contains(1) else { return .unclear }
        return (interval.upperBound < 1) == (better == .less) ? .better : .worse
    }

    // MARK: The interval

    /// The 97.5 % quantile of Student's t, from 1 to 30 degrees of freedom.
    private static let quantiles = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ]

    /// Of the ratio of the geometric means; `nil` with fewer than 3 samples on a side, or where one is not above zero.
    ///
    /// Degrees of freedom are rounded down, and beyond 30 they count as 30: the interval is rather too wide.
    static func interval(_ old: [Double], _ new: [Double]) -> ClosedRange<Double>? {
        guard min(old.count, new.count) >= 3, (old + new).allSatisfy({ $0 > 0 }) else { return nil }
        let (first, second) = (LogMean(old), LogMean(new))
        let (one, two) = (first.error * first.error, second.error * second.error)
        let difference = second.mean - first.mean
        let squares = one * one / Double(old.count - 1) + two * two / Double(new.count - 1)
        guard squares > 0 else { return exp(difference)...exp(difference) }
        let freedom = Int(wholePart: min((one + two) * (one + two) / squares, 30))
        let half = quantiles[max(0, freedom - 1)] * (one + two).squareRoot()
        return exp(difference - half)...exp(difference + half)
    }

    /// The mean of logarithms, and its standard error.
    private struct LogMean {
        let mean: Double
        let error: Double

        init(_ samples: [Double]) {
            let logs = samples.map { log($0) }
            let count = Double(logs.count)
            let mean = logs.reduce(0, +) / count
            let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            self.mean = mean
            error = (squares / (count - 1) / count).squareRoot()
        }
    }
}

extension BenchFigure {
    /// The one number for all samples: the worst count, the geometric mean of what was measured.
    var typical: Double {
        switch kind {
        case .count: (better == .more ? samples.min() : samples.max()) ?? 0
        case .time, .rate, .memory:
            samples.allSatisfy { $0 > 0 }
                ? exp(samples.reduce(0) { $0 + log($1) } / Double(samples.count))
                : samples.reduce(0, +) / Double(max(samples.count, 1))
        }
    }
}
