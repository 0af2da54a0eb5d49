/// One number that a benchmark found, once for each repetition.
package struct BenchFigure: Hashable, Sendable, Codable {
    /// The kind of number, which decides how two of them compare.
    enum Kind: String, Sendable, Codable, CaseIterable {
        /// A whole number that follows from program and arguments: the same on every machine.
        case count
        /// The time of something on this machine.
        case time
        /// The amount of something on this machine per time, or the ratio of two rates of one run.
        case rate
        /// Memory that was held, which depends on the machine, too.
        case memory
    }

    /// The direction in which a number is better.
    package enum Direction: String, Sendable, Codable, CaseIterable {
        case less
        case more
    }

    /// The name, unique in its report: what was measured, and of what, as in `tcp, 10000 messages: sync`.
    var name: String
    var unit: String
    var kind: Kind
    /// Missing for a number that only says what was done, such as the size of the load.
    var better: Direction?
    /// At least one.
    var samples: [Double]

    init(_ name: String, _ value: Double, _ unit: String, _ kind: Kind, better: Direction?) {
        self.name = name
        self.unit = unit
        self.kind = kind
        self.better = better
        samples = [value]
    }

    package static func count(_ name: String, _ value: Int, _ unit: String, better: Direction? = .less) -> Self {
        Self(name, Double(value), unit, .count, better: better)
    }

    package static func time(_ name: String, _ value: Double, _ unit: String = "s") -> Self {
        Self(name, value, unit, .time, better: .less)
    }

    package static func rate(_ name: String, _ value: Double, _ unit: String) -> Self {
        Self(name, value, unit, .rate, better: .more)
    }

    package static func memory(_ name: String, _ value: Double) -> Self {
        Self(name, value, "MB", .memory, better: .less)
    }
}
