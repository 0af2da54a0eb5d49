import MeshCompanion
import MeshWire

/// What a radio chose in the recording, and what it chose this time.
struct RadioChoices: Sendable {
    /// Tags and times that are remembered; older ones are forgotten.
    static let limit = 4096
    /// A clock that is off by more is another clock.
    static let tolerance: Int64 = 60

    private struct Choice: Sendable {
        let recorded: [UInt8]
        let seen: [UInt8]
    }

    private var tags: [Choice] = []
    private var times: [Choice] = []
    private var ownKey: Choice?
    /// How far the radio's clock is ahead of the recorded one, in seconds.
    private var clockLead: Int64 = 0

    /// Learns from the answer to a command.
    mutating func learn(_ recorded: [UInt8], _ seen: [UInt8], command: [UInt8]) {
        guard recorded.first == seen.first, let code = recorded.first.flatMap(ResponseCode.init(rawValue:)) else {
            return
        }
        switch code {
        // A trace's tag is the client's.
        case .sent: if command.first != CommandCode.sendTracePath.rawValue { remember(recorded, seen, 2..<6, &tags) }
        case .endOfContacts: remember(recorded, seen, 1..<5, &times)
        case .contact: remember(recorded, seen, 144..<148, &times)
        case .selfInfo: if recorded.count >= 36, seen.count >= 36 { ownKey = choice(recorded, seen, 4..<36) }
        case .currTime:
            guard let one = try? Resp.CurrTime(decoding: recorded), let two = try? Resp.CurrTime(decoding: seen) else {
                return
            }
            let lead = Int64(two.epoch) - Int64(one.epoch)
            clockLead = abs(lead) > Self.tolerance ? lead : 0
        default: break
        }
    }

    private func choice(_ recorded: [UInt8], _ seen: [UInt8], _ range: Range<Int>) -> Choice {
        Choice(recorded: [UInt8](recorded[range]), seen: [UInt8](seen[range]))
    }

    private func remember(_ recorded: [UInt8], _ seen: [UInt8], _ range: Range<Int>, _ list: inout [Choice]) {
        guard recorded.count >= range.upperBound, seen.count >= range.upperBound else { return }
        if list.count >= Self.limit { list.removeFirst(Self.limit / 2) }
        list.append(choice(recorded, seen, range))
    }

    /// Whether the tag in this frame, already carried over, is one that the radio gave before.
    func knowsTag(in frame: [UInt8]) -> Bool {
        guard let range = Self.tagPlace(frame) else { return false }
        return tags.contains { $0.seen.elementsEqual(frame[range]) }
    }

    private static func tagPlace(_ frame: [UInt8]) -> Range<Int>? {
        switch frame.first.flatMap(PushCode.init(rawValue:)) {
        case .sendConfirmed where frame.count >= 5: 1..<5
        case .binaryResponse where frame.count >= 6: 2..<6
        default: nil
        }
    }

    /// A recorded frame as this radio says it.
    func applied(toFrame frame: [UInt8]) -> [UInt8] {
        var frame = frame
        if let range = Self.tagPlace(frame), let tag = tags.last(where: { $0.recorded.elementsEqual(frame[range]) }) {
            frame.replaceSubrange(range, with: tag.seen)
        }
        // What the radio says of itself is compared as it is.
        if frame.first.flatMap(PushCode.init(rawValue:)) != nil { replaceKey(in: &frame, .toApp) }
        return frame
    }

    /// A recorded command as it is sent to this radio.
    func applied(toCommand command: [UInt8]) -> [UInt8] {
        var command = command
        guard let code = command.first.flatMap(CommandCode.init(rawValue:)) else { return command }
        switch code {
        case .getContacts:
            if command.count >= 5, let time = times.last(where: { $0.recorded.elementsEqual(command[1..<5]) }) {
                command.replaceSubrange(1..<5, with: time.seen)
            }
        case .setDeviceTime:
            if clockLead != 0, var frame = try? SetDeviceTime(decoding: command) {
                frame.epoch = UInt32(clamping: Int64(frame.epoch) + clockLead)
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
