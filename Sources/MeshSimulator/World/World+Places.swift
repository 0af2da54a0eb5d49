import MeshFirmware
import MeshRadio

/// Links that follow from positions.
extension World {
    /// Links all placed nodes by `propagation`, in place of the links that they had to each other.
    ///
    /// Links whose signal would be far too weak are left out, so that memory grows with neighbours.
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
    public mutating func move(_ node: NodeID, to position: PlanePosition) {
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

    /// Returns the signal of frames over the distance; `nil` when they are not worth a link.
    private func propagated(from sender: Int, to listener: Int) -> Signal? {
        guard let propagation, let here = slots[sender].position, let there = slots[listener].position else {
            return nil
        }
        let shadow = Shadowing(of: slots[sender].label, seed: seed).deviation(
            to: Shadowing(of: slots[listener].label, seed: seed))
        return propagation.signal(
            squareMetres: here.squareDistance(to: there), from: propagationSender(sender),
            companions: (isCompanion(sender) ? 1 : 0) + (isCompanion(listener) ? 1 : 0), shadow: shadow)
    }

    private func propagationSender(_ index: Int) -> Propagation.Sender {
        let tuning = tunings[Int(radios[index].tuning)]
        return Propagation.Sender(
            power: slots[index].board.txPower, parameters: tuning.airtime.parameters,
            snrLimitHundredths: tuning.snrLimitHundredths)
    }

    private func isCompanion(_ index: Int) -> Bool {
        if case .companion = states[index].place { true } else { false }
    }

    /// Metres beyond which no pair of these nodes has a link.
    private func longestReach(_ nodes: [Int]) -> Double {
        guard let propagation else { return 0 }
        var senders: Set<Propagation.Sender> = []
        var longest = 0.0
        for sender in nodes.map(propagationSender) where senders.insert(sender).inserted {
            longest = max(longest, propagation.reach(of: sender))
        }
        return longest
    }
}
