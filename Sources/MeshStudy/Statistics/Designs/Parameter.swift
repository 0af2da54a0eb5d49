import MeshWire

/// A number that an experiment varies: its name, its range and how values are spread over it.
struct Parameter: Hashable, Sendable {
    /// The scale on which equal steps are equal differences or equal ratios.
    enum Scale: String, Hashable, Sendable {
        case linear
        /// Needs a range above zero.
        case logarithmic
    }

    let name: String
    /// Both ends belong to it.
    let range: ClosedRange<Double>
    let scale: Scale
    /// True when only whole numbers are accepted.
    let isWhole: Bool

    /// - Throws: `StatisticsError` for a range without a finite width, or a logarithmic one not above zero. For whole
    ///   numbers, both ends have to be whole and within ±2⁵².
    init(
        _ name: String, in range: ClosedRange<Double>, scale: Scale = .linear, isWhole: Bool = false
    ) throws(StatisticsError) {
        _ = try StatisticsError.width(of: range, name)
        if scale == .logarithmic {
            let above = Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude
            try StatisticsError.check(range.lowerBound, name, in: above)
        }
        if isWhole {
            for end in [range.lowerBound, range.upperBound] {
                try StatisticsError.check(end, name, in: -0x1p52...0x1p52)
                guard Double(Int64(wholePart: end)) == end else { throw StatisticsError(name, .notWhole) }
            }
        }
        self.name = name
        self.range = range
        self.scale = scale
        self.isWhole = isWhole
    }

    /// Evenly spread values with both ends; fewer than asked for where whole numbers repeat, the middle for one level.
    func levels(_ count: Int) -> [Double] {
        guard count > 1 else { return [level(at: 0.5)] }
        var levels: [Double] = []
        for step in 0..<count {
            let level = level(at: Double(step) / Double(count - 1))
            if levels.last != level { levels.append(level) }
        }
        return levels
    }

    private func level(at fraction: Double) -> Double {
        let value = interpolated(fraction, range.lowerBound, range.upperBound)
        return clamped(isWhole ? Self.floor(value + 0.5) : value)
    }

    /// The value at a fraction in 0..<1 of the distribution: uniform, or with a uniform logarithm.
    ///
    /// A whole number stands for all from it to the next one: the last is then as likely as its neighbours.
    func draw(at fraction: Double) -> Double {
        guard isWhole else { return clamped(interpolated(fraction, range.lowerBound, range.upperBound)) }
        return clamped(Self.floor(interpolated(fraction, range.lowerBound, range.upperBound + 1)))
    }

    private func interpolated(_ fraction: Double, _ low: Double, _ high: Double) -> Double {
        // The ends exactly, as the exponential of a logarithm is not.
        if fraction <= 0 { return low }
        if fraction >= 1 { return high }
        if scale == .linear { return low + fraction * (high - low) }
        let start = Elementary.log(low)
        return Elementary.exp(start + fraction * (Elementary.log(high) - start))
    }

    private func clamped(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }

    /// For numbers up to 2⁵³; the standard library's rounding is the C library's on some processors.
    private static func floor(_ value: Double) -> Double {
        let whole = Double(Int64(wholePart: value))
        return whole > value ? whole - 1 : whole
    }
}
