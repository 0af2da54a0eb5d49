import MeshFirmware
import MeshRadio
public import MeshTime

extension Topology {
    /// The links between places, as signals travel there. Nodes without a place get none.
    ///
    /// Nodes are taken to send with factory settings where `propagation` asks for power, frequency or bandwidth. The
    /// shadowing of a pair depends on the seed and the two labels only: another node changes nobody else's links.
    public mutating func link(_ propagation: Propagation = .town, seed: Seed) {
        let board = BoardProfile.heltecV3
        let sender = Propagation.Sender(
            power: board.txPower, parameters: board.radio,
            snrLimitHundredths: AirModel().snrLimitHundredths(spreadingFactor: board.radio.spreadingFactor))
        let shadows = nodes.map { Shadowing(of: $0.label, seed: seed) }
        let order = nodes.indices.filter { nodes[$0].place != nil }.sorted {
            (east($0), $0) < (east($1), $1)
        }
        let longest = Int64(min(propagation.reach(of: sender), 1e7))
        var found: [Link] = []
        for (position, one) in order.enumerated() {
            for other in order[(position + 1)...] {
                guard east(other) - east(one) <= longest else { break }
                guard let here = nodes[one].place, let there = nodes[other].place else { continue }
                let companions = (nodes[one].role == .companion ? 1 : 0) + (nodes[other].role == .companion ? 1 : 0)
                let signal = propagation.signal(
                    squareMetres: Double(here.squareMetres(to: there)), from: sender, companions: companions,
                    shadow: shadows[one].deviation(to: shadows[other]))
                guard let signal else { continue }
                found.append(Link(min(one, other), max(one, other), signal))
            }
        }
        links += found.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private func east(_ node: Int) -> Int64 { Int64(nodes[node].place?.eastMetres ?? 0) }
}
