import MeshFirmware
public import MeshTime

/// The effects of faults, counted where they happen. Nothing of them is in a trace or in a digest.
extension World {
    /// Returns the fault of a number.
    public func fault(_ number: Int) -> Fault { faults.faults[number] }

    /// Returns the effects of a fault up to now.
    public func effect(ofFault number: Int) -> FaultCount {
        var count = faults.counts[number]
        let kind = faults.faults[number].kind
        guard let baseline = faults.baselines[number], let figure = figure(of: kind) else { return count }
        note(figure - baseline, of: kind, in: &count)
        return count
    }

    /// The numbers of the faults that have done nothing, without those that may do nothing.
    public var idleFaults: [Int] {
        faults.faults.indices.filter { !faults.faults[$0].mayNotFire && !effect(ofFault: $0).hasFired }
    }

    /// Counts the beginning or the end of a fault whose effects are not all seen one by one.
    mutating func countTurn(_ number: Int, _ kind: Fault.Kind, begins: Bool) {
        switch kind {
        case .deafness(let node):
            if begins { countReceptions(of: node.index, number) }
            faults.misses(number, node: node.index, begins: begins)
        case .crash(let node):
            if begins, radios[node.index].isUp {
                faults.note(number, node: node.index, at: now)
                countReceptions(of: node.index, number)
            }
            faults.misses(number, node: node.index, begins: begins)
        case .reboot(let node, _): if begins { faults.note(number, node: node.index, at: now) }
        case .link, .flashFailure:
            if let baseline = faults.baselines[number], let figure = figure(of: kind), !begins {
                var count = FaultCount()
                note(figure - baseline, of: kind, in: &count)
                faults.add(count, to: number)
            }
            faults.baselines[number] = begins ? figure(of: kind) : nil
        case .loss, .partition, .clockJump, .tornWrite, .corruption, .senderCorruption, .replay, .stuckPreamble,
            .dutyCycle:
            break
        }
    }

    /// Counts a frame that reaches a node without power, or a deaf one.
    mutating func countMissed(_ transmission: Int32, at listener: Int) {
        let length = transmissions[transmission].bytes.count
        for (node, fault) in faults.missing where node == listener {
            faults.note(fault, frames: 1, bytes: length, node: node, at: now)
        }
    }

    /// Counts a cut of the power in the middle of a write, where a fault has asked for one.
    mutating func countTornWrite(at index: Int) {
        for number in faults.faults.indices where faults.isOpen(number, at: now) {
            guard case .tornWrite(let node, _, let bytes) = faults.faults[number].kind, node.index == index,
                flash(of: node).hasLostPower
            else { continue }
            faults.note(number, bytes: bytes ?? 0, node: index, at: now)
        }
    }

    /// Counts the frames that a node is receiving as a fault begins that loses them.
    private mutating func countReceptions(of index: Int, _ number: Int) {
        var place = radios[index].firstReception
        while place >= 0 {
            if receptions[place].loss == nil {
                let length = transmissions[receptions[place].transmission].bytes.count
                faults.note(number, frames: 1, bytes: length, node: index, at: now)
            }
            place = receptions[place].nextAtListener
        }
    }

    /// The figure of a node that grows with the effects of a fault: frames of the sender, refused writes.
    private func figure(of kind: Fault.Kind) -> Int? {
        switch kind {
        case .link(let from, _, _): framesSent(by: from)
        case .flashFailure(let node): flash(of: node).refusals
        default: nil
        }
    }

    private func note(_ growth: Int, of kind: Fault.Kind, in count: inout FaultCount) {
        switch kind {
        case .link(_, let to, _): count.note(times: growth, frames: growth, node: to.index, at: now)
        case .flashFailure(let node): count.note(times: growth, node: node.index, at: now)
        default: break
        }
    }
}
