import MeshFirmware
import MeshRadio
import MeshTime

/// Boards that start, and start again.
extension World {
    func bootSeed(_ label: String, boots: Int) -> Seed {
        seed.part("node", label, "boot", String(boots))
    }

    /// Makes a core and gives it a place among those of its role.
    mutating func makeCore(_ role: NodeRole, _ boot: BootRecord) -> CorePlace {
        switch role {
        case .guest(let make):
            guests.append(make(boot))
            return .guest(guests.count - 1)
        }
    }

    /// The board goes down in the middle of everything; only its flash is kept.
    mutating func reboot(_ node: NodeID) {
        digest.fold(.rebooted, at: now, node: Int32(node.index))
        record(node, .rebooted)
        output(node, .rebooted)
        cutTransmission(of: node)
        loseReceptions(of: node, .off)
        slots[node.index].isUp = false
        slots[node.index].pendingWake = .never
        slots[node.index].boots += 1
        let boots = Int32(truncatingIfNeeded: slots[node.index].boots)
        queue.schedule(.boot(node: Int32(node.index), boots: boots), at: now + slots[node.index].board.bootDelay)
    }

    mutating func boot(_ node: NodeID, boots: Int) {
        guard !slots[node.index].isUp, slots[node.index].boots == boots else { return }
        let slot = slots[node.index]
        let boot = BootRecord(
            label: slot.label, board: slot.board, quirks: slot.quirks, flash: flash(of: node),
            seed: bootSeed(slot.label, boots: boots), boots: boots, now: now)
        switch (slot.role, slot.place) {
        case (.guest(let make), .guest(let index)): guests[index] = make(boot)
        }
        slots[node.index].isUp = true
        slots[node.index].airtime = Airtime(slot.board.radio)
        record(node, .booted)
        output(node, .booted)
        let waiting = slots[node.index].waiting.take()
        pass(.woke, to: node)
        for input in waiting { inject(input, into: node) }
    }
}
