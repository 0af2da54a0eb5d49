import MeshCompanion
import MeshWire

/// The choices of a radio in the recording, and those of this time.
struct RadioChoices: Sendable {
    /// Tags and times that are remembered; older ones are forgotten.
    static let limit = 4096
    /// A clock that is off by more is another clock.
    static let tolerance: Int64 = 60

    private var tags = CarriedValues(limit: limit)
    private var times = CarriedValues(limit: limit)
    private var ownKey: (recorded: [UInt8], seen: [UInt8])?
    private var clockLead = ClockLead.none

    /// Learns from the answer to a command.
    mutating func learn(_ recorded: [UInt8], _ seen: [UInt8], command: [UInt8]) {
        guard recorded.first == seen.first, let code = recorded.first.flatMap(ResponseCode.init(rawValue:)) else {
            return
        }
        switch code {
        // A trace's tag is the client's.
        case .sent: if command.first != CommandCode.sendTracePath.rawValue { tags.learn(recorded, seen, at: 2..<6) }
        case .endOfContacts: times.learn(recorded, seen, at: 1..<5)
        case .contact: times.learn(recorded, seen, at: 144..<148)
        case .selfInfo:
            guard recorded.count >= 36, seen.count >= 36 else { return }
            ownKey = ([UInt8](recorded[4..<36]), [UInt8](seen[4..<36]))
        case .currTime:
            guard let one = try? Resp.CurrTime(decoding: recorded), let two = try? Resp.CurrTime(decoding: seen) else {
                return
            }
            clockLead = ClockLead(recorded: one.epoch, seen: two.epoch, tolerance: Self.tolerance)
        default: break
        }
    }

    /// Returns whether the tag in this frame, already carried over, is one that the radio gave before.
    func knowsTag(in frame: [UInt8]) -> Bool {
        guard let range = Self.tagPlace(frame) else { return false }
        return tags.haveSeen(frame[range])
    }

    private static func tagPlace(_ frame: [UInt8]) -> Range<Int>? {
        switch frame.first.flatMap(PushCode.init(rawValue:)) {
        case .sendConfirmed where frame.count >= 5: 1..<5
        case .binaryResponse where frame.count >= 6: 2..<6
        default: nil
        }
    }

    /// Returns a recorded frame as this radio sends it.
    func applied(toFrame frame: [UInt8]) -> [UInt8] {
        var frame = frame
        if let range = Self.tagPlace(frame) { tags.carry(into: &frame, at: range) }
        // What the radio says of itself is compared as it is.
        if frame.first.flatMap(PushCode.init(rawValue:)) != nil { replaceKey(in: &frame, .toApp) }
        return frame
    }

    /// A recorded command as it is sent to this radio.
    func applied(toCommand command: [UInt8]) -> [UInt8] {
        var command = command
        guard let code = command.first.flatMap(CommandCode.init(rawValue:)) else { return command }
        switch code {
        case .getContacts: times.carry(into: &command, at: 1..<5)
        case .setDeviceTime:
            if clockLead != .none, var frame = try? SetDeviceTime(decoding: command) {
                frame.epoch = clockLead.carried(frame.epoch)
                command = frame.encoded()
            }
        default: break
        }
        replaceKey(in: &command, .toRadio)
        return command
    }

    private func replaceKey(in frame: inout [UInt8], _ direction: FrameDirection) {
        guard let ownKey, ownKey.recorded != ownKey.seen else { return }
        for place in FieldPlaces(of: frame, direction).places
        where place.name == "public_key" || place.name == "pubkey_prefix" {
            let range = place.offset..<place.offset + place.size
            guard ownKey.recorded.prefix(place.size).elementsEqual(frame[range]) else { continue }
            frame.replaceSubrange(range, with: ownKey.seen.prefix(place.size))
        }
    }
}
