import MeshWire

extension CompanionPreferences {
    package static let path = "/prefs.json"

    /// The settings file, in the firmware's order of keys.
    ///
    /// Positions have six decimals, other fractions four; what is finer is lost at the next boot.
    func fileContent() -> [UInt8] {
        var writer = SettingsWriter()
        writer.text("name", name)
        writer.decimal("lat", latitude, digits: 6)
        writer.decimal("lon", longitude, digits: 6)
        writer.object("radio") { writer in
            writer.decimal("freq", Double(frequency), digits: 4)
            writer.decimal("bw", Double(bandwidth), digits: 4)
            writer.number("sf", spreadingFactor)
            writer.number("cr", codingRate)
            writer.number("rxgain", boostedGain)
            writer.number("tx", txPower)
            writer.decimal("af", Double(airtimeFactor), digits: 4)
            writer.decimal("rxdelay", Double(receiveDelayBase), digits: 4)
            writer.number("hash_mode", pathHashMode)
            writer.number("multi_ack", multiAcks)
        }
        writer.object("gps") { writer in
            writer.number("en", gpsEnabled)
            writer.number("int", gpsInterval)
            writer.number("adv_loc", advertLocationPolicy)
        }
        writer.object("repeat") { $0.number("disable", repeats ? 0 : 1) }
        writer.object("comp") { writer in
            writer.number("auto_max", autoAddMaxHops)
            writer.text("defs_nm", scopeName.text)
            writer.hex("defs_key", scopeKey.array)
            writer.number("pin", blePin)
            writer.number("buzz_q", buzzerQuiet)
            writer.number("vibe_q", vibrationQuiet)
            writer.number("auto_add", autoAdd)
            writer.number("man_add", manualAdd)
            writer.number("tel_base", telemetryBase)
            writer.number("tel_loc", telemetryLocation)
            writer.number("tel_env", telemetryEnvironment)
        }
        return writer.finished()
    }

    /// Takes over what the file holds; keys that it does not have keep their values, unknown ones are skipped.
    ///
    /// Reading stops where the text makes no sense; what came before counts. The first fault is returned, also that of
    /// a value which is no number and counts as 0.
    @discardableResult
    package mutating func load(_ content: [UInt8]) -> SettingsSyntaxError? {
        var reader = SettingsReader(content)
        var settings = self
        reader.read(groups: ["radio", "gps", "repeat", "comp"]) { key, value in
            settings.take(key, value)
            return Self.complaint(key, value)
        }
        self = settings
        return reader.fault
    }

    /// What is wrong with a value, if anything.
    private static func complaint(_ key: String, _ value: ByteText) -> String? {
        let text = value.string
        switch key {
        case "name", "comp.defs_nm": return nil
        case "lat", "lon", "radio.freq", "radio.bw", "radio.af", "radio.rxdelay":
            return Double(text).map(\.isFinite) == true ? nil : "'\(text)' is no number"
        case "comp.defs_key": return FixedBytes<16>(hex: text) == nil ? "'\(text)' is no key of 16 bytes" : nil
        default: return Int(text) == nil ? "'\(text)' is no whole number" : nil
        }
    }

    private mutating func take(_ key: String, _ value: ByteText) {
        switch key {
        case "name": name = value.prefix(31)
        case "lat": latitude = Self.decimal(value)
        case "lon": longitude = Self.decimal(value)
        case "gps.en": gpsEnabled = Self.byte(value)
        case "gps.int": gpsInterval = UInt32(truncatingIfNeeded: NumberReading.integer(value.bytes))
        case "gps.adv_loc": advertLocationPolicy = Self.byte(value)
        case "repeat.disable": repeats = Self.byte(value) == 0
        default:
            if key.hasPrefix("radio.") {
                takeRadio(key.dropFirst(6), value)
            } else if key.hasPrefix("comp.") {
                takeCompanion(key.dropFirst(5), value)
            }
        }
    }

    private mutating func takeRadio(_ key: Substring, _ value: ByteText) {
        let byte = Self.byte(value)
        switch key {
        case "freq": frequency = Float(Self.decimal(value))
        case "bw": bandwidth = Float(Self.decimal(value))
        case "sf": spreadingFactor = byte
        case "cr": codingRate = byte
        case "rxgain": boostedGain = byte
        case "tx": txPower = Int8(bitPattern: byte)
        case "af": airtimeFactor = Float(Self.decimal(value))
        case "rxdelay": receiveDelayBase = Float(Self.decimal(value))
        case "hash_mode": pathHashMode = byte
        case "multi_ack": multiAcks = byte
        default: break
        }
    }

    private mutating func takeCompanion(_ key: Substring, _ value: ByteText) {
        let byte = Self.byte(value)
        switch key {
        case "auto_max": autoAddMaxHops = byte
        case "defs_nm": scopeName = FixedBytes(text: value.prefix(30))
        case "defs_key": scopeKey = FixedBytes(hex: value.string) ?? FixedBytes()
        case "pin": blePin = UInt32(truncatingIfNeeded: NumberReading.integer(value.bytes))
        case "buzz_q": buzzerQuiet = byte
        case "vibe_q": vibrationQuiet = byte
        case "auto_add": autoAdd = byte
        case "man_add": manualAdd = byte
        case "tel_base": telemetryBase = byte
        case "tel_loc": telemetryLocation = byte
        case "tel_env": telemetryEnvironment = byte
        default: break
        }
    }

    private static func byte(_ value: ByteText) -> UInt8 {
        UInt8(truncatingIfNeeded: NumberReading.integer(value.bytes))
    }

    private static func decimal(_ value: ByteText) -> Double {
        let number = NumberReading.double(value.bytes)
        return number.isFinite ? number : 0
    }
}
