import MeshFirmware
public import MeshTime

/// From two places to the signal between them: log-distance path loss with shadowing that both directions share.
///
/// The defaults are those of a town at 869 MHz with antennas on roofs: 3.5 as exponent and 6 dB of shadowing are within
/// what Rappaport (Wireless Communications, table 4.2) gives for shadowed urban cells, 22 dBm is what boards send with,
/// and −120 dBm is thermal noise in 62.5 kHz with a noise figure of 6 dB.
public struct LinkBudget: Hashable, Sendable {
    /// Sending power and antenna gains together, in dBm.
    public var sendingPower = 22.0
    /// Path loss over the first kilometre, in dB.
    public var lossAtKilometre = 128.0
    /// Decibels by which each tenfold distance weakens a signal, divided by ten; 2 is free space.
    public var exponent = 3.5
    /// Standard deviation of what houses and hills add or take, in dB.
    public var shadowing = 6.0
    /// Additional loss of each companion at the ends of a link, in dB: it is carried in a hand or a pocket.
    public var companionLoss = 6.0
    /// What a quiet receiver hears, in dBm.
    public var noiseFloor = -120.0
    /// The SNR in dB below which a link is left out; −10 is what SF 8 still decodes.
    public var weakest = -10.0
    /// A modem reports no more than this, in dB.
    public var strongest = 13.0

    public init() {}

    /// The signal between two nodes, `nil` out of range.
    ///
    /// - Parameter shadow: how far from the middle this pair is, in standard deviations.
    func signal(from one: Topology.Node, to other: Topology.Node, shadow: Double) -> Signal? {
        guard let a = one.place, let b = other.place else { return nil }
        // Nearer than 10 m the formula says nothing sensible.
        let square = max(100, Double(a.squareMetres(to: b)))
        let distance = 5 * exponent * (Decibels.log10(square) - 6)
        let pockets = (one.role == .companion ? companionLoss : 0) + (other.role == .companion ? companionLoss : 0)
        let strength = sendingPower - lossAtKilometre - distance - pockets + shadow * shadowing
        let snr = strength - noiseFloor
        guard snr >= weakest else { return nil }
        return Signal(
            snrHundredths: Int16((min(snr, strongest) * 100).rounded()),
            rssiHundredths: Int16((max(-150, min(strength, 0)) * 100).rounded()))
    }

    /// Farther than this no two nodes hear each other, whatever the shadowing: four standard deviations.
    var longestMetres: Double {
        let spare = sendingPower - lossAtKilometre - noiseFloor - weakest + 4 * shadowing
        // 10 to the power of `spare / (10 · exponent)`, by doubling and bisecting its logarithm.
        let wanted = spare / (10 * exponent)
        var (low, high) = (1e-3, 1e6)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if Decibels.log10(middle) < wanted { low = middle } else { high = middle }
        }
        return high * 1000
    }
}

extension Topology {
    /// The links between places, as a budget makes them. Nodes without a place get none.
    ///
    /// The shadowing of a pair depends on the seed and the two labels only: another node changes nobody else's links.
    public mutating func link(_ budget: LinkBudget = LinkBudget(), seed: Seed) {
        let shadows = nodes.map { seed.stream("shadow", $0.label) }
        let order = nodes.indices.filter { nodes[$0].place != nil }.sorted {
            (east($0), $0) < (east($1), $1)
        }
        let longest = Int64(min(budget.longestMetres, 1e7))
        var found: [Link] = []
        for (position, one) in order.enumerated() {
            for other in order[(position + 1)...] {
                guard east(other) - east(one) <= longest else { break }
                let shadow = Self.normal(shadows[one], shadows[other])
                guard let signal = budget.signal(from: nodes[one], to: nodes[other], shadow: shadow) else { continue }
                found.append(Link(min(one, other), max(one, other), signal))
            }
        }
        links += found.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private func east(_ node: Int) -> Int64 { Int64(nodes[node].place?.eastMetres ?? 0) }

    /// A normally distributed number of a pair, the same in both orders: twelve uniform ones, less their mean.
    private static func normal(_ one: RandomStream, _ other: RandomStream) -> Double {
        var (a, b) = (one, other)
        var stream = RandomStream(state: a.next() &+ b.next())
        var sum = -6.0
        for _ in 0..<6 {
            let draw = stream.next()
            sum += Double(draw >> 32) / 4_294_967_296 + Double(draw & 0xFFFF_FFFF) / 4_294_967_296
        }
        return sum
    }
}
