import MeshFirmware
import MeshWire

/// The settings of a repeater in a world file.
enum RepeaterFields {
    static func read(_ fields: JSONFields, into setup: inout ServerSetup) throws(FileProblem) {
        try fields.allow([
            "forwards", "adverts_on_boot", "advert_minutes", "flood_advert_hours", "flood_max", "flood_max_unscoped",
            "flood_max_advert", "flood_delay_factor", "direct_delay_factor", "receive_delay_base", "airtime_factor",
            "extra_acks", "path_hash_size", "regions", "allows_unscoped", "loop_detection",
        ])
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
