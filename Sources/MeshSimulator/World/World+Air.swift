public import MeshFirmware
import MeshRadio
import MeshTime

/// Frames that leave nodes, and the radios' settings.
extension World {
    /// Returns the state of a node's chip: whether its modem follows a frame, and how far that has come.
    ///
    /// Mutating although nothing changes: the compiler copies a large value to ask it for something.
    mutating func radioStatus(of index: Int) -> RadioStatus {
        let radio = radios[index]
        let noiseFloor = noiseFloor(at: index)
        guard radio.locked >= 0, radio.lockedFrom <= now, radio.transmission < 0 else {
            guard let stuck = faults.stuckPreambles.first(where: { $0.node == index }) else {
                return RadioStatus(noiseFloor: noiseFloor)
            }
            faults.note(stuck.fault, node: index, at: now)
            return RadioStatus(.init(since: stuck.since, hasHeader: false), noiseFloor: noiseFloor)
        }
        let reception = receptions[radio.locked]
        let headed = transmissions[reception.transmission].headed
        return RadioStatus(
            .init(
                since: radio.lockedFrom, hasHeader: headed <= now, rssiByte: reception.signal.rssiByte,
                busyFor: now - radio.busyFrom),
            noiseFloor: noiseFloor)
    }

    /// The noise floor at a node's place, in whole dBm.
    @inline(__always)
    mutating func noiseFloor(at index: Int) -> Int16 {
        hasNoisyPlaces
            ? Self.noiseFloor(air.noiseFloor, raisedBy: states[index].noiseHundredths) : air.noiseFloor
    }

    mutating func beginTransmission(_ bytes: RadioFrame, from sender: Int) {
        if radios[sender].transmission >= 0 {
            if !states[sender].place.isGuest || accounts(of: sender) != nil { report(.transmitsTwice, at: sender) }
            cutTransmission(of: sender)
        }
        radios[sender].takeUp(now)
        loseReceptions(of: sender, .halfDuplex, to: framesSent)
        let tuning = tunings[Int(radios[sender].tuning)]
        let sent = faults.watchesFrames ? handedOver(bytes, by: sender) : bytes
        let place = putOnAir(sent, near: sender, tuning)
        let airtime = transmissions[place].end - now
        radios[sender].transmission = place
        radios[sender].readyAt = now + airtime + air.turnaround
        slots[sender].framesSent &+= 1
        slots[sender].airtime = slots[sender].airtime + airtime
        if slots[sender].body >= 0 { drainCell(of: sender, for: airtime) }
        let frame = transmissions[place].frame
        record(sender, .txBegin(frame: frame, bytes: sent.bytes, airtime: airtime))
        if invariants.isOn { checkTransmission(bytes, of: sender, airtime: airtime) }
        reach(place, from: sender, tuning, raisedBy: slots[sender].gainHundredths)
    }

    /// Puts a frame on the air at a node's antenna, with the settings of its radio.
    ///
    /// The node does not know of it, and does not receive the frame either.
    public mutating func transmit(_ bytes: RadioFrame, near node: NodeID) {
        beginReplay(bytes, near: node.index)
    }

    /// Begins a frame at a node's place that is not from the node, which does not receive it either.
    mutating func beginReplay(_ bytes: RadioFrame, near node: Int) {
        let tuning = tunings[Int(radios[node].tuning)]
        let place = putOnAir(bytes, near: node, tuning)
        transmissions[place].isReplay = true
        let airtime = transmissions[place].end - now
        let frame = transmissions[place].frame
        record(node, .replayBegin(frame: frame, bytes: bytes.bytes, airtime: airtime))
        reach(place, from: node, tuning, raisedBy: 0)
    }

    private mutating func putOnAir(_ bytes: RadioFrame, near sender: Int, _ tuning: Tuning) -> Int32 {
        let end = now + TimeSpan(microseconds: tuning.airtime.microseconds(bytes: bytes.count))
        let frame = framesSent
        framesSent += 1
        statistics.transmissions += 1
        let place = transmissions.insert(
            Transmission(
                frame: frame, sender: Int32(sender), firstReception: -1, begin: now, end: end,
                detected: now + tuning.detection, critical: now + tuning.leadIn,
                harmedFrom: now + tuning.leadIn + tuning.repaired, harmedUntil: end - tuning.repaired,
                headed: now + tuning.header, spreadingFactor: tuning.airtime.parameters.spreadingFactor, bytes: bytes))
        queue.schedule(.transmissionEnds(place: place, frame: UInt32(truncatingIfNeeded: frame)), at: end)
        bytes.withBytes { digest.fold(.transmitted, at: now, node: Int32(sender), $0) }
        return place
    }

    /// Lets a frame begin at all nodes in range with the same radio settings.
    private mutating func reach(_ place: Int32, from sender: Int, _ tuning: Tuning, raisedBy gain: Int32) {
        let isPlain = !air.fading.isOn && gain == 0
        var last: Int32 = -1
        for index in links.rows[sender].places {
            let entry = links.entries[index]
            let listener = Int(entry.listener)
            let isHeard = isHeard(sender, tuning, at: listener)
            guard isHeard || disturbs(tuning, at: listener) else { continue }
            var signal = isPlain ? entry.signal : signal(of: entry, sender, raisedBy: gain)
            if hasNoisyPlaces { signal.drown(byHundredths: states[listener].noiseHundredths) }
            var reception = Reception(
                transmission: place, listener: entry.listener, signal: signal,
                loss: entry.lossPerTenThousand > 0 ? linkLoss(entry, sender) : nil)
            if !isHeard { reception.mangler = Reception.foreign }
            let next = receptions.add(reception, after: last)
            if last < 0 { transmissions[place].firstReception = next }
            last = next
            if isHeard {
                beginReception(next, of: place, tuning)
            } else {
                beginDisturbance(next, of: place, at: listener)
            }
        }
    }

    /// Returns whether a listener has the sender's settings, and its crystal is near enough.
    @inline(__always)
    private mutating func isHeard(_ sender: Int, _ tuning: Tuning, at listener: Int) -> Bool {
        guard tunings[Int(radios[listener].tuning)].channel == tuning.channel else { return false }
        guard hasCarrierOffsets else { return true }
        // What chips tolerate is a quarter of the bandwidth (SX1276 data sheet, 4.1.5).
        let offset = abs(slots[sender].carrierOffsetHertz - slots[listener].carrierOffsetHertz)
        return 4 * offset <= Int32(tuning.airtime.parameters.bandwidthHertz)
    }

    /// Returns whether a frame that a listener cannot receive disturbs others there: it has their frequency and
    /// bandwidth.
    private mutating func disturbs(_ tuning: Tuning, at listener: Int) -> Bool {
        let own = tunings[Int(radios[listener].tuning)].airtime.parameters
        let other = tuning.airtime.parameters
        return air.hasCrossTalk && own.frequencyKilohertz == other.frequencyKilohertz
            && own.bandwidthHertz == other.bandwidthHertz
    }

    // Mutating although nothing changes: the compiler copies a large value to ask it for something.
    private mutating func signal(of entry: LinkTable.Entry, _ sender: Int, raisedBy gain: Int32) -> Signal {
        let signal = air.fading.isOn ? faded(entry, sender) : entry.signal
        return gain == 0 ? signal : signal.raised(byHundredths: Int(gain))
    }

    private mutating func faded(_ entry: LinkTable.Entry, _ sender: Int) -> Signal {
        let pair = PairKey(fadingSeed, slots[sender].labelHash, slots[Int(entry.listener)].labelHash)
        return entry.signal.raised(byHundredths: air.fading.deviation(of: pair, at: now))
    }

    /// Drawn from link and number of the sender's frame: nothing else in the world moves it.
    private mutating func linkLoss(_ entry: LinkTable.Entry, _ sender: Int) -> RxLoss? {
        let draw = draw(lossSeed, from: sender, to: Int(entry.listener))
        return draw % 10_000 < UInt64(entry.lossPerTenThousand) ? .linkLoss : nil
    }

    /// Ends the frame that a node is sending, so that no node receives it.
    mutating func cutTransmission(of sender: Int) {
        let place = radios[sender].transmission
        guard place >= 0 else { return }
        radios[sender].transmission = -1
        radios[sender].lockedFrom = now
        radios[sender].readyAt = now + air.turnaround
        let frame = transmissions[place].frame
        transmissions[place].isOnAir = false
        var next = transmissions[place].firstReception
        while next >= 0 {
            let reception = receptions[next]
            if reception.listener >= 0 {
                withdraw(next, from: Int(reception.listener))
                let obstacle = reception.loss?.isByFrame == true ? receptions.obstacle(at: next) : nil
                if !reception.isForeign {
                    drop(frame, at: Int(reception.listener), reception.loss ?? .senderCut, by: obstacle)
                }
            }
            next = reception.nextOfFrame
        }
        receptions.free(from: transmissions[place].firstReception)
        transmissions.free(place)
    }

    mutating func tune(_ node: Int, to parameters: LoRaParameters) {
        // As after a setting that the chip refuses, the radio stays with the one that it has.
        guard let tuning = tuning(slots[node].board.airtime(parameters)) else { return }
        if tunings[Int(tuning)].channel != tunings[Int(radios[node].tuning)].channel {
            while radios[node].firstReception >= 0 {
                let place = radios[node].firstReception
                let loss = receptions[place].loss ?? .retuned
                let obstacle = loss.isByFrame ? receptions.obstacle(at: place) : nil
                let frame = frame(at: place)
                receptions[place].listener = -1
                radios[node].firstReception = receptions[place].nextAtListener
                if !receptions[place].isForeign { drop(frame, at: node, loss, by: obstacle) }
            }
            radios[node].unfollow(at: now)
        }
        radios[node].tuning = tuning
    }

    /// Settings beyond this number replace those that no radio works with any more.
    private static let tuningsKept = 64

    /// The number of a setting, which is entered when it is new; nil when radios work with more than can be
    /// numbered.
    mutating func tuning(_ airtime: Airtime) -> UInt16? {
        if let known = tunings.firstIndex(where: { $0.airtime == airtime }) { return UInt16(known) }
        let alike = tunings.first { $0.airtime.parameters.hears(airtime.parameters) }
        // A client may try as many settings as it likes.
        if tunings.count >= Self.tuningsKept, let place = unusedTuning {
            tunings[place] = Tuning(airtime, channel: alike?.channel ?? unusedChannel, air: air)
            return UInt16(place)
        }
        guard tunings.count < Int(UInt16.max) else { return nil }
        tunings.append(Tuning(airtime, channel: alike?.channel ?? unusedChannel, air: air))
        return UInt16(tunings.count - 1)
    }

    private var unusedTuning: Int? {
        var isUsed = Array(repeating: false, count: tunings.count)
        for radio in radios { isUsed[Int(radio.tuning)] = true }
        return isUsed.firstIndex(of: false)
    }

    /// The number of settings, unless that is in use: then the next free one.
    private var unusedChannel: UInt16 {
        var channel = UInt16(tunings.count)
        while tunings.contains(where: { $0.channel == channel }) { channel &+= 1 }
        return channel
    }
}

extension Signal {
    /// Lowers the ratio to the noise, which is stronger by so many hundredths of a decibel.
    mutating func drown(byHundredths noise: Int16) {
        snrHundredths = Int16(clamping: Int(snrHundredths) - Int(noise))
    }

    /// Returns the signal, stronger by `change` hundredths of a decibel.
    func raised(byHundredths change: Int) -> Signal {
        Signal(
            snrHundredths: Int16(clamping: Int(snrHundredths) + change),
            rssiHundredths: Int16(clamping: Int(rssiHundredths) + change))
    }
}
