import MeshCrypto
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

/// Boards that start, and start again.
extension World {
    func bootSeed(_ label: String, boots: Int) -> Seed {
        seed.part("node", label, "boot", String(boots))
    }

    /// Makes a core and gives it a place among those of its role.
    mutating func makeCore(_ role: NodeRole, _ boot: BootRecord) -> CorePlace {
        switch role {
        case .companion(let link):
            let companion = CompanionRadio(
                board: boot.board, quirks: boot.quirks, flash: boot.flash, identityStream: identityStream(boot.label),
                randomStream: boot.seed.stream("radio"), interface: link.interface(of: boot.board), at: now)
            companions.append(companion)
            return .companion(companions.count - 1)
        case .repeater:
            repeaters.append(makeRepeater(boot, clock: boot.board.clockAtPowerOn))
            return .repeater(repeaters.count - 1)
        case .guest(let make):
            guests.append(make(boot))
            return .guest(guests.count - 1)
        }
    }

    /// Draws the keys of a label: the same ones in every run of the seed, whatever else happens.
    private func identityStream(_ label: String) -> RandomStream {
        seed.stream("node", label, "identity")
    }

    private func makeRepeater(_ boot: BootRecord, clock: UInt32) -> Repeater {
        var stream = identityStream(boot.label)
        let identity = LocalIdentity.generate {
            var seed = Seed32()
            seed.withUnsafeMutableBytes { stream.fill($0) }
            return seed
        }
        // The firmware's factory name of a repeater.
        return Repeater(
            identity: identity, board: boot.board, settings: RepeaterSettings(name: "repeater"), quirks: boot.quirks,
            random: boot.seed.stream("radio"), clock: RealTimeClock(unixSeconds: clock, at: now), flash: boot.flash,
            at: now)
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
        case (.companion(let link), .companion(let index)):
            companions[index] = companions[index].rebooted(
                at: now, keepingRTC: slot.board.keepsClockOverRestart, interface: link.interface(of: slot.board))
        case (.guest(let make), .guest(let index)): guests[index] = make(boot)
        case (_, .repeater(let index)): repeaters[index] = makeRepeater(boot, clock: boot.board.clockAtPowerOn)
        case (_, .companion), (_, .guest): preconditionFailure("a core in a place of another role")
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

extension AppLink {
    func interface(of board: BoardProfile) -> AppInterface {
        switch self {
        case .wifi: .wifi(sendQueue: board.sendQueueSize)
        case .serial: .serial
        }
    }
}
