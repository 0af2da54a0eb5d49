/// One number of a metric, such as its median, in the simulation and in what was observed.
package struct TwinFigure: Hashable, Sendable, Encodable {
    package enum Kind: String, Hashable, Sendable, Encodable {
        case mean, median, p90, gini, top10pct
    }

    package var kind: Kind
    package var simulated: Double
    package var observed: Double
    /// (simulated − observed) / observed; nil where zero was observed.
    package var relativeError: Double?
    /// The tolerance: 20 % of the observed value or the observation's noise, whichever is wider.
    package var tolerance: Double
    /// From the least to the greatest of the seeds' own figures.
    package var seedSpread: [Double]
    package var isMet: Bool

    init(_ kind: Kind, simulated: Double, observed: Double, noise: Double?, seeds: [Double], metric: TwinMetric) {
        self.kind = kind
        self.simulated = simulated
        self.observed = observed
        relativeError = observed == 0 ? nil : (simulated - observed) / observed.magnitude
        let isInequality = kind == .gini || kind == .top10pct
        tolerance = isInequality ? 0.1 : max(0.2 * observed.magnitude, noise ?? 0)
        seedSpread = [seeds.min() ?? simulated, seeds.max() ?? simulated]
        if let range = metric.statedRange, kind == .median {
            isMet = range.contains(simulated)
        } else {
            isMet = (simulated - observed).magnitude <= tolerance
        }
    }
}

/// A metric that is compared: what it is called in the simulation and in the observation, and which figures count.
package struct TwinMetric: Hashable, Sendable {
    package let name: String
    /// The first of them that an observation has is used; millisecond clocks come before those of whole seconds.
    package let observedNames: [String]
    package let kinds: [TwinFigure.Kind]
    /// Tells whether the goals of a twin name it.
    package let isGoal: Bool
    /// A range for the median that is stated as such.
    package let statedRange: ClosedRange<Double>?

    private init(
        _ name: String, _ observed: [String]? = nil, _ kinds: [TwinFigure.Kind] = [.median, .p90], goal: Bool = false,
        range: ClosedRange<Double>? = nil
    ) {
        self.name = name
        observedNames = observed ?? [name]
        self.kinds = kinds
        isGoal = goal
        statedRange = range
    }

    package static let all: [TwinMetric] = [
        TwinMetric("hops.firstPerObserver", goal: true),
        TwinMetric("stretch.sameOrigin", goal: true),
        TwinMetric("secondsPerHop", nil, [.median], goal: true),
        TwinMetric("copiesPerObserver", nil, [.mean], goal: true),
        TwinMetric(
            "floodSpreadSeconds", ["floodSpreadSeconds.ms", "floodSpreadSeconds"], [.median], goal: true,
            range: 7...13),
        TwinMetric("hops.allReceptions"),
        TwinMetric("hops.longestOfFull"),
        TwinMetric("hops.longest"),
        TwinMetric("hops.longestOverFirst", nil, [.median]),
        TwinMetric("stretch.samePacket", ["stretch.samePacket.ms", "stretch.samePacket"], [.mean]),
        TwinMetric("observersPerPacket", nil, [.median]),
        TwinMetric("receptionsPerPacket", ["receptionsPerPacket", "observationsPerPacket"], [.mean]),
        TwinMetric("observerSpreadSeconds", nil, [.mean, .p90]),
        TwinMetric("firstArrivalSeconds", ["firstArrivalSeconds.ms", "firstArrivalSeconds"]),
        TwinMetric("relayGapSeconds", ["relayGapSeconds.ms", "relayGapSeconds"]),
        TwinMetric("relaysSeen.lowerBound", nil, [.median]),
        TwinMetric("observerReach", nil, [.mean]),
        TwinMetric("snr.receptions", ["snr.receptions", "snr.linkMean.weighted"], [.median]),
        TwinMetric("relayLoad", nil, [.gini, .top10pct]),
    ]

    func observed(in file: ObservedFile) -> ObservedFile.Metric? {
        observedNames.lazy.compactMap { file.metrics[$0] }.first
    }

    /// A figure of simulated values; nil without any.
    static func figure(_ kind: TwinFigure.Kind, of values: [Double]) -> Double? {
        guard let sample = try? Sample(values) else { return nil }
        return switch kind {
        case .mean: sample.mean
        case .median: try? sample.quantile(0.5)
        case .p90: try? sample.quantile(0.9)
        case .gini: (try? sample.gini()) ?? nil
        case .top10pct: (try? sample.share(ofTop: 0.1)) ?? nil
        }
    }

    static func figure(_ kind: TwinFigure.Kind, of observed: ObservedFile.Metric) -> Double? {
        switch kind {
        case .mean: observed.mean
        case .median: observed.median
        case .p90: observed.p90
        case .gini: observed.numbers["gini"]
        case .top10pct: observed.numbers["top10pct"]
        }
    }
}
