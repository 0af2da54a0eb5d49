import MeshFirmware
import MeshTime

/// The effects of faults.
extension World {
    /// Schedules a fault. Its stream has the name of its number: the first one of a world draws the same numbers
    /// whatever others follow.
    @discardableResult
    public mutating func schedule(_ fault: Fault) -> Int {
        let number = faults.add(fault, stream: seed.stream("fault", String(faults.faults.count)))
        if fault.begin <= now {
            turnFault(number, begins: true)
        } else {
            queue.schedule(.fault(index: Int32(number), begins: true), at: fault.begin)
        }
        if fault.end != .never { queue.schedule(.fault(index: Int32(number), begins: false), at: fault.end) }
        return number
    }

    /// Ends a fault now that is in progress; one that has not begun, has ended, or has no end is left alone.
    ///
    /// Returns whether it was in progress.
    @discardableResult
    public mutating func endFault(_ number: Int) -> Bool {
        guard faults.isOpen(number, at: now) else { return false }
        turnFault(number, begins: false)
        faults.endEarly(number)
        return true
    }

    /// The number of faults scheduled so far; their numbers count from 0.
    public var faultCount: Int { faults.faults.count }

    mutating func turnFault(_ number: Int, begins: Bool) {
        guard faults.turns(number, begins: begins) else { return }
        let kind = faults.faults[number].kind
        record(kind.node?.index ?? 0, .fault(number: number, begins: begins))
        faults.turn(number, begins: begins)
        countTurn(number, kind, begins: begins)
        switch kind {
        case .loss, .partition, .corruption, .senderCorruption, .replay, .dutyCycle: break
        case .stuckPreamble(let node):
            faults.stuckPreambles.removeAll { $0.node == node.index }
            if begins { faults.stuckPreambles.append((node.index, now, number)) }
        case .deafness(let node):
            if begins { loseReceptions(of: node.index, .deaf) }
            radios[node.index].deafness =
                begins
                ? radios[node.index].deafness &+ 1 : max(1, radios[node.index].deafness) - 1
        case .crash(let node): if begins { powerOff(node) } else { powerOn(node) }
        case .reboot(let node, let keepsFlash): if begins { restart(node, erasingFlash: !keepsFlash) }
        case .clockJump(let node, let seconds): if begins { jumpClock(of: node.index, by: seconds, number) }
        case .flashFailure(let node): setFlashFailure(begins, at: node.index)
        case .tornWrite(let node, let path, let bytes):
            let cut = begins ? Flash.PowerCut(path: path, bytes: bytes) : nil
            changeFirmware(of: node.index) { $0.flash.powerCut = cut }
            if !begins { powerOn(node) }
        case .link(let from, let to, let link):
            if begins { faults.replaced[number] = links[link: from, to] }
            // A link that stays as it was is none that a frame could meet.
            if begins, links[link: from, to] == link { faults.baselines[number] = nil }
            links[link: from, to] = begins ? link : faults.replaced[number]
        }
    }

    private mutating func jumpClock(of index: Int, by seconds: Int32, _ number: Int) {
        var hasJumped = false
        changeFirmware(of: index) { node in
            let before = node.unixTime
            node.setClock(before &+ UInt32(bitPattern: seconds))
            hasJumped = node.unixTime != before
        }
        if hasJumped { faults.note(number, node: index, at: now) }
        lookAtClock(index)
    }

    private mutating func setFlashFailure(_ fails: Bool, at index: Int) {
        changeFirmware(of: index) { $0.setFlashFaults(write: fails, format: fails) }
    }

    /// Lets the faults of the moment decide on a frame that a listener would otherwise receive.
    mutating func applyFaults(to place: Int32, of transmission: Int32) {
        let sender = NodeID(index: Int(transmissions[transmission].sender))
        let listener = NodeID(index: Int(receptions[place].listener))
        let length = transmissions[transmission].bytes.count
        for number in faults.active {
            let before = receptions[place].loss
            switch faults.faults[number].kind {
            case .loss(let share, let from, let to):
                guard from ?? sender == sender, to ?? listener == listener else { continue }
                guard faults.strikes(number, perTenThousand: share) else { continue }
                receptions[place].loss = .fault
            case .partition(let nodes):
                if nodes.contains(sender) != nodes.contains(listener) { receptions[place].loss = .fault }
            case .corruption(let share, let from, let to, let passesChecksum):
                guard from ?? sender == sender, to ?? listener == listener else { continue }
                guard faults.strikes(number, perTenThousand: share) else { continue }
                if passesChecksum {
                    receptions[place].mangler = Int16(truncatingIfNeeded: number)
                } else {
                    receptions[place].loss = receptions[place].loss ?? .corrupted
                }
            case .dutyCycle(let node, let listens, let sleeps):
                guard node == listener, isAsleep(number, for: transmission, listens, sleeps) else { continue }
                receptions[place].loss = .deaf
            default: break
            }
            // A frame that another fault has lost before is lost to that one.
            if before == nil, receptions[place].loss != nil {
                faults.note(number, frames: 1, bytes: length, node: listener.index, at: now)
            }
        }
    }

    /// Returns whether a receiver that listens by turns misses the preamble of a frame that begins now.
    private func isAsleep(
        _ number: Int, for transmission: Int32, _ listens: TimeSpan, _ sleeps: TimeSpan
    ) -> Bool {
        let period = max(1, (listens + sleeps).microseconds)
        let phase = (now - faults.faults[number].begin).microseconds % period
        let frame = transmissions[transmission]
        let needed = (frame.detected - frame.begin).microseconds
        // Awake already, and long enough to detect it before the next sleep.
        if phase >= sleeps.microseconds, period - phase >= needed { return false }
        let untilAwake =
            phase < sleeps.microseconds ? sleeps.microseconds - phase : period - phase + sleeps.microseconds
        return listens.microseconds < needed || now + TimeSpan(microseconds: untilAwake) > frame.critical
    }

    /// Returns the frame that a sender's chip receives: the given one, or the same spoiled.
    mutating func handedOver(_ bytes: RadioFrame, by sender: Int) -> RadioFrame {
        var bytes = bytes
        for number in faults.active {
            guard case .senderCorruption(let share, let node) = faults.faults[number].kind,
                node == nil || node?.index == sender, faults.strikes(number, perTenThousand: share)
            else { continue }
            bytes = mangled(bytes, by: number)
            faults.note(number, frames: 1, bytes: bytes.count, node: sender, at: now)
        }
        return bytes
    }

    /// A frame with some bytes changed.
    mutating func mangled(_ bytes: RadioFrame, by number: Int) -> RadioFrame {
        var changed = bytes.bytes
        guard !changed.isEmpty else { return bytes }
        for _ in 0...Int(faults.streams[number].draw(0, 4)) {
            let place = Int(faults.streams[number].draw(0, UInt32(changed.count)))
            changed[place] ^= UInt8(faults.streams[number].draw(1, 256))
        }
        return RadioFrame(changed)
    }

    /// A node has received a frame; faults near it may send it again.
    mutating func recordForReplay(_ bytes: RadioFrame, at listener: Int) {
        for number in faults.active {
            guard case .replay(let node, let share, let delay) = faults.faults[number].kind,
                node.index == listener, faults.strikes(number, perTenThousand: share)
            else { continue }
            queue.schedule(.replay(index: Int32(faults.replays.count)), at: now + delay)
            faults.replays.append((listener, bytes, number))
        }
    }

    mutating func replay(_ index: Int) {
        let (node, bytes, fault) = faults.replays[index]
        faults.note(fault, frames: 1, bytes: bytes.count, node: node, at: now)
        faults.replaysDone += 1
        if faults.replaysDone == faults.replays.count {
            faults.replays.removeAll(keepingCapacity: true)
            faults.replaysDone = 0
        }
        beginReplay(bytes, near: node)
    }
}
