import PocketMeshServices

// What is written for each section.
extension SettingsViewModel {
    func write(_ edits: [String: String], of id: SettingsSectionID) async throws {
        guard let appState else { return }
        switch id {
        case .notifications: return try await writeNotifications(edits, appState)
        case .messages:
            guard let preset = edits["retries"].flatMap(RetryPreset.init) else {
                throw StackError(.settings, .outOfRange(field: "retries"))
            }
            try await appState.store.setSetting(preset.rawValue, forKey: AppState.SettingKey.retries)
            return appState.connectionManager.choose(preset)
        case .quickReplies:
            let lines = (edits["quickReplies"] ?? "").split(separator: "\n").map(String.init)
            return try await appState.store.setSetting(
                QuickReplies.written(lines), forKey: AppState.SettingKey.quickReplies)
        default: break
        }
        let services = try appState.requiredServices(.settings)
        guard let device = appState.connectedDevice else { throw StackError(.settings, .notConnected) }
        let service = services.settingsService
        switch id {
        case .node: try await writeNode(edits, device, service)
        case .radioPreset:
            guard let preset = RadioPreset.all.first(where: { $0.id == edits["preset"] }) else {
                throw StackError(.settings, .outOfRange(field: "preset"))
            }
            _ = try await service.applyPresetVerified(preset)
        case .advancedRadio: try await writeRadio(edits, device, service)
        case .telemetry:
            _ = try await service.setOtherParamsVerified(
                OtherParamsChange(
                    telemetryBase: Self.byte(edits["telemetryBase"]),
                    telemetryLocation: Self.byte(edits["telemetryLocation"]),
                    telemetryEnvironment: Self.byte(edits["telemetryEnvironment"])))
        case .contacts:
            if let adds = Self.bool(edits["autoAdd"]) {
                _ = try await service.setOtherParamsVerified(OtherParamsChange(manualAdd: !adds))
            }
            let choice = edits["fullSync"].flatMap(Int.init).flatMap(FullContactSync.init(rawValue:))
            try await choice?.save(to: appState.store)
        case .trustedContacts: try await writeTrusted(edits, services.trustedContacts)
        case .bluetooth:
            if let pin = edits["pin"].flatMap(UInt32.init) { _ = try await service.setDevicePinVerified(pin) }
        case .advanced: try await writeAdvanced(edits, appState, service)
        case .noDevice, .deviceInfo, .notifications, .messages, .quickReplies, .dangerZone, .about: break
        }
    }

    private static func byte(_ value: String?) -> UInt8? { value.flatMap(UInt8.init) }
    private static func bool(_ value: String?) -> Bool? { value.map { $0 == "true" } }

    private func writeNotifications(_ edits: [String: String], _ appState: AppState) async throws {
        var preferences = try await NotificationPreferences.load(from: appState.store)
        let paths: [(String, WritableKeyPath<NotificationPreferences, Bool>)] = [
            ("contactMessages", \.contactMessagesEnabled), ("channelMessages", \.channelMessagesEnabled),
            ("roomMessages", \.roomMessagesEnabled), ("newContacts", \.newContactDiscoveredEnabled),
            ("lowBattery", \.lowBatteryEnabled), ("sound", \.soundEnabled), ("badge", \.badgeEnabled),
        ]
        for (field, path) in paths {
            if let isOn = Self.bool(edits[field]) { preferences[keyPath: path] = isOn }
        }
        try await preferences.save(to: appState.store)
        appState.notificationService.updateBadgeCount()
    }

    private func writeNode(_ edits: [String: String], _ device: DeviceDTO, _ service: SettingsService) async throws {
        if let name = edits["name"] { _ = try await service.setNodeNameVerified(name) }
        let (latitude, longitude) = (edits["latitude"].flatMap(Double.init), edits["longitude"].flatMap(Double.init))
        if latitude != nil || longitude != nil {
            _ = try await service.setLocationVerified(
                GeoPoint(latitude: latitude ?? device.latitude, longitude: longitude ?? device.longitude))
        }
        if let shares = Self.bool(edits["sharesLocation"]) {
            _ = try await service.setOtherParamsVerified(OtherParamsChange(sharesLocation: shares))
        }
    }

    private func writeRadio(_ edits: [String: String], _ device: DeviceDTO, _ service: SettingsService) async throws {
        let radio = RadioParameters(
            megahertz: edits["frequency"].flatMap(Double.init) ?? device.frequencyMHz,
            kilohertz: edits["bandwidth"].flatMap(Double.init) ?? device.bandwidthKHz,
            spreadingFactor: Self.byte(edits["spreadingFactor"]) ?? device.spreadingFactor,
            codingRate: Self.byte(edits["codingRate"]) ?? device.codingRate)
        try contents?.ranges.check(radio, changing: device.radioParameters)
        if radio != device.radioParameters || edits["clientRepeat"] != nil {
            _ = try await service.setRadioParamsVerified(radio, repeats: Self.bool(edits["clientRepeat"]))
        }
        if let power = edits["power"].flatMap(Int8.init) { _ = try await service.setTxPowerVerified(power) }
    }

    private func writeTrusted(_ edits: [String: String], _ trusted: TrustedContactsManager) async throws {
        if let filters = Self.bool(edits["filtersTelemetry"]) { try await trusted.setFiltering(filters) }
        for contact in contents?.contacts ?? [] {
            guard let isTrusted = Self.bool(edits["trusted.\(Measures.hex(contact.publicKeyPrefix))"]) else { continue }
            try await trusted.setTrusted(isTrusted, key: contact.publicKey)
        }
    }

    private func writeAdvanced(
        _ edits: [String: String], _ appState: AppState, _ service: SettingsService
    ) async throws {
        if let acks = Self.byte(edits["multiAcks"]) {
            _ = try await service.setOtherParamsVerified(OtherParamsChange(multiAcks: acks))
        }
        if let mode = Self.byte(edits["pathHashMode"]) {
            try await appState.requiring(.pathHashMode) { _ = try await service.setPathHashModeVerified(mode) }
        }
        let (delay, factor) = (edits["receiveDelay"].flatMap(Double.init), edits["airtimeFactor"].flatMap(Double.init))
        if let tuning = contents?.tuning, delay != nil || factor != nil {
            let (delay, factor) = (delay ?? tuning.receiveDelay, factor ?? tuning.airtimeFactor)
            try await service.setTuning(receiveDelay: delay, airtimeFactor: factor)
            contents?.tuning = (delay, factor)
        }
        for variable in contents?.variables ?? [] {
            guard let value = edits["variable.\(variable.name)"] else { continue }
            try await service.setCustomVariable(CustomVariable(name: variable.name, value: value))
            if let index = contents?.variables.firstIndex(of: variable) { contents?.variables[index].value = value }
        }
    }
}
