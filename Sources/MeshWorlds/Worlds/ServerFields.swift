import MeshCrypto
package import MeshFiles
import MeshFirmware
import MeshSimulator
import MeshWire

/// The settings of repeaters, room servers and sensors in a world file.
///
/// Every word that `set` accepts on a node's console has a member, with `_` for each dot; the rest has words of this
/// file.
enum ServerFields {
    /// The members that hold them: the names of the roles.
    static let names = ServerRole.allCases.map(\.commandName)

    private static let ownWords = [
        "forwards", "adverts_on_boot", "advert_minutes", "flood_advert_hours", "flood_max", "flood_max_unscoped",
        "flood_max_advert", "flood_delay_factor", "direct_delay_factor", "receive_delay_base", "airtime_factor",
        "extra_acks", "path_hash_size", "regions", "allows_unscoped", "loop_detection", "password",
    ]

    /// The words of `set` without a word of the file's own; name and radio of a node stand elsewhere in the file.
    private static func keywords(_ role: ServerRole) -> [String] {
        let elsewhere = ["name", "freq", "radio", "prv.key"]
        return ServerPreferences.rows.filter { $0.isSettable && $0.roles.contains(role) }.compactMap(\.keyword)
            .filter { !elsewhere.contains($0) && !ownWords.contains(member($0)) }
    }

    private static func member(_ keyword: String) -> String {
        String(keyword.map { $0 == "." ? "_" : $0 })
    }

    static func read(_ fields: JSONFields, board: BoardProfile, into setup: inout ServerSetup) throws(FileProblem) {
        let keywords = keywords(setup.role)
        try fields.allow(ownWords + keywords.map(member))
        for keyword in keywords { try set(keyword, fields, board, &setup) }
        try readWords(fields, into: &setup)
    }

    /// Types `set` with the member's value, as a person at the console would.
    private static func set(
        _ keyword: String, _ fields: JSONFields, _ board: BoardProfile, _ setup: inout ServerSetup
    ) throws(FileProblem) {
        guard let value = fields.member(member(keyword)) else { return }
        let text: String
        switch value.content {
        case .bool(let isOn): text = isOn ? "on" : "off"
        case .number(let number): text = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let string): text = string
        default: throw fields.problem(member(keyword), "must be a text, a number, true or false")
        }
        let context = PreferenceContext(
            role: setup.role, board: board, identity: LocalIdentity(seed: Seed32()), isSerial: true)
        let interval = setup.preferences.advertInterval
        let (reply, effects) = setup.preferences.set("\(keyword) \(text)".utf8, context)
        guard effects.contains(.save), !reply.starts(with: "Error".utf8) else {
            throw fields.problem(
                member(keyword), "is refused by the firmware: \(String(decoding: reply, as: UTF8.self))")
        }
        // Saving on a node ends the adverts of a fresh one; nothing is saved here.
        if keyword != "advert.interval" { setup.preferences.advertInterval = interval }
    }

    private static func readWords(_ fields: JSONFields, into setup: inout ServerSetup) throws(FileProblem) {
        if let text = try fields.string("password") {
            guard (1...15).contains(text.utf8.count) else {
                throw fields.problem("password", "must have 1 to 15 bytes, as the firmware keeps them")
            }
            setup.preferences.password = ByteText(text)
        }
        if let value = try fields.bool("forwards") { setup.preferences.isForwardingDisabled = !value }
        if let value = try fields.bool("allows_unscoped") { setup.regions.allowsUnscopedFloods = value }
        if let name = try fields.string("loop_detection") {
            guard let level = LoopDetection.allCases.first(where: { "\($0)" == name }) else {
                throw fields.problem("loop_detection", "must be off, minimal, moderate or strict")
            }
            setup.preferences.loopDetection = level
        }
        for (index, value) in (try fields.list("regions") ?? []).enumerated() {
            let path = "\(fields.path("regions"))[\(index)]"
            guard case .string(let name) = value.content, (1...30).contains(name.utf8.count) else {
                throw FileProblem(line: value.line, field: path, reason: "must be a name of 1 to 30 bytes")
            }
            guard setup.regions.put(ByteText(name)) else {
                throw FileProblem(line: value.line, field: path, reason: "is no name of a region, or one too many")
            }
        }
        if let value = try fields.bool("adverts_on_boot") { setup.advertsOnBoot = value }
        if let minutes = try fields.integer("advert_minutes", in: UInt16(0)...240) {
            guard minutes % 2 == 0 else {
                throw fields.problem("advert_minutes", "must be even, as radios count in twos")
            }
            setup.preferences.advertInterval = UInt8(minutes / 2)
        }
        if let value = try fields.integer("flood_advert_hours", in: UInt8(0)...168) {
            setup.preferences.floodAdvertInterval = value
        }
        if let value = try fields.integer("flood_max", in: UInt8(0)...64) { setup.preferences.floodMax = value }
        if let value = try fields.integer("flood_max_unscoped", in: UInt8(0)...64) {
            setup.preferences.floodMaxUnscoped = value
        }
        if let value = try fields.integer("flood_max_advert", in: UInt8(0)...64) {
            setup.preferences.floodMaxAdvert = value
        }
        if let value = try fields.number("flood_delay_factor", in: 0...2) {
            setup.preferences.floodDelayFactor = Float(value)
        }
        if let value = try fields.number("direct_delay_factor", in: 0...2) {
            setup.preferences.directDelayFactor = Float(value)
        }
        if let value = try fields.number("receive_delay_base", in: 0...20) {
            setup.preferences.receiveDelayBase = Float(value)
        }
        if let value = try fields.number("airtime_factor", in: 0...9) { setup.preferences.airtimeFactor = Float(value) }
        if let value = try fields.integer("extra_acks", in: UInt8(0)...1) { setup.preferences.extraAcks = value }
        if let value = try fields.integer("path_hash_size", in: UInt8(1)...3) {
            setup.preferences.pathHashMode = value - 1
        }
    }
}

extension WorldPlan.Equipment {
    /// Changes an infrastructure node's settings as the member of a world file with the name of its role does.
    package mutating func read(_ fields: JSONFields) throws(FileProblem) {
        try ServerFields.read(fields, board: board, into: &setup)
    }
}
