/// The reason for which a field may have another value when the same thing is done a second time.
public enum FieldClass: String, Hashable, Sendable, CaseIterable {
    /// A clock's: Unix time, uptime, a duration.
    case time
    /// Random, or derived from random values: tags, nonces, codes of acknowledgements.
    case random
    /// Battery, signals, noise, counters of packets and airtime.
    case measurement
    /// Public and private keys, secrets, and what follows from them: prefixes, hashes in paths, signatures.
    case key
    /// Everything else: the same when the radio and its story are the same.
    case content
}

/// The kind of secret in a private field.
enum FieldSecret: Hashable, Sendable {
    case privateKey
    /// The secret of a channel or the key of a flood scope.
    case channelSecret
    case pin
    case password
    case latitude
    case longitude
    /// The texts of people; in commands to a repeater, also its passwords.
    case text
    /// Bytes that applications made.
    case data
    case name
    /// A LoRa packet, which may be an advert with name and position.
    case packet
    /// Records of telemetry, which may hold a position.
    case telemetry
    /// The answer to a request, of the request's kind.
    case answer
    /// Names and values, `name:value,name:value`, of which one may be a password.
    case variables
    /// A question to a node without a login before; a login, where it is none of the questions.
    case anonymousRequest
}

/// The known facts on a field of a companion frame besides its layout.
struct FieldMeaning: Hashable, Sendable {
    var fieldClass: FieldClass
    var secret: FieldSecret?
    /// The field holds a LoRa packet, whose parts have classes of their own.
    var isPacket: Bool { secret == .packet }

    init(_ fieldClass: FieldClass, hides secret: FieldSecret? = nil) {
        self.fieldClass = fieldClass
        self.secret = secret
    }

    /// The meaning of a field that a walk names; `nil` for one without a meaning.
    ///
    /// The one place where it is stated. A field of the same name means the same in all frames, unless the first
    /// switch has an exception. A test walks the whole protocol and asks for each field.
    init?(_ field: String, in frame: String) {
        guard let meaning = Self.exception(field, in: frame) ?? Self.rule(field) else { return nil }
        self = meaning
    }

    private static func exception(_ field: String, in frame: String) -> FieldMeaning? {
        switch (frame, field) {
        case ("CMD_SET_CUSTOM_VAR", "setting"): .init(.content, hides: .variables)
        case ("CMD_SEND_ANON_REQ", "data"): .init(.content, hides: .anonymousRequest)
        case ("CMD_IMPORT_PRIVATE_KEY", "private_key"): .init(.key, hides: .privateKey)
        case ("CMD_SET_FLOOD_SCOPE_KEY", "key"): .init(.key, hides: .channelSecret)
        case ("CMD_SEND_CONTROL_DATA", "payload"), ("PUSH_CODE_CONTROL_DATA", "payload"): .init(.random)
        case ("CMD_RUN_CLI_COMMAND", "line"): .init(.content, hides: .text)
        case ("CMD_SEND_BINARY_REQ", "request"): .init(.content)
        case ("PUSH_CODE_STATUS_RESPONSE", "data"): .init(.measurement)
        case ("PUSH_CODE_BINARY_RESPONSE", "data"): .init(.content, hides: .answer)
        case ("RESP_CODE_STATS", "data"): .init(.measurement)
        default: nil
        }
    }

    // A case for each name that a walk uses, so that a new one asks for its meaning.
    private static func rule(_ field: String) -> FieldMeaning? {
        switch field {
        case "epoch", "timestamp", "since", "last_advert", "lastmod", "most_recent_lastmod", "recv_time", "server_time",
            "uptime", "trip":
            .init(.time)
        case "tag", "auth", "ack": .init(.random)
        case "battery", "used", "snr", "rssi", "path_snr", "final_snr", "noise_floor", "last_rssi", "last_snr",
            "tx_air", "rx_air", "recv", "sent", "sent_flood", "sent_direct", "recv_flood", "recv_direct", "recv_errors",
            "queue_len":
            .init(.measurement)
        case "lpp": .init(.measurement, hides: .telemetry)
        case "public_key", "pubkey_prefix", "author_prefix", "signature", "path", "path_hashes", "out_path", "in_path":
            .init(.key)
        case "private_key": .init(.key, hides: .privateKey)
        case "secret", "key": .init(.key, hides: .channelSecret)
        case "pin", "ble_pin": .init(.content, hides: .pin)
        case "password": .init(.content, hides: .password)
        case "lat": .init(.content, hides: .latitude)
        case "lon": .init(.content, hides: .longitude)
        case "text": .init(.content, hides: .text)
        case "data", "payload": .init(.content, hides: .data)
        case "name": .init(.content, hides: .name)
        case "vars": .init(.content, hides: .variables)
        case "packet", "raw": .init(.content, hides: .packet)
        case "app_name", "app_ver_byte", "app_target_ver", "word", "build_date", "model", "version", "fw_ver_code",
            "fw_ver_level", "max_contacts", "max_channels", "max_len", "repeat", "path_hash_mode", "total",
            "setting", "reserved", "error", "error_flags", "stats_type", "count":
            .init(.content)
        case "channel_idx", "type", "adv_type", "flags", "config", "max_hops", "txt_type", "attempt", "path_len",
            "out_path_len", "in_path_len", "data_type", "data_len", "priority", "sub", "mode", "route", "est_timeout",
            "permissions", "acl_permissions":
            .init(.content)
        case "freq", "bw", "sf", "cr", "dbm", "tx_power", "max_tx_power", "rx_delay", "airtime_factor", "manual_add",
            "manual_add_contacts", "telemetry_modes", "adv_loc_policy", "multi_acks", "alt", "low", "high":
            .init(.content)
        default: nil
        }
    }
}
