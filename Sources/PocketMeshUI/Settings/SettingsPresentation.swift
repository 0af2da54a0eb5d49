import PocketMeshServices

/// The sections of the settings, in their order.
public enum SettingsSectionID: String, Codable, Sendable, Hashable, CaseIterable {
    case noDevice, deviceInfo, node, radioPreset, advancedRadio, telemetry, trustedContacts, contacts, notifications
    case quickReplies, bluetooth, advanced, dangerZone, about

    /// The heading.
    public var title: String {
        switch self {
        case .noDevice: Texts.string(.sectionNoDevice)
        case .deviceInfo: Texts.string(.sectionDeviceInfo)
        case .node: Texts.string(.sectionNode)
        case .radioPreset: Texts.string(.sectionRadioPreset)
        case .advancedRadio: Texts.string(.sectionAdvancedRadio)
        case .telemetry: Texts.string(.sectionTelemetry)
        case .trustedContacts: Texts.string(.sectionTrustedContacts)
        case .contacts: Texts.string(.sectionContacts)
        case .notifications: Texts.string(.sectionNotifications)
        case .quickReplies: Texts.string(.sectionQuickReplies)
        case .bluetooth: Texts.string(.sectionBluetooth)
        case .advanced: Texts.string(.sectionAdvanced)
        case .dangerZone: Texts.string(.sectionDangerZone)
        case .about: Texts.string(.sectionAbout)
        }
    }
}

/// One setting: what it is called, what it is, and what it can be.
public struct SettingField: Codable, Sendable, Hashable, Identifiable {
    /// How it is entered.
    public enum Kind: String, Codable, Sendable, Hashable {
        case info, toggle, text, number, choice, action
    }

    /// A value of a choice.
    public struct Option: Codable, Sendable, Hashable {
        public var value: String
        public var label: String
    }

    /// The name under which it is set.
    public var id: String
    /// What the user reads.
    public var label: String
    /// How it is entered.
    public var kind: Kind
    /// What it is; `true` and `false` for a toggle.
    public var value: String
    /// The unit of a number.
    public var unit: String?
    /// The least number.
    public var minimum: Double?
    /// The greatest number.
    public var maximum: Double?
    /// What a number is a multiple of.
    public var step: Double?
    /// Bytes that a text may have.
    public var byteLimit: Int?
    /// What a choice is among.
    public var options: [Option]?
    /// What it does.
    public var help: String?
    /// The word that has to be typed before a dangerous action is done.
    public var confirmation: String?

    init(_ id: String, _ label: TextKey, _ kind: Kind, _ value: String) {
        self.id = id
        self.label = Texts.string(label)
        self.kind = kind
        self.value = value
    }

    static func info(_ id: String, _ label: TextKey, _ value: String) -> SettingField {
        SettingField(id, label, .info, value)
    }

    static func toggle(_ id: String, _ label: TextKey, _ isOn: Bool) -> SettingField {
        SettingField(id, label, .toggle, isOn ? "true" : "false")
    }

    static func text(_ id: String, _ label: TextKey, _ value: String, bytes: Int) -> SettingField {
        var field = SettingField(id, label, .text, value)
        field.byteLimit = bytes
        return field
    }

    static func number(
        _ id: String, _ label: TextKey, _ value: String, _ range: ClosedRange<Double>, step: Double, unit: String? = nil
    ) -> SettingField {
        var field = SettingField(id, label, .number, value)
        (field.minimum, field.maximum, field.step, field.unit) = (range.lowerBound, range.upperBound, step, unit)
        return field
    }

    static func choice(_ id: String, _ label: TextKey, _ value: String, _ options: [Option]) -> SettingField {
        var field = SettingField(id, label, .choice, value)
        field.options = options
        return field
    }

    static func action(_ id: String, _ label: TextKey, confirmation: TextKey? = nil) -> SettingField {
        var field = SettingField(id, label, .action, "")
        field.confirmation = confirmation.map { Texts.string($0) }
        return field
    }
}

/// A section of the settings.
public struct SettingsSection: Codable, Sendable, Hashable, Identifiable {
    /// Which it is.
    public var id: SettingsSectionID
    /// The heading.
    public var title: String
    /// The settings.
    public var fields: [SettingField]
    /// What the user is to know before a change; empty when there is nothing.
    public var warnings: [String]
    /// Whether something was changed and is not saved.
    public var hasChanges: Bool

    init(_ id: SettingsSectionID, _ fields: [SettingField], warnings: [String] = []) {
        self.id = id
        title = id.title
        self.fields = fields
        self.warnings = warnings
        hasChanges = false
    }
}
