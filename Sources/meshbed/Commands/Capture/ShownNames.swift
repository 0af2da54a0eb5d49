import MeshBluetoothHost
import MeshCompanion
import MeshPacket
import MeshWire

/// The names that lines of a recording can have, to find a misspelt one among those that do not occur.
struct ShownNames {
    /// The names that a user is shown.
    private let common: [String]
    /// Those of codes without a name of their own.
    private let others: [String]

    init(isHCI: Bool) {
        guard isHCI else {
            let frames =
                CommandCode.allCases.map(\.wireName) + ResponseCode.allCases.map(\.wireName)
                + PushCode.allCases.map(\.wireName)
            let packets =
                (0...15).map { PayloadType(rawValue: $0).name } + (0...3).compactMap { RouteType(rawValue: $0)?.name }
            common = frames + packets
            others = ["empty frame"] + (0...255).map { "unknown code 0x" + [UInt8($0)].hex }
            return
        }
        let commands = (0...UInt16.max).map(HCI.name(ofCommand:))
        let events = (0...UInt8.max).map { HCI.name(ofEvent: $0) }
        let lowEnergy = (0...UInt8.max).map { HCI.name(ofEvent: HCI.EventCode.lowEnergy, lowEnergy: $0) }
        let all = commands + events + lowEnergy
        common = all.filter { !$0.contains("0x") }
        others = all.filter { $0.contains("0x") }
    }

    /// Tells whether some line could have a name that contains this word, in capitals or not.
    func knows(_ word: String) -> Bool {
        let word = word.uppercased()
        return common.contains { $0.uppercased().contains(word) } || others.contains { $0.uppercased().contains(word) }
    }

    var listing: String { common.joined(separator: ", ") }
}
