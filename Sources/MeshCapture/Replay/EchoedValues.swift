import MeshCompanion
import MeshWire

/// Values that a client has chosen otherwise than the recorded one, and that the radio repeats.
///
/// A client may name its channel otherwise, draw another tag, or have the real position in place of a scrubbed one.
/// It gets its own values back wherever the recorded radio repeats the recorded ones. Values that a radio chose
/// itself stay as they are.
struct EchoedValues: Sendable {
    /// Older ones are forgotten.
    static let limit = 256

    private struct Echo: Sendable {
        /// The code of the radio's frame with the echo; `field` names the field.
        let code: UInt8
        let field: String
        /// The record that it is a part of: a field and its bytes.
        let record: (field: String, bytes: [UInt8])?
        let recorded: [UInt8]
        let seen: [UInt8]
    }

    private var echoes: [Echo] = []
    /// Tags of discoveries, which stand inside of a payload.
    private var discoveries = CarriedValues(limit: limit)
    /// The time by which the client's clock setting is later than the recorded one.
    private var clockLead = ClockLead.none

    /// True when anything was learned that a further command could change.
    var matters: Bool { !echoes.isEmpty || clockLead != .none }

    /// Learns from a command that means the recorded one and is not the same.
    mutating func learn(_ recorded: [UInt8], _ seen: [UInt8]) {
        guard let code = recorded.first.flatMap(CommandCode.init(rawValue:)) else { return }
        if code == .setDeviceTime { return learnClock(recorded, seen) }
        if code == .sendControlData, recorded.count >= 7, seen.count >= 7 {
            return discoveries.learn(recorded, seen, at: 3..<7)
        }
        let (old, new) = (FieldPlaces(of: recorded, .toRadio), FieldPlaces(of: seen, .toRadio))
        for place in old.places {
            guard let one = old.bytes(place.name, in: recorded), let two = new.bytes(place.name, in: seen) else {
                continue
            }
            for mouth in Self.mouths(code, place.name) { learn(mouth, old, recorded, [UInt8](one), [UInt8](two)) }
        }
    }

    private mutating func learn(
        _ mouth: Mouth, _ places: FieldPlaces, _ command: [UInt8], _ recorded: [UInt8], _ seen: [UInt8]
    ) {
        let record = mouth.record.flatMap { field in
            places.bytes(field, in: command).map { (field, [UInt8]($0)) }
        }
        echoes.removeAll {
            $0.code == mouth.code && $0.field == mouth.field && $0.record?.bytes == record?.1
                && $0.recorded == recorded
        }
        guard recorded != seen else { return }
        echoes = echoes.suffix(Self.limit - 1)
        echoes.append(Echo(code: mouth.code, field: mouth.field, record: record, recorded: recorded, seen: seen))
    }

    private mutating func learnClock(_ recorded: [UInt8], _ seen: [UInt8]) {
        guard let one = try? SetDeviceTime(decoding: recorded), let two = try? SetDeviceTime(decoding: seen) else {
            return
        }
        clockLead = ClockLead(recorded: one.epoch, seen: two.epoch)
    }

    /// Returns a recorded frame of the radio as it is sent to this client.
    func carried(into frame: [UInt8]) -> [UInt8] {
        guard let code = frame.first else { return frame }
        if code == ResponseCode.currTime.rawValue, clockLead != .none, var time = try? Resp.CurrTime(decoding: frame) {
            time.epoch = clockLead.carried(time.epoch)
            return time.encoded()
        }
        var frame = frame
        if code == PushCode.controlData.rawValue, !discoveries.isEmpty {
            if frame.count >= 10, frame[4] & 0xF0 == 0x90 { discoveries.carry(into: &frame, at: 6..<10) }
            return frame
        }
        let fitting = echoes.filter { $0.code == code }
        guard !fitting.isEmpty else { return frame }
        let places = FieldPlaces(of: frame, .toApp)
        // From the end on, so that a text of another length moves nothing that is still to be looked at.
        for place in places.places.reversed() {
            let value = frame[place.offset..<place.offset + place.size]
            guard
                let echo = fitting.last(where: { echo in
                    echo.field == place.name && echo.recorded.elementsEqual(value)
                        && echo.record.map { places.bytes($0.field, in: frame)?.elementsEqual($0.bytes) == true }
                            ?? true
                })
            else { continue }
            frame.replaceSubrange(place.offset..<place.offset + place.size, with: echo.seen)
        }
        return frame.count <= CompanionLimits.frame ? frame : [UInt8](frame.prefix(CompanionLimits.frame))
    }

    // MARK: Where the radio repeats what

    private struct Mouth {
        let code: UInt8
        let field: String
        var record: String?

        init(_ code: ResponseCode, _ field: String, of record: String? = nil) {
            (self.code, self.field, self.record) = (code.rawValue, field, record)
        }

        init(_ code: PushCode, _ field: String, of record: String? = nil) {
            (self.code, self.field, self.record) = (code.rawValue, field, record)
        }
    }

    private static func mouths(_ code: CommandCode, _ field: String) -> [Mouth] {
        switch (code, field) {
        case (.sendTracePath, "tag"): [Mouth(.sent, field), Mouth(.traceData, field)]
        case (.sendTracePath, "auth"): [Mouth(.traceData, field)]
        case (.setChannel, "name"), (.setChannel, "secret"): [Mouth(.channelInfo, field, of: "channel_idx")]
        case (.addUpdateContact, "name"), (.addUpdateContact, "lat"), (.addUpdateContact, "lon"),
            (.addUpdateContact, "last_advert"), (.addUpdateContact, "lastmod"):
            [Mouth(.contact, field, of: "public_key")]
        case (.setAdvertName, "name"): [Mouth(.selfInfo, field)]
        case (.setAdvertLatlon, "lat"), (.setAdvertLatlon, "lon"): [Mouth(.selfInfo, field)]
        case (.setDevicePin, "pin"): [Mouth(.deviceInfo, "ble_pin")]
        case (.setDefaultFloodScope, "name"), (.setDefaultFloodScope, "key"): [Mouth(.defaultFloodScope, field)]
        case (.importPrivateKey, "private_key"): [Mouth(.privateKey, field)]
        default: []
        }
    }
}
