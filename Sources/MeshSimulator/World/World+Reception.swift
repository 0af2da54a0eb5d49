import MeshFirmware
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
        } else if state.deafness > 0 {
            receptions[place].loss = .deaf
        } else if state.readyAt > critical {
            receptions[place].loss = .halfDuplex
        } else if receptions[place].signal.snrHundredths < tuning.snrLimitHundredths {
            receptions[place].loss = .tooWeak
        } else if faults.watchesFrames && receptions[place].loss == nil {
            applyFaults(to: place, of: transmission)
        }
        if state.firstReception >= 0 {
            meet(place, of: transmission, at: listener)
            state.locked = radios[listener].locked
        }
        let loss = receptions[place].loss
        if (loss == nil || loss == .corrupted) && state.locked < 0 && state.transmission < 0 {
            state.locked = place
            state.lockedFrom = max(transmissions[transmission].detected, state.readyAt + tuning.detection)
        }
        receptions[place].nextAtListener = state.firstReception
        state.firstReception = place
        radios[listener] = state
    }

    /// Holds a frame against those on the air at its listener, in both directions.
    ///
    /// A frame is lost to one that is not weaker by the capture threshold, unless that one is gone before the end of the
    /// frame's preamble. A modem leaves its frame only for a stronger one, as far as `AirModel.relock` lets it.
    private mutating func meet(_ place: Int32, of transmission: Int32, at listener: Int) {
        let threshold = air.captureThresholdHundredths
        let strength = Int(receptions[place].signal.rssiHundredths)
        let critical = transmissions[transmission].critical
        var other = radios[listener].firstReception
        while other >= 0 {
            let lead = strength - Int(receptions[other].signal.rssiHundredths)
            let otherFrame = receptions[other].transmission
            let isOverInTime = transmissions[otherFrame].end <= critical
            let isFollowed = radios[listener].locked == other
            if isFollowed && !isOverInTime && receptions[place].loss == nil {
                if lead >= threshold && mayRelock(from: otherFrame) {
                    radios[listener].locked = -1
                } else {
                    receptions[place].loss = lead < threshold ? .collision : .missed
                }
            } else if lead < threshold && !isOverInTime && receptions[place].loss == nil {
                receptions[place].loss = .collision
            }
            if lead > -threshold && receptions[other].loss == nil
                && transmissions[transmission].end > transmissions[otherFrame].critical
            {
                receptions[other].loss = .collision
            }
            other = receptions[other].nextAtListener
        }
    }

    private func mayRelock(from frame: Int32) -> Bool {
        switch air.relock {
        case .always: true
        case .duringPreamble: now <= transmissions[frame].critical
        case .never: false
        }
    }

    /// A modem that is free from `time` on takes the frame that came first of those it can still lock on to.
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
        let detection = transmissions[frame].detected - transmissions[frame].begin
        radios[listener].locked = chosen
        radios[listener].lockedFrom = max(transmissions[frame].detected, time + detection)
    }

    /// Takes a frame out of the list of its listener; the modem that followed it is free.
    mutating func withdraw(_ place: Int32, from listener: Int) {
        let first = radios[listener].firstReception
        if first == place {
            radios[listener].firstReception = receptions[place].nextAtListener
        } else {
            var before = first
            while before >= 0 {
                let next = receptions[before].nextAtListener
                if next == place {
                    receptions[before].nextAtListener = receptions[place].nextAtListener
                    break
                }
                before = next
            }
        }
        if radios[listener].locked == place {
            radios[listener].locked = -1
            if radios[listener].firstReception >= 0 { relock(listener, from: max(now, radios[listener].readyAt)) }
        }
    }

    /// Everything that a node is receiving is lost to it; it stays on the air as interference.
    mutating func loseReceptions(of listener: Int, _ reason: RxLoss) {
        radios[listener].locked = -1
        var place = radios[listener].firstReception
        while place >= 0 {
            receptions[place].loss = receptions[place].loss ?? reason
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
            next = reception.nextOfFrame
            guard reception.listener >= 0 else { continue }
            let listener = Int(reception.listener)
            if let loss = reception.loss {
                drop(number, at: listener, loss)
                if reception.endsWithBadChecksum { hearSpoiltFrame(at: listener) }
            } else {
                receive(number, critical: critical, at: listener, reception.signal)
                hear(&heard, reception, at: listener)
                if faults.watchesFrames { recordForReplay(transmissions[place].bytes, at: listener) }
            }
        }
        receptions.free(from: first)
        transmissions.free(place)
    }

    /// Takes all receptions of a frame off the air; whether any of them was good.
    private mutating func endReceptions(_ first: Int32) -> Bool {
        var isHeard = false
        var next = first
        while next >= 0 {
            var reception = receptions[next]
            let listener = Int(reception.listener)
            if listener >= 0 {
                let isFollowed = radios[listener].locked == next
                if reception.loss == nil && !isFollowed { reception.loss = .missed }
                reception.endsWithBadChecksum =
                    isFollowed && (reception.loss == .collision || reception.loss == .corrupted)
                receptions[next] = reception
                if reception.loss == nil { isHeard = true }
                if reception.loss == nil || reception.endsWithBadChecksum {
                    fetched &+= states[listener].deferredCounts.fetch()
                }
                withdraw(next, from: listener)
            }
            next = reception.nextOfFrame
        }
        return isHeard
    }

    private mutating func receive(_ frame: UInt64, critical: Instant, at listener: Int, _ signal: Signal) {
        record(listener, .rxEnd(frame: frame, signal: signal))
        digest.fold(.received, at: now, node: Int32(listener), detail: UInt32(truncatingIfNeeded: frame))
        statistics.receptions += 1
        if invariants.isOn && (radios[listener].transmission >= 0 || radios[listener].readyAt > critical) {
            report(.hearsWhileSending, at: listener)
        }
    }

    mutating func drop(_ frame: UInt64, at listener: Int, _ reason: RxLoss) {
        record(listener, .rxDrop(frame: frame, reason: reason))
        digest.fold(
            .dropped, at: now, node: Int32(listener),
            detail: UInt32(truncatingIfNeeded: frame) << 8 | UInt32(reason.rawValue))
        statistics.drops[Int(reason.rawValue)] += 1
    }
}
