import MeshBoards
import MeshTime
import MeshWire

// An air that is shared with others: another radio puts our packets on it, and tells what it hears.
extension Probe {
    // MARK: Signals

    /// Returns the pattern of a reported SNR: this value where the target sets the signal, any where a radio measures
    /// it.
    func snr(_ decibels: Double = 6.25) -> Pattern {
        target.abilities.contains(.air) ? "\(Int8(wholePart: decibels * 4))" : "?1"
    }

    /// SNR and RSSI as the radio reports them, in the same way.
    func signal(_ snr: Double = 6.25, _ rssi: Double = -90) -> Pattern {
        target.abilities.contains(.air) ? "\(Int8(wholePart: snr * 4)) \(Int8(wholePart: rssi))" : "?2"
    }

    // MARK: Packets

    /// Has the peer send a packet until the radio has logged it: packets get lost.
    ///
    /// A packet that is not logged, as nobody is connected or as it is too long, is sent once and given its time.
    func hear(_ frame: [UInt8], from target: PeeredTarget) throws {
        let frame = Self.neighbourly(frame)
        keeper?.note(packet: AirPacket(frame))
        beginStep("air<", frame)
        let isLogged = isLinked && frame.count <= 173
        let reach = target.reach(of: frame.count)
        for _ in 0..<3 {
            try target.hear(frame, snr: 0, rssi: 0)
            guard isLogged else { return try target.wait(reach) }
            if try listen(for: reach, until: { $0.first == 0x88 && $0.dropFirst(3).elementsEqual(frame) }) { return }
        }
    }

    /// A card of a node that is not there goes to neighbours alone: a mesh would carry it to everybody.
    private static func neighbourly(_ frame: [UInt8]) -> [UInt8] {
        guard let packet = AirPacket(frame), packet.kind == .advert, packet.route == .flood, packet.path.isEmpty else {
            return frame
        }
        return packet.by(.direct).bytes
    }

    /// The next packet of the radio; what both radios hear comes from somebody else.
    ///
    /// A packet that is expected gets the time that the air takes besides; a silence shrinks with a clock that runs
    /// fast.
    func nextTransmission(within span: TimeSpan, isExpected: Bool = true) throws -> [UInt8]? {
        guard let shared = target as? PeeredTarget else { return try target.transmission(within: span) }
        let span = isExpected ? span + shared.reach(of: 255) : shared.scaled(span)
        let end = ContinuousClock.now + .microseconds(span.microseconds)
        while true {
            let left = TimeSpan(end - ContinuousClock.now)
            guard left > .zero, let frame = try shared.transmission(within: left) else { return nil }
            if isLinked { try listen(for: .milliseconds(20)) }
            if !logged.contains(frame) { return frame }
        }
    }

    /// The first packet of this type that travels this way, whatever comes before it.
    func laterPacket(_ type: AirPacket.Kind, _ route: AirPacket.Route, within span: TimeSpan) throws -> AirPacket? {
        for _ in 0..<20 {
            guard let frame = try nextTransmission(within: span) else { return nil }
            note("air>", frame)
            guard let packet = AirPacket(frame), packet.kind == type, packet.route == route else { continue }
            return packet
        }
        return nil
    }

    /// Has the other radio do or see something; what it does not see is this radio's failure.
    func atPeer<R>(_ body: (Probe) throws -> R) throws -> R {
        guard let shared = target as? PeeredTarget else { throw TargetError.unsupported("ask another radio") }
        keeper?.note(packet: nil)
        do {
            return try body(shared.peer.probe)
        } catch var failure as Failure {
            failure.expected += " at \(shared.peer.title)"
            throw failure
        } catch let error as TargetError {
            throw shared.peer.lost(error)
        }
    }

    // MARK: Pushes and messages of others

    /// Tells whether an unexpected push can only come from the actions of the statement.
    ///
    /// Adverts and messages come from others all the time, so they count when they name a node of the suite.
    func isCausedByUs(_ push: [UInt8]) -> Bool {
        guard sharesAir, let code = push.first, code >= 0x80 else { return false }
        switch code {
        case 0x80, 0x8A: return keeper?.hasMet(push.dropFirst().prefix(32)) ?? false
        case 0x83, 0x84, 0x88, 0x8E: return false
        default: return true
        }
    }

    /// A message of another sender that was fetched in the place of ours: the next one is asked for.
    func passesOverMessage(_ frame: [UInt8]) throws -> Bool {
        guard sharesAir, lastCommand == [0x0A], isForeignMessage(frame) else { return false }
        (target as? PeeredTarget)?.fetched.append(frame)
        try sendUnwatched([0x0A])
        return true
    }

    func isForeignMessage(_ frame: [UInt8]) -> Bool {
        switch frame[0] {
        case 0x07: return !isOfCast(frame.dropFirst(1))
        case 0x10: return !isOfCast(frame.dropFirst(4))
        // Statements use the slots from 1 to 3.
        case 0x08: return !(1...3).contains(frame.dropFirst(1).first ?? 0)
        case 0x11, 0x1B: return !(1...3).contains(frame.dropFirst(4).first ?? 0)
        default: return false
        }
    }

    /// Tells whether a key that begins like this is a node of the suite or the other radio.
    private func isOfCast(_ key: ArraySlice<UInt8>) -> Bool {
        let cast = [Peer.bob, .room, .rep, .rep2, .carol].map(\.prefix)
        let peer = (target as? PeeredTarget).map { [UInt8]($0.peer.key.prefix(6)) } ?? []
        return (cast + [peer]).contains { key.starts(with: $0) }
    }
}
