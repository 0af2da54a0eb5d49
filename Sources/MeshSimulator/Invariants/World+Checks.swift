import MeshFirmware
import MeshPacket
import MeshRadio
import MeshTime

/// The places at which invariants are checked.
extension World {
    mutating func report(_ rule: Violation.Rule, at index: Int) {
        guard invariants.isOn else { return }
        invariants.add(Violation(time: now, node: NodeID(index: index), rule: rule))
        record(index, .violated(rule))
    }

    /// A node begins to transmit.
    mutating func checkTransmission(_ bytes: RadioFrame, of index: Int, airtime: TimeSpan) {
        guard let accounts = accounts(of: index) else { return }
        checkBudget(of: index, factor: accounts.airtimeFactor, longestFrame: airtime)
        guard let packet = memo.packet(in: bytes)?.packet else {
            // Among them is every path that does not fit. An acknowledgement that was for the relay itself leaves as
            // what everyone discards, and so may raw bytes.
            if bytes.withBytes({ $0.first ?? 0 }) < 0x40 { report(.pathBounds, at: index) }
            return
        }
        if accounts.relaysFloods, packet.isFlood, packet.hopCount > 0,
            !invariants.noteRelay(packet.packetHash, by: index)
        {
            report(.relaysTwice, at: index)
        }
    }

    /// Compares a node's airtime with its budget: a bucket that is full at boot and refills with the node's share.
    ///
    /// It may be overdrawn by one frame, and the node's millisecond counter cuts each of its frames by a
    /// millisecond at most.
    private mutating func checkBudget(of index: Int, factor: Float, longestFrame: TimeSpan) {
        let slot = slots[index]
        let spent = (slot.airtime - slot.airtimeBeforeBoot).microseconds
        guard spent > 1_800_000_000 else { return }
        let share = Double(1 / (1 + max(0, invariants.leastAirtimeFactor(of: index, now: factor))))
        let elapsed = Double((now - slot.bootedAt).microseconds) * (1 + Double(abs(states[index].clockSkew)) / 1e6)
        let tolerance = 2 * Double(tunings[Int(radios[index].tuning)].airtime.microseconds(bytes: 255))
        let allowed = 1_800_000_000 + share * elapsed + tolerance + 1000 * Double(slot.framesSent)
        if Double(spent) > allowed { report(.airtimeBudget, at: index) }
    }

    /// A node has finished a pass.
    mutating func checkAccounts(of index: Int) {
        guard let accounts = accounts(of: index) else { return }
        if accounts.packetsInUse != accounts.packetsHeld { report(.queueAccounting, at: index) }
    }

    /// Checks an event that a node reports.
    mutating func checkReport(_ event: NodeEvent, of index: Int) {
        switch event {
        case .acknowledging(let ack): invariants.noteAcknowledgement(ack)
        case .acked(let ack):
            // A zero confirms an empty entry: a named quirk.
            if ack != 0, !invariants.knowsAcknowledgement(ack) { report(.ackWithoutDelivery, at: index) }
        case .rxDrop, .forwarded, .delivered: break
        }
    }
}
