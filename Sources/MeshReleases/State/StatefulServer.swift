import MeshCompanion
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshRoleCompliance
import MeshTime
import MeshWire

/// A repeater, room server or sensor of a release at its console, on virtual time.
final class StatefulServer: StatefulNode {
    private let node: ConsoleNode

    init(_ role: ServerRole, _ release: ComparedRelease, seed: Seed, on flash: Flash = Flash()) {
        node = ConsoleNode(role, running: release.running, fault: release.fault(of: role), seed: seed, on: flash)
    }

    var flash: Flash { node.flash }

    /// Clients are written five seconds after their change.
    func settle() throws { try node.wait(.seconds(30)) }

    /// A setting with a value for each round.
    struct Setting {
        let word: String
        let values: [String]

        init(_ word: String, _ first: String, _ second: String) {
            self.word = word
            values = [first, second]
        }
    }

    /// The settings that `set` and `get` know on the board, but for those that follow from others.
    static let settings: [Setting] = [
        Setting("name", "Hill", "Valley"), Setting("guest.password", "guests", "visitors"),
        Setting("owner.info", "Alice|of the hill", "Bob"), Setting("advert.interval", "90", "120"),
        Setting("flood.advert.interval", "20", "30"), Setting("lat", "47.123456", "48.5"),
        Setting("lon", "-8.654321", "9.5"), Setting("radio", "868.123,125,9,6", "869.5,250,10,7"),
        Setting("cad", "on", "off"), Setting("int.thresh", "14", "15"), Setting("radio.rxgain", "off", "on"),
        Setting("tx", "17", "18"), Setting("af", "2.3456", "3.4567"), Setting("rxdelay", "1.25", "2.5"),
        Setting("txdelay", "0.7", "0.9"), Setting("direct.txdelay", "0.35", "0.45"),
        Setting("agc.reset.interval", "8", "16"), Setting("path.hash.mode", "1", "2"),
        Setting("multi.acks", "1", "0"), Setting("repeat", "off", "on"), Setting("flood.max", "20", "30"),
        Setting("flood.max.unscoped", "10", "12"), Setting("flood.max.advert", "6", "9"),
        Setting("loop.detect", "moderate", "strict"), Setting("allow.read.only", "on", "off"),
        Setting("adc.multiplier", "4.25", "4.5"),
    ]

    /// As many clients as no version but the largest table holds.
    private static let clients = 24

    func fill(_ round: Int) throws {
        for setting in Self.settings { try node.type("set \(setting.word) \(setting.values[round & 1])") }
        try node.type("password secret\(round)")
        try node.type(round == 0 ? "powersaving on" : "powersaving off")
        let names = round == 0 ? ["west", "east"] : ["north"]
        for name in names {
            try node.type("region put \(name)")
            try node.type("region allowf \(name)")
        }
        try node.type(round == 0 ? "region denyf east" : "region allowf east")
        try node.type("region home \(names[0])")
        try node.type("region default \(names[0])")
        try node.type("region save")
        for number in 0..<Self.clients {
            let key = Peer(number: number).identity.publicKey.hex
            try node.type("setperm \(key) \(number.isMultiple(of: 3) == (round == 0) ? 3 : 2)")
        }
        // It counts from the next start on.
        let key = Peer(number: 100 + round).identity.privateKey
        try node.type("set prv.key \(key.array.hex)")
    }

    func read() throws -> [StoredValue] {
        var values: [StoredValue] = []
        func add(_ group: String, _ name: String, _ value: String?) {
            if let value { values.append(StoredValue(group: group, name: name, value: value)) }
        }
        add("identity", "public key", try value(of: "get public.key"))
        for setting in Self.settings { add("preferences", setting.word, try value(of: "get \(setting.word)")) }
        add("preferences", "powersaving", try node.type("powersaving").first)
        add("preferences", "password", node.password.string)
        for name in ["west", "east", "north"] { add("regions", name, try region("region get \(name)")) }
        add("regions", "home", try region("region home"))
        add("regions", "default", try region("region default"))
        for line in try node.type("get acl") {
            let words = line.split(separator: " ")
            guard words.count == 2, words[1].count == 64 else { continue }
            add("access list", "client \(words[1].prefix(8))", String(words[0]))
        }
        return values
    }

    /// The value behind `> `; `nil` where the node does not know the setting.
    private func value(of line: String) throws -> String? {
        guard let answer = try node.type(line).first, answer.hasPrefix("> ") else { return nil }
        return String(answer.dropFirst(2))
    }

    /// The answer of a region command; `nil` where there is no such region or command.
    private func region(_ line: String) throws -> String? {
        guard let answer = try node.type(line).first, answer.hasPrefix(" ") else { return nil }
        return answer.trimmed
    }
}
