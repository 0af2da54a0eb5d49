import MeshCompanion
import MeshWire

/// The parts of a command that carry its intent, apart from those that are only a time, a tag or private.
///
/// Two commands mean the same when they have the same code and the same fields that matter. Times, attempts and tags
/// that a client draws never matter; what was replaced before a recording was published matters only where it was not.
struct CommandMeaning: Sendable {
    let scrubbed: Set<RecordingHeader.Secret>

    /// The likeness of two commands of the same code.
    enum Likeness: Hashable, Sendable {
        case same
        /// They mean the same, and these fields differ all the same.
        case alike(differing: [String])
        /// The fields that make them two commands.
        case different([String])
    }

    /// Compares a command that was recorded with one that came; their codes are the same.
    func likeness(_ recorded: [UInt8], _ seen: [UInt8]) -> Likeness {
        if recorded == seen { return .same }
        guard let code = recorded.first.flatMap(CommandCode.init(rawValue:)) else { return .different(["data"]) }
        let (old, new) = (FieldPlaces(of: recorded, .toRadio), FieldPlaces(of: seen, .toRadio))
        var free: [String] = []
        var bound: [String] = []
        for (index, place) in old.places.enumerated() {
            let other = index < new.places.count && new.places[index].name == place.name ? new.places[index] : nil
            let one = recorded[place.offset..<place.offset + place.size]
            let two = other.map { seen[$0.offset..<$0.offset + $0.size] }
            if let two, one.elementsEqual(two) { continue }
            if isFree(code, place, one, two) { free.append(place.name) } else { bound.append(place.name) }
        }
        for place in new.places.dropFirst(old.places.count) {
            if isFree(code, place, nil, seen[place.offset..<place.offset + place.size]) {
                free.append(place.name)
            } else {
                bound.append(place.name)
            }
        }
        return bound.isEmpty ? .alike(differing: free) : .different(bound)
    }

    /// Returns whether a difference in this field leaves the meaning as it is. One side may lack the field.
    private func isFree(
        _ code: CommandCode, _ place: FieldPlaces.Place, _ recorded: ArraySlice<UInt8>?, _ seen: ArraySlice<UInt8>?
    ) -> Bool {
        if place.unit == .unixTime || place.name == "reserved" { return true }
        switch (code, place.name) {
        case (.appStart, _), (.sendTxtMsg, "attempt"), (.sendTracePath, "tag"), (.sendTracePath, "auth"): return true
        // From 3 on they are answered alike.
        case (.deviceQuery, _): return (recorded?.first ?? 0 >= 3) == (seen?.first ?? 0 >= 3)
        case (.sendControlData, "payload"): return Self.equal(recorded, seen, Self.discoveryDraws)
        case (.sendBinaryReq, "request"): return Self.equal(recorded, seen, Self.requestDraws)
        default: return Self.secrets(code, place.name).contains(where: scrubbed.contains)
        }
    }

    /// Returns the secrets without which a field is published.
    private static func secrets(_ code: CommandCode, _ field: String) -> [RecordingHeader.Secret] {
        switch (code, field) {
        // A command line may hold a password.
        case (.sendTxtMsg, "text"), (.runCliCommand, "line"): [.texts, .passwords]
        case (.sendChannelTxtMsg, "text"): [.texts]
        case (.sendLogin, "password"): [.passwords]
        case (.setChannel, "secret"), (.importPrivateKey, "private_key"), (.setFloodScopeKey, "key"),
            (.setDefaultFloodScope, "key"):
            [.keys]
        case (.setChannel, "name"), (.setAdvertName, "name"), (.addUpdateContact, "name"),
            (.setDefaultFloodScope, "name"):
            [.names]
        case (.setDevicePin, "pin"): [.pins]
        case (.setAdvertLatlon, _), (.addUpdateContact, "lat"), (.addUpdateContact, "lon"): [.positions]
        case (.importContact, "packet"): [.names, .positions, .keys]
        case (.sendRawPacket, "packet"), (.sendChannelData, "payload"), (.sendRawData, "payload"): [.texts]
        default: []
        }
    }

    // MARK: Draws inside of requests

    /// The places of a payload that a client draws or reads from its clock.
    private typealias Draws = @Sendable (ArraySlice<UInt8>) -> Range<Int>

    private static func equal(_ one: ArraySlice<UInt8>?, _ two: ArraySlice<UInt8>?, _ draws: Draws) -> Bool {
        guard let one, let two, one.count == two.count else { return false }
        let free = draws(one)
        return zip(one, two).enumerated().allSatisfy { free.contains($0.offset) || $0.element.0 == $0.element.1 }
    }

    /// A discovery: type, filter, tag, and since when.
    private static let discoveryDraws: Draws = { payload in
        payload.first.map { $0 & 0xF0 } == 0x80 ? 2..<payload.count : 0..<0
    }

    /// Requests for a status, for telemetry and for neighbours end in four bytes that make no two packets alike.
    private static let requestDraws: Draws = { request in
        switch request.first {
        case 0x01, 0x03, 0x06: request.count >= 9 ? request.count - 4..<request.count : 0..<0
        default: 0..<0
        }
    }
}
