import MeshFirmware

/// Frames that meet at an antenna.
extension World {
    /// Holds a frame against those on the air at its listener, in both directions.
    mutating func meet(_ place: Int32, of transmission: Int32, at listener: Int) {
        switch air.interference {
        case .strongest: meetEach(place, of: transmission, at: listener)
        case .sum: meetAll(place, of: transmission, at: listener)
        }
    }

    /// Compares a frame with the sum of the others.
    ///
    /// A frame is lost when it is not stronger than the sum by the capture threshold. Frames that are gone before the
    /// end of its preamble do not count. A modem leaves its frame only for a stronger one, as far as `AirModel.relock`
    /// lets it.
    private mutating func meetAll(_ place: Int32, of transmission: Int32, at listener: Int) {
        let power = power(of: place)
        let isForeign = receptions[place].isForeign
        let locked = radios[listener].locked
        let end = transmissions[transmission].end
        let harmedFrom = transmissions[transmission].harmedFrom
        var disturbance = 0.0
        // The strongest of the others, which a loss is put down to.
        var strongest = (strength: 0.0, frame: UInt64?.none)
        var other = radios[listener].firstReception
        while other >= 0 {
            let otherFrame = receptions[other].transmission
            if transmissions[otherFrame].end > harmedFrom {
                let harm = self.power(of: other) * crossTalk(on: transmission, by: otherFrame)
                disturbance += harm
                if harm > strongest.strength { strongest = (harm, transmissions[otherFrame].frame) }
            }
            if end > transmissions[otherFrame].harmedFrom && now < transmissions[otherFrame].harmedUntil {
                disturb(
                    other, by: power * crossTalk(on: otherFrame, by: transmission), of: transmission,
                    isFollowed: locked == other)
            }
            other = receptions[other].nextAtListener
        }
        receptions[place].disturbance = disturbance
        guard !isForeign else { return }
        let survives = power >= disturbance * captureFactor
        if locked >= 0, transmissions[receptions[locked].transmission].end > transmissions[transmission].critical {
            if receptions[place].loss == nil {
                if survives && mayRelock(from: receptions[locked].transmission) {
                    radios[listener].unfollow(at: now)
                } else if survives {
                    receptions.lose(place, .missed, to: frame(at: locked))
                } else {
                    receptions.lose(place, .collision, to: strongest.frame)
                }
            }
        } else if !survives && receptions[place].loss == nil {
            receptions.lose(place, .collision, to: strongest.frame)
        }
    }

    /// The power of a frame at its listener, in mW.
    @inline(__always)
    private mutating func power(of place: Int32) -> Double {
        let known = receptions[place].power
        if known > 0 { return known }
        let power = LinearPower.milliwatts(Int(receptions[place].signal.rssiHundredths))
        receptions[place].power = power
        return power
    }

    /// Adds to what disturbs a frame, which may be lost to it.
    private mutating func disturb(_ place: Int32, by power: Double, of transmission: Int32, isFollowed: Bool) {
        receptions[place].disturbance += power
        guard receptions[place].loss == nil else { return }
        let isLocked = isFollowed && now > transmissions[receptions[place].transmission].critical
        if self.power(of: place) < receptions[place].disturbance * (isLocked ? lockedFactor : captureFactor) {
            receptions.lose(place, .collision, to: transmissions[transmission].frame)
        }
    }

    /// Returns the share of a frame's power that counts against another one: all of it at equal spreading factors.
    @inline(__always)
    private mutating func crossTalk(on wanted: Int32, by other: Int32) -> Double {
        let own = transmissions[wanted].spreadingFactor
        let disturbing = transmissions[other].spreadingFactor
        return own == disturbing ? 1 : CrossTalk.factor(wanted: own, disturbing: disturbing, captureFactor)
    }

    /// Compares each frame with each other one.
    ///
    /// A frame is lost to one that is not weaker by the capture threshold. That does not apply to one that is gone
    /// before the end of the frame's preamble. A modem leaves its frame only for a stronger one, as far as
    /// `AirModel.relock` lets it.
    private mutating func meetEach(_ place: Int32, of transmission: Int32, at listener: Int) {
        let threshold = air.captureThresholdHundredths
        let strength = Int(receptions[place].signal.rssiHundredths)
        let harmedFrom = transmissions[transmission].harmedFrom
        var other = radios[listener].firstReception
        while other >= 0 {
            let lead = strength - Int(receptions[other].signal.rssiHundredths)
            let otherFrame = receptions[other].transmission
            let isOverInTime = transmissions[otherFrame].end <= harmedFrom
            let isFollowed = radios[listener].locked == other
            if isFollowed && !isOverInTime && receptions[place].loss == nil {
                if lead >= threshold && mayRelock(from: otherFrame) {
                    radios[listener].unfollow(at: now)
                } else {
                    receptions.lose(
                        place, lead < threshold ? .collision : .missed, to: transmissions[otherFrame].frame)
                }
            } else if lead < threshold && !isOverInTime && receptions[place].loss == nil {
                receptions.lose(place, .collision, to: transmissions[otherFrame].frame)
            }
            let isLocked = isFollowed && now > transmissions[otherFrame].critical
            let needed = isLocked ? air.lockedThresholdHundredths : threshold
            if lead > -needed && receptions[other].loss == nil
                && transmissions[transmission].end > transmissions[otherFrame].harmedFrom
                && now < transmissions[otherFrame].harmedUntil
            {
                receptions.lose(other, .collision, to: transmissions[transmission].frame)
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

    /// The frame disturbs the others at its listener no more.
    mutating func endDisturbance(by place: Int32, among first: Int32) {
        let frame = receptions[place].transmission
        let begin = transmissions[frame].begin
        let end = transmissions[frame].end
        let power = power(of: place)
        var other = first
        while other >= 0 {
            let otherFrame = receptions[other].transmission
            if other != place, end > transmissions[otherFrame].harmedFrom, begin < transmissions[otherFrame].harmedUntil
            {
                receptions[other].disturbance -= power * crossTalk(on: otherFrame, by: frame)
            }
            other = receptions[other].nextAtListener
        }
    }
}
