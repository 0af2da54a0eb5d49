import MeshCompanion
package import MeshWire

extension CompanionPreferences {
    package static let path = "/prefs.json"
    /// The file of releases before 1.17.0, from which the settings are read when the newer one is missing.
    static let binaryPath = "/new_prefs"

    /// The file that a version writes.
    static func path(of file: FirmwareSwitches.SettingsFile) -> String { file == .text ? path : binaryPath }

    /// The settings as a version stores them.
    func fileContent(_ file: FirmwareSwitches.SettingsFile) -> [UInt8] {
        guard case .binary(let size, _) = file else { return fileContent() }
        var (settings, bytes) = (self, BinarySettingsWriter())
        settings.walk(&bytes)
        return [UInt8](bytes.bytes.prefix(size))
    }

    /// Reads the settings from flash; true when the older file was converted, and the newer one must now be
    /// written.
    ///
    /// A version without `/prefs.json` reads the older file alone, with the values of the time before an upgrade
    /// (FWV-154).
    mutating func load(from flash: Flash, _ file: FirmwareSwitches.SettingsFile) -> Bool {
        if case .text = file, let content = flash[Self.path] {
            load(content)
            return false
        }
        guard var content = flash[Self.binaryPath] else { return false }
        if case .binary(let size, _) = file { content = [UInt8](content.prefix(size)) }
        var bytes = BinarySettingsReader(content)
        walk(&bytes)
        return file == .text
    }

    /// The values of the binary file in their order; a shorter one leaves the rest as they are (FWV-150).
    private mutating func walk(_ bytes: inout some BinarySettingsPass) {
        bytes.take("radio.af", &airtimeFactor)
        bytes.take("name", &name, size: 32)
        bytes.skip(4)
        bytes.take("lat", &latitude)
        bytes.take("lon", &longitude)
        bytes.take("radio.freq", &frequency)
        bytes.take(&spreadingFactor)
        bytes.take(&codingRate)
        bytes.take(&repeatByte)
        bytes.take(&manualAdd)
        bytes.take("radio.bw", &bandwidth)
        bytes.take(&txPower)
        bytes.take(&telemetryBase)
        bytes.take(&telemetryLocation)
        bytes.take(&telemetryEnvironment)
        bytes.take("radio.rxdelay", &receiveDelayBase)
        bytes.take(&advertLocationPolicy)
        bytes.take(&multiAcks)
        bytes.take(&pathHashMode)
        bytes.skip(1)
        bytes.take(&blePin)
        bytes.take(&buzzerQuiet)
        bytes.take(&gpsEnabled)
        bytes.take(&gpsInterval)
        bytes.take(&autoAdd)
        bytes.take(&autoAddMaxHops)
        bytes.take(&boostedGain)
        bytes.take(&scopeName)
        bytes.take(&scopeKey)
    }

    /// The settings file, in the firmware's order of keys.
    ///
    /// Positions have six decimals, other fractions four; finer digits are lost at the next boot.
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
            writeTuning(to: &writer)
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
            if timeZoneOffset != 0 { writer.number("tz_offset", timeZoneOffset) }
        }
        return writer.finished()
    }

    /// Writes the changed settings among those that 1.18 adds, so that the file of an older version stays as it is.
    ///
    /// The names of the keys are those of infrastructure nodes; the real ones are not known (FWV-153, FWV-205).
    private func writeTuning(to writer: inout SettingsWriter) {
        if cadEnabled != 0 { writer.number("cad", cadEnabled) }
        if interferenceThreshold != 0 { writer.number("int_thr", interferenceThreshold) }
        if femReceiveGain != 1 { writer.number("fem_rxgain", femReceiveGain) }
        if femTransmitGain != 0 { writer.number("fem_txgain", femTransmitGain) }
        if floodDelayFactor != 0.5 { writer.decimal("f_txdelay", Double(floodDelayFactor), digits: 4) }
        if directDelayFactor != 0.2 { writer.decimal("d_txdelay", Double(directDelayFactor), digits: 4) }
        if agcResetInterval != 0 { writer.number("agc_int", agcResetInterval) }
    }

    /// Reads the settings from the file; keys that it does not have keep their values, unknown ones are skipped.
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

    /// Returns the fault of a value, if there is one.
    private static func complaint(_ key: String, _ value: ByteText) -> String? {
        let text = value.string
        switch key {
        case "name", "comp.defs_nm": return nil
        case "lat", "lon", "radio.freq", "radio.bw", "radio.af", "radio.rxdelay", "radio.f_txdelay", "radio.d_txdelay":
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
        case "cad": cadEnabled = byte
        case "int_thr": interferenceThreshold = byte
        case "fem_rxgain": femReceiveGain = byte
        case "fem_txgain": femTransmitGain = byte
        case "f_txdelay": floodDelayFactor = Float(Self.decimal(value))
        case "d_txdelay": directDelayFactor = Float(Self.decimal(value))
        case "agc_int": agcResetInterval = byte
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
        case "tz_offset": timeZoneOffset = Int8(bitPattern: byte)
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
