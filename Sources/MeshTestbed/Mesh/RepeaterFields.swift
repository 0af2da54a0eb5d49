import MeshFirmware
import MeshWire

/// The settings of a repeater in a world file.
enum RepeaterFields {
    static func read(_ fields: JSONFields, into settings: inout RepeaterSettings) throws(FileProblem) {
        try fields.allow([
            "forwards", "adverts_on_boot", "advert_minutes", "flood_advert_hours", "flood_max", "flood_max_unscoped",
            "flood_max_advert", "flood_delay_factor", "direct_delay_factor", "receive_delay_base", "airtime_factor",
            "extra_acks", "path_hash_size", "regions", "allows_unscoped", "loop_detection",
        ])
        if let value = try fields.bool("forwards") { settings.isForwardingDisabled = !value }
        if let value = try fields.bool("allows_unscoped") { settings.allowsUnscopedFloods = value }
        if let name = try fields.string("loop_detection") {
            guard let level = LoopDetection.allCases.first(where: { "\($0)" == name }) else {
                throw fields.problem("loop_detection", "must be off, minimal, moderate or strict")
            }
            settings.loopDetection = level
        }
        for (index, value) in (try fields.list("regions") ?? []).enumerated() {
            guard case .string(let name) = value.content, (1...30).contains(name.utf8.count) else {
                let path = "\(fields.path("regions"))[\(index)]"
                throw FileProblem(line: value.line, field: path, reason: "must be a name of 1 to 30 bytes")
            }
            settings.regions.append(RepeaterRegion(name: ByteText(name)))
        }
        if let value = try fields.bool("adverts_on_boot") { settings.advertsOnBoot = value }
        if let minutes = try fields.integer("advert_minutes", in: UInt16(0)...240) {
            guard minutes % 2 == 0 else {
                throw fields.problem("advert_minutes", "must be even, as radios count in twos")
            }
            settings.advertInterval = UInt8(minutes / 2)
        }
        if let value = try fields.integer("flood_advert_hours", in: UInt8(0)...168) {
            settings.floodAdvertInterval = value
        }
        if let value = try fields.integer("flood_max", in: UInt8(0)...64) { settings.floodMax = value }
        if let value = try fields.integer("flood_max_unscoped", in: UInt8(0)...64) { settings.floodMaxUnscoped = value }
        if let value = try fields.integer("flood_max_advert", in: UInt8(0)...64) { settings.floodMaxAdvert = value }
        if let value = try fields.number("flood_delay_factor", in: 0...2) { settings.floodDelayFactor = Float(value) }
        if let value = try fields.number("direct_delay_factor", in: 0...2) { settings.directDelayFactor = Float(value) }
        if let value = try fields.number("receive_delay_base", in: 0...20) { settings.receiveDelayBase = Float(value) }
        if let value = try fields.number("airtime_factor", in: 0...9) { settings.airtimeFactor = Float(value) }
        if let value = try fields.integer("extra_acks", in: UInt8(0)...1) { settings.extraAcks = value }
        if let value = try fields.integer("path_hash_size", in: UInt8(1)...3) { settings.pathHashMode = value - 1 }
    }
}
