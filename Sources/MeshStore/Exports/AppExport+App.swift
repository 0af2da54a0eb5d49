import FoundationEssentials
import MeshFiles
import MeshPacket
import MeshWire

/// The export of an app, and what meshcore-cli lists.
extension AppExport {
    mutating func takeApp(_ fields: JSONFields) {
        noteUnknown(fields, Self.members)
        if fields.member("private_key") != nil {
            leftOut.note(
                "with a private key", isFault: false, line: fields.line,
                detail: "an import gives a radio no other identity")
        }
        takeEntry("export", fields) { export, fields throws(FileProblem) in
            if let text = try fields.string("public_key") {
                guard let key = FixedBytes<32>(hex: text) else {
                    throw fields.problem("public_key", "is not 32 bytes of hex")
                }
                export.publicKey = key
            }
            if let text = try fields.string("name") {
                guard let name = Self.name(text) else { throw fields.problem("name", "is no name of a node") }
                export.settings.name = name
            }
        }
        takeSection("radio_settings", of: fields) { export, fields throws(FileProblem) in try export.takeRadio(fields) }
        takeSection("position_settings", of: fields) { export, fields throws(FileProblem) in
            export.settings.place = try Self.place(fields, "latitude", "longitude")
        }
        takeSection("other_settings", of: fields) { export, fields throws(FileProblem) in try export.takeOther(fields) }
        takeList("channel", of: fields) { export, fields throws(FileProblem) in
            try export.takeChannel(fields, name: "name", secret: "secret")
        }
        takeList("contact", of: fields) { export, fields throws(FileProblem) in try export.takeContact(fields) }
    }

    private mutating func takeSection(
        _ key: String, of fields: JSONFields, _ body: (inout AppExport, JSONFields) throws(FileProblem) -> Void
    ) {
        guard fields.member(key) != nil else { return }
        do throws(FileProblem) {
            guard let section = try fields.object(key) else { return }
            try body(&self, section)
        } catch {
            refuse(error)
        }
    }

    private mutating func takeList(
        _ kind: String, of fields: JSONFields, _ body: (inout AppExport, JSONFields) throws(FileProblem) -> Void
    ) {
        do throws(FileProblem) {
            for (number, value) in (try fields.list(kind + "s") ?? []).enumerated() {
                takeEntry(kind, try JSONFields(value, at: "\(kind)s[\(number)]"), body)
            }
        } catch {
            refuse(error)
        }
    }

    /// Tells people of members that no reader knows; names come from outside, so the first stands for all.
    private mutating func noteUnknown(_ fields: JSONFields, _ known: [String]) {
        for key in fields.keys where !known.contains(key) && fields.member(key) != nil {
            leftOut.note(
                "with a member that is not known", isFault: false, line: fields.line,
                detail: fields.path(ByteText(key).prefix(40).string))
        }
    }

    // MARK: Settings

    private mutating func takeRadio(_ fields: JSONFields) throws(FileProblem) {
        let known = ["frequency", "bandwidth", "spreading_factor", "coding_rate"]
        noteUnknown(fields, known + ["tx_power"])
        settings.txPower = try fields.integer("tx_power", in: Int8.min...Int8.max)
        guard known.contains(where: { fields.member($0) != nil }) else { return }
        if let missing = known.first(where: { fields.member($0) == nil }) { throw fields.missing(missing) }
        let ranges = RadioRanges.firmware(maxPower: 0)
        settings.radio = RadioParameters(
            frequencyKHz: try fields.integer("frequency", in: ranges.frequencyKHz) ?? 0,
            bandwidthHz: try fields.integer("bandwidth", in: RadioRanges.bandwidthHz) ?? 0,
            spreadingFactor: try fields.integer("spreading_factor", in: ranges.spreadingFactor) ?? 0,
            codingRate: try fields.integer("coding_rate", in: ranges.codingRate) ?? 0)
    }

    private mutating func takeOther(_ fields: JSONFields) throws(FileProblem) {
        let modes = UInt8(0)...2
        noteUnknown(
            fields,
            [
                "manual_add_contacts", "advert_location_policy", "telemetry_mode_base", "telemetry_mode_location",
                "telemetry_mode_environment", "multi_acks",
            ])
        settings.manualAdd = try fields.integer("manual_add_contacts", in: UInt8(0)...1).map { $0 != 0 }
        settings.sharesLocation = try fields.integer("advert_location_policy", in: UInt8(0)...255).map { $0 != 0 }
        settings.telemetryBase = try fields.integer("telemetry_mode_base", in: modes)
        settings.telemetryLocation = try fields.integer("telemetry_mode_location", in: modes)
        settings.telemetryEnvironment = try fields.integer("telemetry_mode_environment", in: modes)
        settings.multiAcks = try fields.integer("multi_acks", in: UInt8(0)...255)
    }

    // MARK: Entries

    mutating func takeChannel(_ fields: JSONFields, name: String, secret: String) throws(FileProblem) {
        noteUnknown(fields, [name, secret, "region_scope", "channel_idx", "channel_hash"])
        let text = try fields.string(name) ?? ""
        // A slot of a radio that holds no channel.
        guard !text.isEmpty else {
            return leftOut.note("for a channel without a name", isFault: false, line: fields.line)
        }
        guard let label = Self.name(text) else { throw fields.problem(name, "is no name of a channel") }
        // The error has no digit of it.
        guard let key = FixedBytes<16>(hex: try fields.needString(secret)), key != FixedBytes() else {
            throw fields.problem(secret, "is not 16 bytes of hex")
        }
        let region = try fields.string("region_scope").flatMap(ChannelLink.region)
        add(Channel(name: label, secret: Data(key.array), region: region), line: fields.line)
    }

    private mutating func takeContact(_ fields: JSONFields) throws(FileProblem) {
        noteUnknown(
            fields,
            [
                "type", "name", "custom_name", "public_key", "flags", "latitude", "longitude", "last_advert",
                "last_modified", "out_path", "path_hash_mode", "out_path_list",
            ])
        var contact = try Self.contact(fields, name: "name")
        contact.place = try Self.place(fields, "latitude", "longitude")
        contact.nickname = Self.name(try fields.string("custom_name"))
        contact.path = try Self.path(fields, mode: try fields.integer("path_hash_mode", in: 0...2) ?? 0)
        if fields.member("out_path_list") != nil {
            leftOut.note("with a list of paths", isFault: false, line: fields.line)
        }
        add(contact, line: fields.line)
    }

    /// A contact as meshcore-cli lists it.
    mutating func takeListed(_ fields: JSONFields) throws(FileProblem) {
        var contact = try Self.contact(fields, name: "adv_name")
        contact.place = try Self.place(fields, "adv_lat", "adv_lon")
        let hops = try fields.number("out_path_len", in: -1...63) ?? -1
        let mode = try fields.number("out_path_hash_mode", in: -1...2) ?? 0
        if hops >= 0 { contact.path = try Self.path(fields, mode: Int(nearest: max(0, mode))) }
        add(contact, line: fields.line)
    }

    private static func contact(_ fields: JSONFields, name key: String) throws(FileProblem) -> Contact {
        guard let publicKey = FixedBytes<32>(hex: try fields.needString("public_key")) else {
            throw fields.problem("public_key", "is not 32 bytes of hex")
        }
        guard let name = Self.name(try fields.needString(key)) else {
            throw fields.problem(key, "is no name of a node")
        }
        guard let type = try fields.integer("type", in: UInt8(1)...4) else { throw fields.missing("type") }
        var contact = Contact(publicKey: publicKey, name: name, type: type)
        contact.flags = try fields.integer("flags", in: UInt8(0)...255) ?? 0
        return contact
    }

    /// A path of hashes; no text for none, and an empty one for a neighbour.
    private static func path(_ fields: JSONFields, mode: Int) throws(FileProblem) -> Path {
        guard let text = try fields.string("out_path") else { return Path() }
        guard let hashes = [UInt8](hex: text) else { throw fields.problem("out_path", "is no hex") }
        let length = PathLength(hashSize: mode + 1, hops: hashes.count / (mode + 1))
        guard hashes.count / (mode + 1) < 64, length.byteCount == hashes.count, length.isValid else {
            throw fields.problem("out_path", "has \(hashes.count) bytes, which are no hashes of \(mode + 1)")
        }
        return Path(length: length, hashes: hashes)
    }

    /// A place, whose numbers apps write as texts; `nil` for none, and for 0, 0. Coordinates that are no place throw.
    private static func place(_ fields: JSONFields, _ latitude: String, _ longitude: String) throws(FileProblem)
        -> GeoPoint?
    {
        guard let north = try degrees(fields, latitude), let east = try degrees(fields, longitude) else { return nil }
        let point = GeoPoint(latitude: north, longitude: east)
        guard point.isValid else { throw fields.problem(latitude, "is with \(longitude) no place on the earth") }
        return north == 0 && east == 0 ? nil : point
    }

    private static func degrees(_ fields: JSONFields, _ key: String) throws(FileProblem) -> Double? {
        switch fields.member(key)?.content {
        case nil: return nil
        case .number(let number): return number
        case .string(let text):
            guard let number = Double(text), number.isFinite else { throw fields.problem(key, "is no number") }
            return number
        default: throw fields.problem(key, "must be a number, or a text that is one")
        }
    }
}
