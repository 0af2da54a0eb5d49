import MeshFirmware
import MeshRadio
import MeshTime

/// Passes of the cores, and what their effects do.
extension World {
    /// The shortest duration of a pass: a node that always wants another one cannot make time stand still.
    static let shortestPass = TimeSpan.microseconds(1)

    /// Delivers to a node a frame that it has received.
    mutating func hear(_ frame: inout HeardFrame, _ signal: Signal, mangler: Int16, at index: Int) {
        guard let packet = frame.packet, mangler < 0, !states[index].place.isGuest else {
            return hearBytes(frame.place, signal, mangler: Int(mangler), at: index)
        }
        if let hash = frame.hashOfPlainFlood {
            let airtime = frame.estimatedMilliseconds(at: radios[index].tuning, tunings)
            let isCounted = states[index].deferredCounts.countFlood(
                hash, signal, airtimeMilliseconds: airtime, at: nodeTime(of: index))
            if isCounted { return }
        }
        pass(.heardPacket(packet, signal), to: index)
    }

    /// Delivers a frame that is no packet, or counts as none, and all frames for nodes from outside.
    @inline(never)
    private mutating func hearBytes(_ place: Int32, _ signal: Signal, mangler: Int, at index: Int) {
        let bytes = transmissions[place].bytes
        let heard = mangler >= 0 ? mangled(bytes, by: mangler) : bytes
        if mangler >= 0 { faults.note(mangler, frames: 1, bytes: bytes.count, node: index, at: now) }
        pass(.heard(heard, signal), to: index)
    }

    /// Lets a node read a frame whose checksum is wrong.
    mutating func hearSpoiltFrame(at index: Int) {
        if !states[index].deferredCounts.countError(at: nodeTime(of: index)) { pass(.receiveError, to: index) }
    }

    /// One pass of a node's main loop, and everything it asks for.
    mutating func pass(_ input: NodeInput, to index: Int) {
        let status = radioStatus(of: index)
        let wish = runCore(input, of: index, at: nodeTime(of: index), status)
        states[index].wish = Self.worldTime(wish, skew: states[index].clockSkew)
        schedule(index, at: states[index].wish)
        if !effects.isEmpty { performEffects(of: index) }
        if invariants.isOn { checkAccounts(of: index) }
    }

    private mutating func performEffects(of index: Int) {
        // One effect, mostly a transmission, is taken out where it is: a list would be copied and emptied.
        if effects.count == 1 {
            let effect = effects.removeLast()
            if radios[index].isUp { perform(effect, of: index) }
            return
        }
        var pending: [NodeEffect] = []
        swap(&pending, &effects)
        for effect in pending where radios[index].isUp { perform(effect, of: index) }
        pending.removeAll(keepingCapacity: true)
        swap(&pending, &effects)
    }

    /// Puts the node's wish in the queue unless an earlier wake of it is there, which will look again.
    private mutating func schedule(_ index: Int, at wish: Instant) {
        let time = max(wish, now + Self.shortestPass)
        guard time < states[index].pendingWake else { return }
        states[index].pendingWake = time
        queue.schedule(.wake(node: Int32(index)), at: time)
    }

    mutating func wake(_ index: Int) {
        guard radios[index].isUp, states[index].pendingWake == now else { return }
        states[index].pendingWake = .never
        if states[index].wish <= now { pass(.woke, to: index) } else { schedule(index, at: states[index].wish) }
    }

    mutating func perform(_ effect: NodeEffect, of index: Int) {
        switch effect {
        case .transmit(let frame): beginTransmission(frame, from: index)
        case .tune(let parameters): tune(index, to: parameters)
        case .setTxPower(let power):
            slots[index].gainHundredths = 100 * (Int32(power) - Int32(slots[index].board.txPower))
        case .appBytes(let bytes):
            bytes.withUnsafeBytes { digest.fold(.appBytes, at: now, node: Int32(index), $0) }
            record(index, .appBytes(bytes))
            output(index, .appBytes(bytes))
        case .appClosed:
            digest.fold(.appClosed, at: now, node: Int32(index))
            record(index, .appClosed)
            output(index, .appClosed)
        case .atInterface(let number, let effect): perform(effect, at: number, of: index)
        // A world hands bytes to whoever is there; its shells hang up on the older client as they accept the newer.
        case .appReplaced: break
        case .flash(let change): output(index, .flash(change))
        case .bridge(let bytes, let tuning): carry(bytes, tuning: tuning, from: index)
        case .powerOff:
            countTornWrite(at: index)
            powerOff(NodeID(index: index))
            noteSwitchedOff(index)
        case .reboot: reboot(index)
        case .trace(let event):
            record(index, .reported(event))
            if invariants.isOn { checkReport(event, of: index) }
        }
    }
}

extension World {
    /// Performs an effect on the client at a further interface.
    private mutating func perform(_ effect: NodeEffect, at interface: UInt8, of index: Int) {
        switch effect {
        case .appBytes(let bytes):
            bytes.withUnsafeBytes { digest.fold(.interfaceBytes, at: now, node: Int32(index), $0) }
            digest.fold(UInt64(interface))
            record(index, .interfaceBytes(interface, bytes))
            output(index, .appBytes(bytes), at: interface)
        case .appClosed:
            digest.fold(.interfaceClosed, at: now, node: Int32(index), detail: UInt32(interface))
            record(index, .interfaceClosed(interface))
            output(index, .appClosed, at: interface)
        // Nothing else is about one interface.
        default: break
        }
    }
}

/// A frame that leaves the air, as its listeners are to have it.
struct HeardFrame {
    /// The place of its transmission.
    let place: Int32
    /// Bytes.
    let length: Int
    /// The packet in the frame; `nil` for a frame that is no packet, and when it has not been received.
    var packet: SharedPacket? {
        didSet { hashOfPlainFlood = packet?.hashOfPlainFlood }
    }
    private(set) var hashOfPlainFlood: UInt64?
    /// The setting whose estimate was asked for last, and the estimate.
    private var tuning = UInt16.max
    private var milliseconds: UInt32 = 0

    init(place: Int32, length: Int) {
        self.place = place
        self.length = length
    }

    /// Returns the estimate of drivers with this setting for the length of the frame, in milliseconds.
    mutating func estimatedMilliseconds(at number: UInt16, _ tunings: [Tuning]) -> UInt32 {
        if tuning != number {
            tuning = number
            milliseconds = tunings[Int(number)].airtime.milliseconds(bytes: length)
        }
        return milliseconds
    }
}

/// A node's own clock, which may run faster or slower than the world's.
extension World {
    func nodeTime(of index: Int) -> Instant { Self.local(now, skew: states[index].clockSkew) }

    static func local(_ time: Instant, skew: Int32) -> Instant {
        skew == 0 ? time : time + TimeSpan(microseconds: time.microseconds / 1000 * Int64(skew) / 1000)
    }

    /// The first moment at which a node's clock shows `local` or more.
    static func worldTime(_ local: Instant, skew: Int32) -> Instant {
        guard skew != 0, local != .never else { return local }
        let million: Int64 = 1_000_000
        let product = local.microseconds.multipliedFullWidth(by: million)
        var time = Instant(microseconds: (million + Int64(skew)).dividingFullWidth(product).quotient)
        while Self.local(time, skew: skew) < local { time += .microseconds(1) }
        return time
    }
}
