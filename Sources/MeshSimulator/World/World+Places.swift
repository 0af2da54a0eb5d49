import MeshFirmware
import MeshRadio

/// Links that follow from positions.
extension World {
    /// Links all placed nodes as `propagation` says, in place of the links that they had to each other.
    ///
    /// Nodes whose signal would be out of the question are left out, so that memory grows with neighbours.
    public mutating func connectPlacedNodes() {
        guard propagation != nil else { return }
        let placed = slots.indices.filter { slots[$0].position != nil }.sorted {
            (east($0), $0) < (east($1), $1)
        }
        let reach = longestReach(placed)
        for (rank, one) in placed.enumerated() {
            for other in placed[(rank + 1)...] {
                if east(other) - east(one) > reach { break }
                connect(one, other)
            }
        }
    }

    /// Puts a node somewhere else, or for the first time somewhere, and links it anew to all placed nodes.
    ///
    /// Frames on the air reach whom they reached when they began.
    public mutating func move(_ node: NodeID, to position: Position) {
        slots[node.index].position = position
        guard propagation != nil else { return }
        for other in slots.indices where other != node.index && slots[other].position != nil {
            connect(node.index, other)
        }
    }

    private func east(_ index: Int) -> Double { slots[index].position?.east ?? 0 }

    private mutating func connect(_ one: Int, _ other: Int) {
        let (first, second) = (NodeID(index: one), NodeID(index: other))
        links[first, second] = propagated(from: one, to: other)
        links[second, first] = propagated(from: other, to: one)
    }

    /// How frames arrive over the distance; `nil` when they are not worth a link.
    private func propagated(from sender: Int, to listener: Int) -> Signal? {
        guard let propagation, let here = slots[sender].position, let there = slots[listener].position else {
            return nil
        }
        let pair = PairKey(shadowingSeed, slots[sender].labelHash, slots[listener].labelHash)
        let shadow =
            propagation.shadowingHundredths == 0
            ? 0 : pair.normal(0) * propagation.shadowingHundredths / PairKey.normalUnit
        let tuning = tunings[Int(radios[sender].tuning)]
        let signal = propagation.signal(
            squareMetres: here.squareDistance(to: there), power: slots[sender].board.txPower,
            tuning.airtime.parameters, shadow: shadow)
        let least = Int(tuning.snrLimitHundredths) - propagation.interferenceMarginHundredths
        return Int(signal.snrHundredths) < least ? nil : signal
    }

    /// Metres beyond which no pair of these nodes has a link, found by doubling.
    private func longestReach(_ nodes: [Int]) -> Double {
        guard let propagation else { return 0 }
        // Six standard deviations are the most that is ever drawn.
        let shadow = 6 * abs(propagation.shadowingHundredths)
        var reach = 1.0
        for tuning in Set(nodes.map { radios[$0].tuning }).sorted() {
            let tuning = tunings[Int(tuning)]
            let power = nodes.map { slots[$0].board.txPower }.max() ?? 0
            let least = Int(tuning.snrLimitHundredths) - propagation.interferenceMarginHundredths
            while reach < 1e8,
                Int(
                    propagation.signal(
                        squareMetres: reach * reach, power: power, tuning.airtime.parameters, shadow: shadow
                    ).snrHundredths) >= least
            { reach *= 1.1 }
        }
        return reach
    }
}
