package import MeshFiles

/// Statistics of an observed network in the format `meshbed-observed/1`.
package struct ObservedFile: Sendable {
    struct Metric: Sendable {
        var name: String
        var definition: String
        /// `first`, `longest`, `all`, or empty.
        var copy: String
        var mean: Double?
        var median: Double?
        var p90: Double?
        /// Exact where the file has a histogram of values or a list; else made of its quantiles.
        var distribution: Histogram?
        /// The 95 % quantile of the distance of two bootstrap samples: a model below it cannot be told from reality.
        var noise: Double?
        /// Members that are single numbers, such as `gini`.
        var numbers: [String: Double]
    }

    package let name: String
    let metrics: [String: Metric]
    /// Distinct packets an hour, median over the hours; nil where the file does not say.
    package let packetsPerHour: Double?

    package init(_ bytes: [UInt8]) throws(FileProblem) {
        guard bytes.count <= NetworkFormat.longest else { throw FileProblem(line: 0, reason: "is too long") }
        let file = try JSONFields(reading: bytes)
        guard try file.string("format") == "meshbed-observed/1" else {
            throw file.problem("format", "must be \"meshbed-observed/1\"")
        }
        name = try file.string("name") ?? ""
        guard let fields = try file.object("metrics") else { throw file.missing("metrics") }
        var metrics: [String: Metric] = [:]
        for key in fields.keys {
            guard let own = try? fields.object(key) else { continue }
            metrics[key] = try Self.metric(key, own)
        }
        self.metrics = metrics
        let hourly = try (try? fields.object("hourly"))??.object("packetsPerHour")?.number("p50", in: Self.rates)
        packetsPerHour = hourly ?? metrics["distinctPacketsPerHour"]?.median
        if let packetsPerHour, !Self.rates.contains(packetsPerHour) {
            throw fields.problem(
                "distinctPacketsPerHour", "\(packetsPerHour) packets an hour are not within 0…\(Self.rates.upperBound)")
        }
    }

    /// Packets an hour that a network may have.
    private static let rates = 0.0...1e6

    private static let wide = -1e12...1e12

    private static func metric(_ name: String, _ fields: JSONFields) throws(FileProblem) -> Metric {
        var numbers: [String: Double] = [:]
        for key in fields.keys { if let number = try? fields.number(key, in: wide) { numbers[key] = number } }
        let value = (try? fields.object("value")) ?? (try? fields.object("edges")) ?? nil
        func number(_ key: String, _ other: String) throws(FileProblem) -> Double? {
            try value?.number(key, in: wide) ?? numbers[other]
        }
        var list: [Double] = []
        if value == nil { for element in ((try? fields.list("value")) ?? nil) ?? [] { list += Self.number(element) } }
        let sample = try? Sample(list)
        let distribution: Histogram?
        if let exact = try histogram(fields) {
            distribution = exact
        } else if let sample {
            distribution = Histogram(sample)
        } else {
            distribution = try value.flatMap { value throws(FileProblem) in try Self.quantiles(value) }
        }
        return Metric(
            name: name, definition: try fields.string("definition") ?? "", copy: try fields.string("copy") ?? "",
            mean: try number("mean", "mean") ?? sample?.mean,
            median: try number("p50", "median") ?? (try? sample?.quantile(0.5)) ?? nil,
            p90: try number("p90", "p90") ?? (try? sample?.quantile(0.9)) ?? nil, distribution: distribution,
            noise: try fields.object("selfW1")?.number("p95", in: wide), numbers: numbers)
    }

    private static func number(_ value: JSONText) -> [Double] {
        if case .number(let number) = value.content { [number] } else { [] }
    }

    private static func histogram(_ fields: JSONFields) throws(FileProblem) -> Histogram? {
        let decibels = try fields.number("binWidthDb", in: 0...1e12)
        let width = try fields.number("binWidth", in: 0...1e12) ?? decibels ?? 0
        let edges = try fields.list("histogramLowerEdges")
        let values = try fields.list("histogram")
        let list = edges ?? values ?? []
        var bins: [Histogram.Bin] = []
        for element in list {
            guard case .array(let pair) = element.content, pair.count == 2 else { continue }
            let numbers = pair.flatMap(number)
            guard numbers.count == 2, numbers[1] >= 0 else { continue }
            bins.append(Histogram.Bin(numbers[0] + (edges == nil ? 0 : width / 2), numbers[1]))
        }
        return try? Histogram(bins)
    }

    /// A distribution with these quantiles, linear between them.
    private static func quantiles(_ value: JSONFields) throws(FileProblem) -> Histogram? {
        let known: [(String, Double)] = [
            ("min", 0), ("p05", 0.05), ("p10", 0.1), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p90", 0.9),
            ("p95", 0.95), ("p99", 0.99), ("max", 1),
        ]
        var points: [(share: Double, value: Double)] = []
        for (key, share) in known {
            if let number = try value.number(key, in: wide) { points.append((share, number)) }
        }
        guard points.count > 2 else { return nil }
        var bins: [Histogram.Bin] = []
        for step in 0..<200 {
            let share = (Double(step) + 0.5) / 200
            guard let above = points.firstIndex(where: { $0.share >= share }) else { continue }
            let (low, high) = (points[max(0, above - 1)], points[above])
            let part = high.share > low.share ? (share - low.share) / (high.share - low.share) : 0
            bins.append(Histogram.Bin(low.value + part * (high.value - low.value), 1))
        }
        return try? Histogram(bins)
    }
}
