import MeshFirmware
import MeshTime

/// Passes of the cores, and what their effects do.
extension World {
    /// A pass takes at least this long: a node that always wants another one cannot make time stand still.
    static let shortestPass = TimeSpan.microseconds(1)

    /// One pass of a node's main loop, and everything it asks for.
    mutating func pass(_ input: NodeInput, to node: NodeID) {
        let status = RadioStatus(isReceiving: isReceiving(node), noiseFloor: air.noiseFloor)
        var effects: [NodeEffect] = []
        swap(&effects, &self.effects)
        let nextWake: Instant
        switch slots[node.index].place {
        case .companion(let index):
            companions[index].handle(input, at: now, radio: status, into: &effects)
            nextWake = companions[index].nextWake
        case .repeater(let index):
            repeaters[index].handle(input, at: now, radio: status, into: &effects)
            nextWake = repeaters[index].nextWake
        case .guest(let index):
            guests[index].handle(input, at: now, radio: status, into: &effects)
            nextWake = guests[index].nextWake
        }
        schedule(node, at: nextWake)
        for effect in effects where slots[node.index].isUp { perform(effect, of: node) }
        effects.removeAll(keepingCapacity: true)
        swap(&effects, &self.effects)
    }

    /// Puts the node's wish in the queue unless an earlier wake of it is there, which will look again.
    private mutating func schedule(_ node: NodeID, at wish: Instant) {
        let time = max(wish, now + Self.shortestPass)
        guard time < slots[node.index].pendingWake else { return }
        slots[node.index].pendingWake = time
        queue.schedule(.wake(node: Int32(node.index)), at: time)
    }

    mutating func wake(_ node: NodeID) {
        guard slots[node.index].isUp, slots[node.index].pendingWake == now else { return }
        slots[node.index].pendingWake = .never
        let wish = nextWake(of: node)
        if wish <= now { pass(.woke, to: node) } else { schedule(node, at: wish) }
    }

    private func nextWake(of node: NodeID) -> Instant {
        switch slots[node.index].place {
        case .companion(let index): companions[index].nextWake
        case .repeater(let index): repeaters[index].nextWake
        case .guest(let index): guests[index].nextWake
        }
    }

    private mutating func perform(_ effect: NodeEffect, of node: NodeID) {
        switch effect {
        case .transmit(let frame): beginTransmission(frame, from: node)
        case .tune(let parameters): tune(node, to: parameters)
        case .appBytes(let bytes):
            bytes.withUnsafeBytes { digest.fold(.appBytes, at: now, node: Int32(node.index), $0) }
            record(node, .appBytes(bytes))
            output(node, .appBytes(bytes))
        case .appClosed:
            digest.fold(.appClosed, at: now, node: Int32(node.index))
            record(node, .appClosed)
            output(node, .appClosed)
        case .flash(let change): output(node, .flash(change))
        case .reboot: reboot(node)
        case .trace(let event): record(node, .reported(event))
        }
    }
}
