import Glibc
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

/// Makes links with signals of a network's counts and places.
struct LinkRule: Sendable {
    /// In dB. Modems report less of it; the air model says how much.
    private static let strongest = 20.0
    /// Noise that an SNR counts from, in dBm.
    private static let noiseFloor = -120.0
    private static let loneLinks = 2
    private static let exponent = 3.5
    private static let shadowing = 6.0

    let parameters: TwinParameters
    /// Signals below it are no link, in dB: 6 dB under what the spreading factor still decodes.
    let weakest: Double

    init(_ parameters: TwinParameters, spreadingFactor: UInt8) {
        self.parameters = parameters
        let limits = AirModel().snrLimitsHundredths
        weakest = Double(limits[Int(min(max(spreadingFactor, 5), 12)) - 5]) / 100 - 6
    }

    /// The links of the network, then those of pairs that only have places; each with what was observed.
    func links(of network: ObservedNetwork) -> [(link: Topology.Link, observation: LinkObservation)] {
        let median = Self.median(network.links)
        var made: [(Topology.Link, LinkObservation)] = []
        var pairs: Set<Int> = []
        for link in network.links {
            pairs.insert(Self.key(link.from, link.to))
            let observed = link.observation
            let there = observed.snr ?? signal(observed.there + observed.either, median)
            let back = observed.snrBack ?? signal(observed.back + observed.either, median)
            let loss = parameters[.reverseLoss]
            let isGuess = Double(observed.count) < parameters[.leastCount] * median && observed.snr == nil
            add(
                link.from, link.to, isGuess ? nil : there ?? back.map { $0 - loss },
                isGuess ? nil : back ?? there.map { $0 - loss }, observed, &made)
        }
        // Without any link, the world file's own rule for places holds.
        guard !network.links.isEmpty else { return made }
        var assumed = LinkObservation()
        assumed.isAssumed = true
        let placed = network.nodes.indices.filter { network.nodes[$0].place != nil }
        let reach = pow(10, (parameters[.placeSNR] + 4 * Self.shadowing - weakest) / (10 * Self.exponent)) * 10_000
        for (number, one) in placed.enumerated() {
            for other in placed[(number + 1)...] where !pairs.contains(Self.key(one, other)) {
                guard let snr = signal(network.nodes[one], network.nodes[other], reach) else { continue }
                add(one, other, snr, snr, assumed, &made)
            }
        }
        addLone(network, &made)
        return made
    }

    /// Observers of which neither a link nor a place is known hear somebody all the same: two repeaters, drawn by their
    /// name alone.
    private func addLone(_ network: ObservedNetwork, _ made: inout [(Topology.Link, LinkObservation)]) {
        var assumed = LinkObservation()
        assumed.isAssumed = true
        let known = Set(network.links.flatMap { [$0.from, $0.to] })
        let hosts = network.nodes.indices.filter { known.contains($0) && network.nodes[$0].forwards }
        guard !hosts.isEmpty else { return }
        for observer in network.observers where !known.contains(observer) && network.nodes[observer].place == nil {
            var stream = Seed(1).stream("lone", network.nodes[observer].label)
            var chosen: Set<Int> = []
            for _ in 0..<Self.loneLinks { chosen.insert(hosts[Int(stream.draw(0, UInt32(hosts.count))) % hosts.count]) }
            for host in chosen.sorted() {
                add(host, observer, parameters[.countBase], parameters[.countBase], assumed, &made)
            }
        }
    }

    private static func key(_ one: Int, _ other: Int) -> Int { min(one, other) << 32 | max(one, other) }

    private static func median(_ links: [ObservedNetwork.Link]) -> Double {
        let counts = links.flatMap { [$0.observation.there, $0.observation.back, $0.observation.either] }
            .filter { $0 > 0 }.sorted()
        return counts.isEmpty ? 1 : Double(counts[counts.count / 2])
    }

    private func signal(_ count: Int, _ median: Double) -> Double? {
        guard count > 0 else { return nil }
        return parameters[.countBase] + parameters[.countSlope] * log10(Double(count) / median)
    }

    /// Returns the signal of a pair by its places; shadowing is drawn from the two names, and changes with nothing
    /// else.
    private func signal(_ one: ObservedNetwork.Node, _ other: ObservedNetwork.Node, _ reach: Double) -> Double? {
        guard let first = one.place, let second = other.place else { return nil }
        let square = Double(first.squareMetres(to: second))
        guard square <= reach * reach else { return nil }
        // Places are blurred: nearer than a kilometre they say nothing.
        let metres = max(1000, square.squareRoot())
        let names = [one.label, other.label].sorted()
        var stream = Seed(1).stream("place", names[0], names[1])
        let deviation = (0..<12).reduce(-6.0) { sum, _ in sum + Double(stream.nextU32()) / 4_294_967_296 }
        return parameters[.placeSNR] - 10 * Self.exponent * log10(metres / 10_000) + Self.shadowing * deviation
    }

    private func add(
        _ from: Int, _ to: Int, _ there: Double?, _ back: Double?, _ observed: LinkObservation,
        _ links: inout [(Topology.Link, LinkObservation)]
    ) {
        let loss = UInt16(nearest: parameters[.linkLoss] * 10_000)
        let link = Topology.Link(from, to, there: made(there), back: made(back), lossPerTenThousand: loss)
        if link.there != nil || link.back != nil || !observed.isAssumed { links.append((link, observed)) }
    }

    private func made(_ snr: Double?) -> Signal? {
        guard let snr, snr >= weakest else { return nil }
        let capped = min(snr, Self.strongest)
        return Signal(
            snrHundredths: Int16(nearest: capped * 100),
            rssiHundredths: Int16(nearest: (capped + Self.noiseFloor) * 100))
    }
}
