import FoundationEssentials
import MeshPacket
import MeshWire
import PocketMeshServices

/// The source of the sections: the radio's row, and the values that were read beside it.
struct SettingsContents {
    var device: DeviceDTO
    var battery: Int?
    var preferences = NotificationPreferences()
    var fullSync = FullContactSync.weekly
    var isFiltering = false
    var trusted: Set<Data> = []
    var contacts: [ContactDTO] = []
    var tuning: (receiveDelay: Double, airtimeFactor: Double)?
    var variables: [CustomVariable] = []
    var quickReplies: [String] = []
    var profile = StackProfile()
    var usesUSRanges = false
    var country: String?
    var capabilities = Capabilities()

    /// The ranges of the form: the radio's own, or those of the United States where they were chosen.
    var ranges: RadioRanges { usesUSRanges ? .us : .firmware(maxPower: device.maxTxPower) }
}

extension RetryPreset {
    /// The text for users: the name, and the attempts.
    var label: String {
        let name =
            switch self {
            case .balanced: Texts.string(.retriesBalanced)
            case .short: Texts.string(.retriesShort)
            case .directFirst: Texts.string(.retriesDirectFirst)
            case .long: Texts.string(.retriesLong)
            }
        let retry = profile.messages.retry
        return Texts.string(.retriesPreset, name, "\(retry.maxAttempts)", "\(retry.floodAfter)")
    }
}

extension SettingsContents {
    var sections: [SettingsSection] {
        [
            deviceInfo, node, radioPreset, advancedRadio, telemetry, trustedContacts, contactSettings,
            Self.notifications(preferences), Self.messages(profile), Self.quickReplies(quickReplies), bluetooth,
            advanced, dangerZone,
        ]
    }

    private var deviceInfo: SettingsSection {
        var fields: [SettingField] = [
            .info("nodeName", .fieldNodeName, device.nodeName),
            .info("publicKey", .fieldPublicKey, Measures.hex(device.publicKey)),
            .info("firmware", .fieldFirmware, "\(device.firmwareVersionString) (\(device.firmwareVersion))"),
            .info("manufacturer", .fieldManufacturer, device.manufacturerName),
            .info("buildDate", .fieldBuildDate, device.buildDate),
            .info("maxContacts", .fieldMaxContacts, "\(device.maxContacts)"),
            .info("maxChannels", .fieldMaxChannels, "\(device.maxChannels)"),
        ]
        if let battery {
            let text = "\(Measures.batteryPercent(millivolts: battery)) % (\(Measures.volts(battery)))"
            fields.append(.info("battery", .fieldBattery, text))
        }
        let warnings = capabilities.isSupported ? [] : [Texts.string(.warningFirmware)]
        return SettingsSection(.deviceInfo, fields, warnings: warnings)
    }

    private var node: SettingsSection {
        var share = SettingField.toggle("sharesLocation", .fieldSharesLocation, device.advertLocationPolicy != 0)
        share.help = Texts.string(.helpSharesLocation)
        return SettingsSection(
            .node,
            [
                .text("name", .fieldName, device.nodeName, bytes: 31),
                .number(
                    "latitude", .fieldLatitude, "\(device.latitude)", GeoPoint.latitudes, step: 0.000_001, unit: "°"),
                .number(
                    "longitude", .fieldLongitude, "\(device.longitude)", GeoPoint.longitudes, step: 0.000_001, unit: "°"
                ),
                share,
            ])
    }

    private var radioPreset: SettingsSection {
        let presets = RadioPreset.ordered(for: country)
        let current = device.matchingPreset(for: country)
        var options = presets.map {
            SettingField.Option(value: $0.id, label: "\($0.region.rawValue): \($0.name)")
        }
        if current == nil { options.insert(.init(value: "", label: Texts.string(.presetNone)), at: 0) }
        return SettingsSection(
            .radioPreset, [.choice("preset", .fieldPreset, current?.id ?? "", options)],
            warnings: [Texts.string(.warningRadio)])
    }

    private var advancedRadio: SettingsSection {
        let ranges = ranges
        let megahertz = Double(ranges.frequencyKHz.lowerBound) / 1000...Double(ranges.frequencyKHz.upperBound) / 1000
        let bandwidth: SettingField
        if let allowed = ranges.bandwidthsHz {
            let hertz = Set(allowed + [device.bandwidthHz]).sorted()
            bandwidth = .choice(
                "bandwidth", .fieldBandwidth, "\(device.bandwidthKHz)",
                hertz.map { .init(value: "\(Double($0) / 1000)", label: "\(Double($0) / 1000) kHz") })
        } else {
            bandwidth = .number(
                "bandwidth", .fieldBandwidth, "\(device.bandwidthKHz)", 7...500, step: 0.001, unit: "kHz")
        }
        var fields: [SettingField] = [
            .toggle("usRanges", .fieldUSRanges, usesUSRanges),
            .number(
                "frequency", .fieldFrequency, "\(device.frequencyMHz)", megahertz,
                step: Double(ranges.frequencyStepKHz) / 1000, unit: "MHz"),
            bandwidth,
            .number(
                "spreadingFactor", .fieldSpreadingFactor, "\(device.spreadingFactor)",
                Self.whole(ranges.spreadingFactor), step: 1),
            .number("codingRate", .fieldCodingRate, "\(device.codingRate)", Self.whole(ranges.codingRate), step: 1),
            .number(
                "power", .fieldPower, "\(device.txPower)",
                Double(ranges.power.lowerBound)...Double(ranges.power.upperBound), step: 1, unit: "dBm"),
        ]
        if capabilities.has(.clientRepeat) {
            fields.append(.toggle("clientRepeat", .fieldClientRepeat, device.clientRepeat ?? false))
        }
        return SettingsSection(
            .advancedRadio, fields, warnings: [Texts.string(.warningRadio), Texts.string(.warningLaw)])
    }

    private static func whole(_ range: ClosedRange<UInt8>) -> ClosedRange<Double> {
        Double(range.lowerBound)...Double(range.upperBound)
    }

    private var telemetry: SettingsSection {
        let options: [SettingField.Option] = [
            .init(value: "0", label: Texts.string(.telemetryNobody)),
            .init(value: "1", label: Texts.string(.telemetryChosen)),
            .init(value: "2", label: Texts.string(.telemetryEverybody)),
        ]
        return SettingsSection(
            .telemetry,
            [
                .choice("telemetryBase", .fieldTelemetryBase, "\(device.telemetryModeBase)", options),
                .choice("telemetryLocation", .fieldTelemetryLocation, "\(device.telemetryModeLoc)", options),
                .choice("telemetryEnvironment", .fieldTelemetryEnvironment, "\(device.telemetryModeEnv)", options),
            ])
    }

    private var trustedContacts: SettingsSection {
        let people = contacts.filter { !$0.isBlocked && !$0.isDiscovered }
            .map { contact in
                var field = SettingField.toggle(
                    "trusted.\(Measures.hex(contact.publicKeyPrefix))", .fieldTrusted,
                    trusted.contains(contact.publicKeyPrefix))
                field.label = contact.displayName
                return field
            }
        return SettingsSection(
            .trustedContacts, [.toggle("filtersTelemetry", .fieldFiltersTelemetry, isFiltering)] + people)
    }

    private var contactSettings: SettingsSection {
        let options = FullContactSync.allCases.map {
            SettingField.Option(value: "\($0.rawValue)", label: $0.label)
        }
        return SettingsSection(
            .contacts,
            [
                .toggle("autoAdd", .fieldAutoAdd, !device.manualAddContacts),
                .choice("fullSync", .fieldFullSync, "\(fullSync.rawValue)", options),
                .action("syncContacts", .actionSyncContacts),
            ])
    }

    static func notifications(_ preferences: NotificationPreferences) -> SettingsSection {
        SettingsSection(
            .notifications,
            [
                .toggle("contactMessages", .fieldContactMessages, preferences.contactMessagesEnabled),
                .toggle("channelMessages", .fieldChannelMessages, preferences.channelMessagesEnabled),
                .toggle("roomMessages", .fieldRoomMessages, preferences.roomMessagesEnabled),
                .toggle("newContacts", .fieldNewContacts, preferences.newContactDiscoveredEnabled),
                .toggle("lowBattery", .fieldLowBattery, preferences.lowBatteryEnabled),
                .toggle("sound", .fieldSound, preferences.soundEnabled),
                .toggle("badge", .fieldBadge, preferences.badgeEnabled),
            ])
    }

    /// The section for the attempts of a message, by the profile of the next connection.
    static func messages(_ profile: StackProfile) -> SettingsSection {
        var options = RetryPreset.allCases.map { SettingField.Option(value: $0.rawValue, label: $0.label) }
        let current = RetryPreset(of: profile)
        if current == nil { options.insert(.init(value: "", label: Texts.string(.retriesOwn)), at: 0) }
        var field = SettingField.choice("retries", .fieldRetries, current?.rawValue ?? "", options)
        field.help = Texts.string(.helpRetries)
        return SettingsSection(.messages, [field])
    }

    static func quickReplies(_ replies: [String]) -> SettingsSection {
        SettingsSection(
            .quickReplies, [.text("quickReplies", .fieldQuickReplies, replies.joined(separator: "\n"), bytes: 1300)])
    }

    private var bluetooth: SettingsSection {
        SettingsSection(
            .bluetooth,
            [
                .number("pin", .fieldPIN, "\(device.blePin)", 0...999_999, step: 1),
                .action("disconnect", .actionDisconnect), .action("forget", .actionForget),
            ])
    }

    private var advanced: SettingsSection {
        var fields: [SettingField] = [
            .number("multiAcks", .fieldMultiAcks, "\(device.multiAcks)", 0...255, step: 1)
        ]
        if capabilities.has(.pathHashMode) {
            let options = (1...3).map {
                SettingField.Option(value: "\($0 - 1)", label: Texts.counted($0, .pathHashBytes))
            }
            fields.append(.choice("pathHashMode", .fieldPathHashMode, "\(device.pathHashMode)", options))
        }
        if let tuning {
            fields += [
                .number("receiveDelay", .fieldReceiveDelay, "\(tuning.receiveDelay)", 0...20, step: 0.001),
                .number("airtimeFactor", .fieldAirtimeFactor, "\(tuning.airtimeFactor)", 0...9, step: 0.001),
            ]
        }
        fields += variables.map { variable in
            var field = SettingField.text("variable.\(variable.name)", .fieldVariable, variable.value, bytes: 100)
            field.label = variable.name
            return field
        }
        return SettingsSection(.advanced, fields)
    }

    private var dangerZone: SettingsSection {
        SettingsSection(
            .dangerZone,
            [
                .action("reboot", .actionReboot),
                .action("deleteData", .actionDeleteData, confirmation: .confirmDelete),
                .action("factoryReset", .actionFactoryReset, confirmation: .confirmReset),
            ], warnings: [Texts.string(.warningDanger)])
    }

    /// The version, and the authors of the work below it.
    static func about(version: String) -> SettingsSection {
        SettingsSection(
            .about,
            [
                .info("version", .fieldVersion, version), .info("license", .fieldLicense, Texts.string(.aboutLicense)),
                .info("libraries", .fieldLibraries, Texts.string(.aboutLibraries)),
            ])
    }

    /// The section without a radio.
    static let noDevice = SettingsSection(.noDevice, [.action("connect", .actionConnect)])
}

extension FullContactSync {
    /// The text for users.
    var label: String {
        switch self {
        case .always: Texts.string(.syncAlways)
        case .daily: Texts.string(.syncDaily)
        case .weekly: Texts.string(.syncWeekly)
        case .monthly: Texts.string(.syncMonthly)
        }
    }
}
