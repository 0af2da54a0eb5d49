import MeshCrypto
import MeshWire

/// One line of a recorded conversation.
enum ScriptStep: Hashable, Sendable {
    case command([UInt8])
    case frame([UInt8], ignoring: ClosedRange<Int>?)
    /// A frame of one number, which may differ by so much.
    case number([UInt8], within: UInt32)
    case heard([UInt8], snr: Double, rssi: Double)
    case sent(ExpectedTransmission)
    case wait(milliseconds: Int)
    case link(isUp: Bool)
    case power
    case note(String)
    /// Not a step: a mistake in the script.
    case unreadable(String)

    init(_ line: String) {
        self = Self.read(line) ?? .unreadable(line)
    }

    private static func read(_ line: String) -> ScriptStep? {
        if line.hasPrefix("# ") { return .note(String(line.dropFirst(2))) }
        let words = line.split(separator: " ").map(String.init)
        let hex = words.last.flatMap { [UInt8](hex: $0) }
        switch (words.first, words.count) {
        case ("app>", 2): return hex.map { .command($0) }
        case ("<app", 2): return hex.map { .frame($0, ignoring: nil) }
        case ("<app", 4):
            if words[1] == "within" {
                guard let hex, hex.count == 5, let bound = UInt32(words[2]) else { return nil }
                return .number(hex, within: bound)
            }
            let bounds = words[2].split(separator: "-").compactMap { Int($0) }
            guard words[1] == "ignoring", bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
            return hex.map { .frame($0, ignoring: bounds[0]...bounds[1]) }
        case ("air<", 4):
            guard let hex, let snr = Double(words[1]), let rssi = Double(words[2]) else { return nil }
            return .heard(hex, snr: snr, rssi: rssi)
        case ("air>", 2): return hex.map { .sent(ExpectedTransmission(frame: $0)) }
        case ("air>", 4):
            let offsets = words[2].split(separator: ",").compactMap { Int($0) }
            guard let hex else { return nil }
            return words[1] == "sealed"
                ? .sent(ExpectedTransmission(frame: hex, randomPlaintext: offsets))
                : .sent(ExpectedTransmission(frame: hex, randomPayload: offsets))
        case ("wait", 2): return Int(words[1]).map { .wait(milliseconds: $0) }
        case ("link", 2): return .link(isUp: words[1] == "up")
        case ("power", 1): return .power
        default: return nil
        }
    }
}

extension Conversation {
    var steps: [ScriptStep] {
        var lines: [String] = []
        for line in script.split(separator: "\n") {
            if line.hasPrefix(" "), let last = lines.popLast() {
                lines.append(last + line.drop { $0 == " " })
            } else {
                lines.append(String(line))
            }
        }
        return lines.map { ScriptStep($0) }
    }

    /// The radio of the recordings; a throw-away key.
    static let radioIdentity = LocalIdentity(
        privateKey: ExpandedPrivateKey(
            hex: """
                f81b0b1c7d9f35cfdd0df4e6c9c92c78d5090d2764f431d013f467432050dd4e\
                b75e7f01d2c75922ec585c0c5176110e5c30c8eec3857ea507e4aa03b546e403
                """) ?? ExpandedPrivateKey())

    /// Those whom the radio writes to in the recordings.
    static let peers: [PublicKey] = [
        "dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e",
        "ba00e9984db1a8f72c0630741a52a28dd1864280df9073ad9d247741f4f4e73c",
        "0b15678c4e5e5f83357f9ff1330bdfb28517f3f0fb81ed52e849da7eab9feec7",
        "43a72e714401762df66b68c26dfbdf2682aaec9f2474eca4613e424a0fbafd3c",
    ].compactMap { PublicKey(hex: $0) }
}
