import MeshCompanion
import MeshPacket
import MeshTime

// The sending half of the firmware's `Dispatcher`.
// Source: OverTheAir, "Main loop", "Transmission" (OTA-098, OTA-099) and "Listen before talk" (OTA-096).
extension RoutingCore {
    /// The longest time that the channel may be busy before the node transmits in spite of it, in milliseconds.
    static let longestBusy: UInt32 = 4000
    /// The longest time that the radio may be out of receive mode before that is an error, in milliseconds.
    static let longestOutOfReceive: UInt32 = 8000

    /// Steps 3 and 4 of the pass: `false` while a transmission continues, in which the node does nothing else.
    mutating func finishTransmission(isDone: Bool, airtimeFactor: Float) -> Bool {
        guard let transmission = inFlight else { return true }
        let now = millis
        let length = now.since(transmission.startedAt)
        if length > Self.longestOutOfReceive { errorFlags.insert(.radioStuck) }
        if isDone {
            account(transmission, length: length, airtimeFactor: airtimeFactor)
        } else if !transmission.deadline.hasPassed(at: now) {
            return false
        }
        pool.vacate(transmission.slot)
        pool.giveBack()
        inFlight = nil
        return true
    }

    private mutating func account(_ transmission: Transmission, length: UInt32, airtimeFactor: Float) {
        statistics.airtime &+= length
        statistics.framesSent &+= 1
        if transmission.isFlood {
            statistics.sentFlood &+= 1
        } else {
            statistics.sentDirect &+= 1
        }
        nextTransmission = future(budget.spend(length, at: millis, airtimeFactor: airtimeFactor))
    }

    /// Step 8 of the pass: starts the most urgent due packet, if budget, pause and channel allow.
    mutating func checkSend(airtimeFactor: Float) {
        guard inFlight == nil, sendQueue.hasDue(at: millis) else { return }
        budget.refill(at: millis, airtimeFactor: airtimeFactor)
        let wanted = longestAirtime / 2
        if budget.milliseconds < wanted {
            nextTransmission = future(budget.wait(for: wanted, airtimeFactor: airtimeFactor))
            return
        }
        guard hasPassed(nextTransmission), mayTalk() else { return }
        guard let entry = sendQueue.takeDue(at: millis) else { return }
        let (frame, isFlood) = pool.withPacket(in: entry.slot) { (RadioFrame($0), $0.isFlood) }
        let deadline = future(estimatedAirtime(bytes: frame.count) &* 3 / 2)
        inFlight = Transmission(slot: entry.slot, isFlood: isFlood, startedAt: millis, deadline: deadline)
        effects.append(.transmit(frame))
    }

    /// Listening before talking: on a busy channel the node draws a pause, until it has waited too long.
    private mutating func mayTalk() -> Bool {
        if isChannelBusy() {
            if busySince.count == 0 { busySince = millis }
            guard millis.since(busySince) > Self.longestBusy else {
                nextTransmission = future(random.draw(1, 4) * 120)
                return false
            }
            errorFlags.insert(.channelBusy)
        }
        busySince = Millis(0)
        return true
    }

    /// Returns whether the driver finds the channel busy. It cannot overlook a reception of which no frame is known.
    private mutating func isChannelBusy() -> Bool {
        guard quirks.contains(.nextFrameOverlooked), driver.remembersReceptions,
            radioStatus.reception != nil || !radioStatus.isReceiving
        else { return driver.sees(radioStatus) }
        return receptionCheck.isReceiving(
            radioStatus.reception, at: millis,
            sampledBefore: NoiseSampling.sinceBeginning(at: now - boot, millisAtBoot),
            airtime)
    }
}
