import MeshCrypto
import MeshPacket
import MeshWire

/// The files from which a repeater boots: its identity, and name and place from its preferences.
///
/// Source: infrastructure document §§3.3 and 3.4.
enum RepeaterFiles {
    /// Public key, then private key.
    static let identity = "/identity/_main.id"
    /// One line of keys and values; unknown keys are skipped, missing ones keep their default.
    static let preferences = "/prefs.json"

    static func identityBytes(_ identity: LocalIdentity) -> [UInt8] {
        identity.publicKey.array + identity.privateKey.array
    }

    /// The identity in a file of 96 bytes; `nil` for a shorter one.
    static func readIdentity(_ bytes: [UInt8]) -> LocalIdentity? {
        guard bytes.count >= 96 else { return nil }
        return LocalIdentity(privateKey: ExpandedPrivateKey(bytes[32..<96]))
    }

    static func preferencesBytes(_ settings: RepeaterSettings) -> [UInt8] {
        var line = [UInt8]("{name:\"".utf8)
        for byte in settings.name.bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): line += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): line += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            default: line.append(byte)
            }
        }
        line += [UInt8]("\",lat:\(degrees(settings.position.latitude))".utf8)
        line += [UInt8](",lon:\(degrees(settings.position.longitude))}".utf8)
        return line
    }

    /// Degrees with six decimals, and an exact zero as `0`.
    static func degrees(_ microdegrees: Int32) -> String {
        guard microdegrees != 0 else { return "0" }
        let fraction = String(microdegrees.magnitude % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.utf8.count)
        return "\(microdegrees < 0 ? "-" : "")\(microdegrees.magnitude / 1_000_000).\(zeros)\(fraction)"
    }

    /// Takes name and place over from a preferences file; what cannot be read ends the reading.
    static func readPreferences(_ bytes: [UInt8], into settings: inout RepeaterSettings) {
        var line = PreferenceLine(bytes: bytes)
        while let (key, value) = line.next() {
            switch key {
            case "name": settings.name = ByteText(bytes: value).prefix(31)
            case "lat": settings.position.latitude = microdegrees(value)
            case "lon": settings.position.longitude = microdegrees(value)
            default: break
            }
        }
    }

    private static func microdegrees(_ text: [UInt8]) -> Int32 {
        let degrees = Double(String(decoding: text, as: UTF8.self)) ?? 0
        return Int32(max(-180_000_000, min(180_000_000, Int64(nearestTo: degrees * 1_000_000))))
    }
}

/// Walks the keys and values on the outermost level of a preferences line.
struct PreferenceLine {
    private let bytes: [UInt8]
    private var at = 1
    /// Tokens are limited; longer ones end the reading.
    private static let longestToken = 127

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Where the next key is read, or where the reading has ended.
    var offset: Int { at }
    /// Whether the brace that closes the line was reached.
    var isAtEnd: Bool { at < bytes.count && bytes[at] == UInt8(ascii: "}") }

    /// The next key and its value, which is empty for a nested group; `nil` at the end or at what makes no sense.
    mutating func next() -> (key: String, value: [UInt8])? {
        if at < bytes.count, bytes[at] == UInt8(ascii: ",") { at += 1 }
        guard let key = token(until: UInt8(ascii: ":")), !key.isEmpty else { return nil }
        at += 1
        guard at < bytes.count else { return nil }
        let value: [UInt8]?
        switch bytes[at] {
        case UInt8(ascii: "\""): value = quoted()
        case UInt8(ascii: "{"): value = group()
        default: value = token(until: UInt8(ascii: ","))
        }
        guard let value else { return nil }
        return (String(decoding: key, as: UTF8.self), value)
    }

    private mutating func token(until end: UInt8) -> [UInt8]? {
        let start = at
        while at < bytes.count, bytes[at] != end, bytes[at] != UInt8(ascii: "}") {
            at += 1
            guard at - start <= Self.longestToken else { return nil }
        }
        return at < bytes.count ? Array(bytes[start..<at]) : nil
    }

    private mutating func quoted() -> [UInt8]? {
        var text: [UInt8] = []
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            var byte = bytes[at]
            if byte == UInt8(ascii: "\\"), at + 1 < bytes.count {
                at += 1
                byte = bytes[at] == UInt8(ascii: "n") ? 10 : bytes[at] == UInt8(ascii: "r") ? 13 : bytes[at]
            }
            text.append(byte)
            at += 1
            guard text.count <= Self.longestToken else { return nil }
        }
        guard at < bytes.count else { return nil }
        at += 1
        return text
    }

    /// Skips a nested group; none holds another one.
    private mutating func group() -> [UInt8]? {
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "}") {
            if bytes[at] == UInt8(ascii: "\"") {
                guard quoted() != nil else { return nil }
            } else {
                at += 1
            }
        }
        guard at < bytes.count else { return nil }
        at += 1
        return []
    }
}
