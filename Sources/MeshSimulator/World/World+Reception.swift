import MeshFirmware
import MeshRadio
import MeshTime

/// Frames at antennas: who follows which, and what becomes of those that meet.
extension World {
    /// A frame reaches an antenna. A modem that is free, or will be in time, follows it; others are in its way.
    mutating func beginReception(_ place: Int32, of transmission: Int32, _ tuning: Tuning) {
        let listener = Int(receptions[place].listener)
        let frame = transmissions[transmission].frame
        record(listener, .rxBegin(frame: frame))
        var state = radios[listener]
        let critical = transmissions[transmission].critical
        if !state.isUp {
            receptions[place].loss = .off
            if !faults.missing.isEmpty { countMissed(transmission, at: listener) }
        } else if state.deafness > 0 {
            receptions[place].loss = .deaf
            countMissed(transmission, at: listener)
        } else if state.readyAt > critical {
            let own = state.transmission >= 0 ? transmissions[state.transmission].frame : nil
            receptions.lose(place, .halfDuplex, to: own)
        } else if receptions[place].signal.snrHundredths < tuning.surelyHeardHundredths {
            let loss = noiseLoss(of: place, transmission, tuning)
            receptions[place].loss = loss ?? receptions[place].loss
        }
        if faults.watchesFrames && receptions[place].loss == nil { applyFaults(to: place, of: transmission) }
        if state.firstReception >= 0 {
            meet(place, of: transmission, at: listener)
            state.locked = radios[listener].locked
            state.lockedFrom = radios[listener].lockedFrom
        }
        let loss = receptions[place].loss
        if (loss == nil || loss == .corrupted || loss == .noise) && state.locked < 0 && state.transmission < 0 {
            let noticed = max(transmissions[transmission].detected, state.readyAt + tuning.detection)
            state.follow(place, noticed: noticed, begin: isQuiet(under: place) ? noticed : now)
        }
        if state.firstReception >= 0 { receptions[place].nextAtListener = state.firstReception }
        state.firstReception = place
        radios[listener] = state
    }

    /// A frame that the listener's settings cannot receive reaches its antenna: it can only be in the way.
    mutating func beginDisturbance(_ place: Int32, of transmission: Int32, at listener: Int) {
        receptions[place].loss = .tooWeak
        if radios[listener].firstReception >= 0 { meet(place, of: transmission, at: listener) }
        receptions[place].nextAtListener = radios[listener].firstReception
        radios[listener].firstReception = place
    }

    /// Returns the loss by noise alone of a frame near the SNR limit: `tooWeak` is not even noticed, `noise` is
    /// followed.
    ///
    /// Drawn from link and number of the sender's frame, as the loss of a link is.
    private mutating func noiseLoss(of place: Int32, _ transmission: Int32, _ tuning: Tuning) -> RxLoss? {
        let margin = Int(receptions[place].signal.snrHundredths) - Int(tuning.snrLimitHundredths)
        guard air.sensitivity == .curve else { return .tooWeak }
        guard margin >= SymbolLoss.faintest else { return .tooWeak }
        let draw = draw(noiseSeed, from: Int(transmissions[transmission].sender), to: Int(receptions[place].listener))
        // The header is eight symbols, at coding rate 4/8.
        let payload = transmissions[transmission].end - transmissions[transmission].headed
        let symbols = 8 + Int(payload.microseconds / max(1, tuning.airtime.symbolMicroseconds))
        let isSpoilt = SymbolLoss.spoils(
            symbols: symbols, margin: margin, spreadingFactor: transmissions[transmission].spreadingFactor, draw: draw)
        guard isSpoilt else { return nil }
        return SymbolLoss.isNoticed(margin: margin, draw: draw >> 12) ? .noise : .tooWeak
    }

    /// Random bits of a link and the number of its sender's frame: nothing else in the world moves them.
    mutating func draw(_ seed: UInt64, from sender: Int, to listener: Int) -> UInt64 {
        var stream = RandomStream(
            state: seed ^ slots[sender].labelHash &* 3 ^ slots[listener].labelHash
                ^ UInt64(slots[sender].framesSent) << 32)
        return stream.next()
    }

    /// Locks a modem that is free from `time` on to the first frame of those that it can still receive.
    mutating func relock(_ listener: Int, from time: Instant) {
        guard radios[listener].locked < 0, radios[listener].isUp else { return }
        var place = radios[listener].firstReception
        var chosen: Int32 = -1
        while place >= 0 {
            let frame = receptions[place].transmission
            // The list begins with the newest.
            if receptions[place].loss == nil && transmissions[frame].critical >= time { chosen = place }
            place = receptions[place].nextAtListener
        }
        guard chosen >= 0 else { return }
        let frame = receptions[chosen].transmission
        let begin = transmissions[frame].begin
        let noticed = max(transmissions[frame].detected, time + (transmissions[frame].detected - begin))
        radios[listener].follow(chosen, noticed: noticed, begin: isQuiet(under: chosen) ? noticed : begin)
    }

    /// Returns whether a driver samples the noise floor while a frame arrives, until the modem notices it.
    private mutating func isQuiet(under place: Int32) -> Bool {
        let noise = hasNoisyPlaces ? Int(states[Int(receptions[place].listener)].noiseHundredths) : 0
        return Int(receptions[place].signal.rssiHundredths)
            < Int(air.noiseFloor) * 100 + noise + NoiseSampling.thresholdHundredths
    }

    /// Removes a frame from the list of its listener; the modem that followed it is free.
    mutating func withdraw(_ place: Int32, from listener: Int) {
        let first = radios[listener].firstReception
        let after = receptions[place].nextAtListener
        let isAlone = first == place && after < 0
        if air.interference == .sum && !isAlone { endDisturbance(by: place, among: first) }
        if first == place {
            radios[listener].firstReception = after
        } else {
            var before = first
            while before >= 0 {
                let next = receptions[before].nextAtListener
                if next == place {
                    receptions[before].nextAtListener = after
                    break
                }
                before = next
            }
        }
        if radios[listener].locked == place {
            radios[listener].unfollow(at: now)
            if radios[listener].firstReception >= 0 { relock(listener, from: max(now, radios[listener].readyAt)) }
        }
    }

    /// Everything that a node is receiving is lost to it, and perhaps to a frame of its own; it stays on the air as
    /// interference.
    mutating func loseReceptions(of listener: Int, _ reason: RxLoss, to frame: UInt64? = nil) {
        radios[listener].unfollow(at: now)
        var place = radios[listener].firstReception
        while place >= 0 {
            if receptions[place].loss == nil { receptions.lose(place, reason, to: frame) }
            place = receptions[place].nextAtListener
        }
    }

    mutating func endTransmission(place: Int32, frame: UInt32) {
        guard transmissions[place].isOnAir, UInt32(truncatingIfNeeded: transmissions[place].frame) == frame else {
            return
        }
        let sender = Int(transmissions[place].sender)
        let number = transmissions[place].frame
        let first = transmissions[place].firstReception
        let critical = transmissions[place].critical
        let isReplay = transmissions[place].isReplay
        transmissions[place].isOnAir = false
        record(sender, .txEnd(frame: number))
        if !isReplay {
            radios[sender].transmission = -1
            radios[sender].lockedFrom = now
            relock(sender, from: radios[sender].readyAt)
        }
        // All receptions end before anyone reacts, so that a node's answer meets a free air.
        let isHeard = endReceptions(first)
        var heard = HeardFrame(place: place, length: transmissions[place].bytes.count)
        if isHeard { heard.packet = memo.packet(in: transmissions[place].bytes) }
        if !isReplay { pass(.transmitDone, to: sender) }
        var next = first
        while next >= 0 {
            let reception = receptions[next]
            let obstacle = reception.loss?.isByFrame == true ? receptions.obstacle(at: next) : nil
            next = reception.nextOfFrame
            guard reception.listener >= 0 else { continue }
            let listener = Int(reception.listener)
            if reception.isForeign { continue }
            if let loss = reception.loss {
                drop(number, at: listener, loss, by: obstacle)
                if reception.endsWithBadChecksum { hearSpoiltFrame(at: listener) }
            } else {
                let signal = reported(reception.signal, from: sender, to: listener)
                receive(number, critical: critical, at: listener, signal)
                hear(&heard, signal, mangler: reception.mangler, at: listener)
                if faults.watchesFrames { recordForReplay(transmissions[place].bytes, at: listener) }
            }
        }
        receptions.free(from: first)
        transmissions.free(place)
    }

    /// Removes all receptions of a frame from the air; returns whether any of them was good.
    private mutating func endReceptions(_ first: Int32) -> Bool {
        var isHeard = false
        var next = first
        while next >= 0 {
            let reception = receptions[next]
            let listener = Int(reception.listener)
            if listener >= 0 {
                let locked = radios[listener].locked
                let isFollowed = locked == next
                var loss = reception.loss
                if loss == nil && !isFollowed {
                    receptions.lose(next, .missed, to: locked >= 0 ? frame(at: locked) : nil)
                    loss = .missed
                }
                let isSpoilt = isFollowed && (loss == .collision || loss == .corrupted || loss == .noise)
                if isSpoilt { receptions[next].endsWithBadChecksum = true }
                if loss == nil { isHeard = true }
                if loss == nil || isSpoilt {
                    fetched &+= states[listener].deferredCounts.fetch()
                }
                withdraw(next, from: listener)
            }
            next = reception.nextOfFrame
        }
        return isHeard
    }

    /// Returns the report of the listener's modem on the signal.
    private mutating func reported(_ signal: Signal, from sender: Int, to listener: Int) -> Signal {
        guard isReportOn else { return signal }
        return air.report.reported(signal, draw: draw(reportSeed, from: sender, to: listener))
    }

    private mutating func receive(_ frame: UInt64, critical: Instant, at listener: Int, _ signal: Signal) {
        record(listener, .rxEnd(frame: frame, signal: signal))
        digest.fold(.received, at: now, node: Int32(listener), detail: UInt32(truncatingIfNeeded: frame))
        statistics.receptions += 1
        if invariants.isOn && (radios[listener].transmission >= 0 || radios[listener].readyAt > critical) {
            report(.hearsWhileSending, at: listener)
        }
    }

    /// The number of the frame that a reception is of.
    mutating func frame(at place: Int32) -> UInt64 { transmissions[receptions[place].transmission].frame }

    mutating func drop(_ frame: UInt64, at listener: Int, _ reason: RxLoss, by other: UInt64? = nil) {
        record(listener, .rxDrop(frame: frame, reason: reason, by: other))
        digest.fold(
            .dropped, at: now, node: Int32(listener),
            detail: UInt32(truncatingIfNeeded: frame) << 8 | UInt32(reason.rawValue))
        statistics.drops[Int(reason.rawValue)] += 1
    }
}
