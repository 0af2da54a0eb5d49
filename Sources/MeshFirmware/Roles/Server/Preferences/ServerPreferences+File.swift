import MeshCompanion
import MeshWire

extension ServerPreferences {
    static let path = "/prefs.json"
    /// The file of releases before 1.17.0, from which the settings are read when the newer one is missing.
    static let legacyPath = "/com_prefs"

    /// The file that a version writes.
    static func path(of file: FirmwareSwitches.SettingsFile) -> String { file == .text ? path : legacyPath }

    /// Reads the settings from flash; returns the bytes to write to `/prefs.json`, if the older file was converted.
    ///
    /// A version without `/prefs.json` reads the older file alone, with the values of the time before an upgrade
    /// (FWV-154). Source: InfrastructureNodes, "Files and preferences"; firmware, `CommonCLI::loadPrefs`.
    mutating func load(from flash: Flash, _ switches: FirmwareSwitches = FirmwareSwitches()) -> [UInt8]? {
        if case .binary(_, let size) = switches.settingsFile {
            guard let content = flash[Self.legacyPath] else { return nil }
            loadLegacy([UInt8](content.prefix(size)))
            if size == Self.shortestLegacy, content.count > Self.firstGainOffset {
                boostedGain = min(content[Self.firstGainOffset], 1)
            }
        } else if let content = flash[Self.path] {
            load(content)
        } else if let content = flash[Self.legacyPath] {
            loadLegacy(content)
            return fileContent()
        }
        return nil
    }

    /// The settings as a version stores them.
    func fileContent(_ file: FirmwareSwitches.SettingsFile) -> [UInt8] {
        guard case .binary(_, let size) = file else { return fileContent() }
        return legacyContent(size: size)
    }

    /// The settings file, in the firmware's order of keys.
    ///
    /// Positions have six decimals, other fractions four; finer digits are lost at the next boot.
    func fileContent() -> [UInt8] {
        var writer = SettingsWriter()
        var rest = Self.rows.filter { $0.fileKey != nil }[...]
        while let first = rest.first {
            guard let group = first.fileGroup else {
                write(first, to: &writer)
                rest = rest.dropFirst()
                continue
            }
            let members = rest.prefix { $0.fileGroup == group }
            writer.object(group) { writer in members.forEach { write($0, to: &writer) } }
            rest = rest.dropFirst(members.count)
        }
        return writer.finished()
    }

    private func write(_ row: PreferenceRow, to writer: inout SettingsWriter) {
        guard let key = row.fileName, let field = row.field else { return }
        switch field {
        case .text(let path, _): writer.text(key, self[keyPath: path])
        case .i8(let path): writer.number(key, self[keyPath: path])
        case .u8(let path): writer.number(key, self[keyPath: path])
        case .u16(let path): writer.number(key, self[keyPath: path])
        case .u32(let path): writer.number(key, self[keyPath: path])
        case .float(let path): writer.decimal(key, Double(self[keyPath: path]), digits: 4)
        case .double(let path): writer.decimal(key, self[keyPath: path], digits: 6)
        }
    }

    /// Reads the settings from the file; keys that it does not have keep their values, unknown ones are skipped.
    ///
    /// Reading stops where the text makes no sense; what came before counts. The first fault is returned, also that
    /// of a value of the wrong kind. Such a value is read as `atoi` and `atof` do.
    @discardableResult
    mutating func load(_ content: [UInt8]) -> SettingsSyntaxError? {
        var reader = SettingsReader(content)
        var settings = self
        reader.read(groups: Self.fileGroups) { key, value in
            guard let field = Self.fieldsByFileKey[key] else { return nil }
            settings.take(value, in: field)
            return field.complaint(about: value)
        }
        self = settings
        return reader.fault
    }

    /// Throws the first fault of the settings in this flash: of the file that would be loaded, and no other.
    ///
    /// The older, binary file is at fault where a text lacks its end or a fraction is no number.
    public static func validate(_ flash: Flash) throws(StorageError) {
        var settings = ServerPreferences(role: .repeater, board: .heltecV3)
        if let content = flash[path] {
            guard let fault = settings.load(content) else { return }
            throw StorageError(file: path, field: fault.key, reason: "\(fault.reason), at byte \(fault.offset)")
        }
        if let content = flash[legacyPath], let fault = settings.loadLegacy(content) {
            throw StorageError(file: legacyPath, field: fault.key, reason: "\(fault.reason), at byte \(fault.offset)")
        }
    }

    private mutating func take(_ value: ByteText, in field: PreferenceField) {
        switch field {
        case .text: keep(value.bytes, in: field)
        case .i8, .u8, .u16, .u32: keep(Int64(NumberReading.integer(value.bytes)), in: field)
        case .float, .double: keep(NumberReading.double(value.bytes), in: field)
        }
    }

    private static let fileGroups: [String] = rows.compactMap(\.fileGroup)
    private static let fieldsByFileKey: [String: PreferenceField] = Dictionary(
        uniqueKeysWithValues: rows.compactMap { row in row.fileKey.flatMap { key in row.field.map { (key, $0) } } })
}

extension PreferenceRow {
    /// The object of the file that holds it; `nil` on the outermost level.
    var fileGroup: String? {
        fileKey.flatMap { key in key.contains(".") ? String(key.prefix { $0 != "." }) : nil }
    }

    /// The key within its object.
    var fileName: String? {
        fileKey.map { key in String(key.split(separator: ".").last ?? "") }
    }
}

extension PreferenceField {
    /// Returns the fault of a value from a file, if there is one.
    func complaint(about value: ByteText) -> String? {
        let text = value.string
        switch self {
        case .text: return nil
        case .float, .double: return Double(text)?.isFinite == true ? nil : "'\(text)' is no number"
        case .i8: return Self.complaint(text, fits: Int8(text) != nil)
        case .u8: return Self.complaint(text, fits: UInt8(text) != nil)
        case .u16: return Self.complaint(text, fits: UInt16(text) != nil)
        case .u32: return Self.complaint(text, fits: UInt32(text) != nil)
        }
    }

    private static func complaint(_ text: String, fits: Bool) -> String? {
        fits ? nil : Int(text) == nil ? "'\(text)' is no whole number" : "\(text) is out of range"
    }
}
