package import MeshFirmware
import MeshRadio
public import MeshTime
import MeshWire

extension Topology {
    /// The links between places, as signals travel there. Nodes without a place get none.
    ///
    /// Nodes are assumed to send with factory settings where `propagation` asks for power, frequency or bandwidth.
    /// The shadowing of a pair depends on the seed and the two labels only: another node changes no other links.
    public mutating func link(_ propagation: Propagation = .town, seed: Seed) {
        self.propagation = propagation
        let rule = PlaceLinks(propagation, of: nodes, seed: seed)
        let order = nodes.indices.filter { nodes[$0].place != nil }.sorted {
            (east($0), $0) < (east($1), $1)
        }
        let longest = rule.longestMetres
        var found: [Link] = []
        for (position, one) in order.enumerated() {
            for other in order[(position + 1)...] {
                guard east(other) - east(one) <= longest else { break }
                guard let signal = rule.signal(one, other, nodes) else { continue }
                found.append(Link(min(one, other), max(one, other), signal))
            }
        }
        links += found.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private func east(_ node: Int) -> Int64 { Int64(nodes[node].place?.eastMetres ?? 0) }
}

/// The rule that makes links from places, to be asked again when a node moves.
package struct PlaceLinks: Sendable {
    private let propagation: Propagation
    private let shadows: [Shadowing]
    /// The sender of every node, and of one on a hill.
    private let sender: Propagation.Sender
    private let greatestGain: Int

    package init(_ propagation: Propagation, of nodes: [Topology.Node], seed: Seed) {
        let board = BoardProfile.heltecV3
        self.propagation = propagation
        shadows = nodes.map { Shadowing(of: $0.label, seed: seed) }
        sender = Propagation.Sender(
            power: board.txPower, parameters: board.radio,
            snrLimitHundredths: AirModel().snrLimitHundredths(spreadingFactor: board.radio.spreadingFactor))
        greatestGain = nodes.map(\.gainHundredths).max() ?? 0
    }

    /// Returns the link between two nodes at their present places; `nil` where that is not worth a link or one has
    /// no place.
    package func signal(_ one: Int, _ other: Int, _ nodes: [Topology.Node]) -> Signal? {
        guard let here = nodes[one].place, let there = nodes[other].place else { return nil }
        let companions = (nodes[one].role == .companion ? 1 : 0) + (nodes[other].role == .companion ? 1 : 0)
        return raised(by: max(nodes[one].gainHundredths, nodes[other].gainHundredths)).signal(
            squareMetres: Double(here.squareMetres(to: there)), from: sender, companions: companions,
            shadow: shadows[one].deviation(to: shadows[other]))
    }

    /// No link is longer.
    var longestMetres: Int64 { Int64(wholePart: raised(by: greatestGain).reach(of: sender), in: 0...10_000_000) }

    private func raised(by gain: Int) -> Propagation {
        guard gain != 0 else { return propagation }
        var high = propagation
        high.sendingPowerHundredths = (high.sendingPowerHundredths ?? Int(sender.power) * 100) + gain
        return high
    }
}
