import PocketMeshServices

/// The sections of the settings, in their order.
public enum SettingsSectionID: String, Codable, Sendable, Hashable, CaseIterable {
    case noDevice, deviceInfo, node, radioPreset, advancedRadio, telemetry, trustedContacts, contacts, notifications
    case messages, quickReplies, bluetooth, advanced, dangerZone, about

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
        case .messages: Texts.string(.sectionMessages)
        case .quickReplies: Texts.string(.sectionQuickReplies)
        case .bluetooth: Texts.string(.sectionBluetooth)
        case .advanced: Texts.string(.sectionAdvanced)
        case .dangerZone: Texts.string(.sectionDangerZone)
        case .about: Texts.string(.sectionAbout)
        }
    }
}

/// One setting: its name, its value, and its possible values.
public struct SettingField: Codable, Sendable, Hashable, Identifiable {
    /// The way in which a field is entered.
    public enum Kind: String, Codable, Sendable, Hashable {
        case info, toggle, text, number, choice, action
    }

    /// A value of a choice.
    public struct Option: Codable, Sendable, Hashable {
        /// The value that is set.
        public var value: String
        /// The text for users.
        public var label: String
    }

    /// The name under which it is set.
    public var id: String
    /// The text for users.
    public var label: String
    /// The way in which the field is entered.
    public var kind: Kind
    /// The value of the field; `true` and `false` for a toggle.
    public var value: String
    /// The unit of a number.
    public var unit: String?
    /// The least number.
    public var minimum: Double?
    /// The greatest number.
    public var maximum: Double?
    /// The number of which a value is a multiple.
    public var step: Double?
    /// Bytes that a text may have.
    public var byteLimit: Int?
    /// The options of a choice.
    public var options: [Option]?
    /// The effect of the field.
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

    /// A choice; a value of the radio that is none of the options is added to them.
    static func choice(_ id: String, _ label: TextKey, _ value: String, _ options: [Option]) -> SettingField {
        var field = SettingField(id, label, .choice, value)
        let isListed = options.contains { $0.value == value }
        field.options = isListed ? options : options + [Option(value: value, label: value)]
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
    /// The ID of the section.
    public var id: SettingsSectionID
    /// The heading.
    public var title: String
    /// The settings.
    public var fields: [SettingField]
    /// The warnings for the user before a change; empty when there are none.
    public var warnings: [String]
    /// True when something was changed and is not saved.
    public var hasChanges: Bool

    init(_ id: SettingsSectionID, _ fields: [SettingField], warnings: [String] = []) {
        self.id = id
        title = id.title
        self.fields = fields
        self.warnings = warnings
        hasChanges = false
    }
}
