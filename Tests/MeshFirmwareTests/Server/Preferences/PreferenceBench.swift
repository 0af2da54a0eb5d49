import MeshCrypto
import MeshWire

@testable import MeshFirmware

/// The settings of a fresh node with a command line in front of them.
struct PreferenceBench {
    var preferences: ServerPreferences
    var context: PreferenceContext
    /// The effects of the last `set`.
    private(set) var effects: [PreferenceEffect] = []

    init(_ role: ServerRole, board: BoardProfile = .hostBoard, isSerial: Bool = true) {
        preferences = ServerPreferences(role: role, board: board)
        context = PreferenceContext(
            role: role, board: board, identity: InfrastructureVectors.server, isSerial: isSerial)
    }

    /// The answer to a `get` or `set`.
    mutating func type(_ line: String) -> String { String(decoding: type([UInt8](line.utf8)), as: UTF8.self) }

    mutating func type(_ line: [UInt8]) -> [UInt8] {
        let rest = line.dropFirst(4)
        if line.starts(with: "get ".utf8) { return preferences.get(rest, context) }
        let answer = preferences.set(rest, context)
        effects = answer.effects
        return answer.reply
    }

    mutating func get(_ keyword: String) -> String { type("get \(keyword)") }
    mutating func set(_ keyword: String, _ value: String) -> String { type("set \(keyword) \(value)") }
}
