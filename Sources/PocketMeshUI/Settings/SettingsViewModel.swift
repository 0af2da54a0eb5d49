import MeshCompanion
public import Observation
import PocketMeshServices

/// The settings: sections of fields that are changed first and saved then, and actions that ask before they are done.
@MainActor @Observable
public final class SettingsViewModel: ViewModel {
    /// The sections, with the changes that are not saved.
    public var sections: [SettingsSection] { base.map(changed) }
    /// True while the radio is being read or written.
    public private(set) var isWorking = false
    /// The confirmation of the last save, for its user.
    public private(set) var feedback: String?
    /// The last error, for the page; `nil` when there is none.
    public var error: ErrorPresentation?

    private var base: [SettingsSection] = []
    private var changes: [String: String] = [:]
    @ObservationIgnored var contents: SettingsContents?
    @ObservationIgnored private var usesUSRanges = false
    @ObservationIgnored var appState: AppState?
    @ObservationIgnored private var observation: MessageEventBroadcaster.Subscription?
    @ObservationIgnored private let reloader = Reloader()
    /// The version that "about" shows.
    @ObservationIgnored public var version = ""

    public init() {}

    public func configure(appState: AppState) {
        self.appState = appState
        observation?.cancel()
        observation = appState.messageEventBroadcaster.observe { [weak self] numbered in
            switch numbered.event {
            case .deviceChanged, .connectionChanged:
                self?.reloader.ask { [weak self] in await self?.load() }
            default: break
            }
        }
    }

    /// The section, with its changes.
    public func section(_ id: SettingsSectionID) -> SettingsSection? { sections.first { $0.id == id } }

    private func changed(_ section: SettingsSection) -> SettingsSection {
        var section = section
        for index in section.fields.indices {
            guard let value = changes[section.fields[index].id], value != section.fields[index].value else { continue }
            section.fields[index].value = value
            section.hasChanges = true
        }
        return section
    }

    /// Reads the values of the store; nothing is requested from the radio.
    public func load() async {
        guard let appState else { return }
        await read {
            let preferences = try await NotificationPreferences.load(from: appState.store)
            let replies = QuickReplies.read(
                try await appState.store.setting(forKey: AppState.SettingKey.quickReplies))
            guard let connected = appState.connectedDevice else {
                contents = nil
                base = [
                    SettingsContents.noDevice, SettingsContents.notifications(preferences),
                    SettingsContents.messages(appState.connectionManager.profile),
                    SettingsContents.quickReplies(replies), SettingsContents.about(version: version),
                ]
                return
            }
            // The event of a change may still be on its way.
            let device = try await appState.store.fetchDevice(id: connected.id) ?? connected
            if device != connected { appState.connectionManager.settingsChanged(to: device) }
            var contents = contents ?? SettingsContents(device: device)
            contents.device = device
            contents.battery = appState.deviceBatteryMillivolts
            (contents.preferences, contents.quickReplies) = (preferences, replies)
            contents.profile = appState.connectionManager.profile
            contents.fullSync = try await FullContactSync.load(from: appState.store) ?? .weekly
            contents.capabilities = appState.capabilities
            contents.country = appState.style.country
            contents.usesUSRanges = usesUSRanges
            contents.contacts = try await appState.store.fetchContacts(deviceID: device.id)
            if let trusted = appState.services?.trustedContacts {
                contents.isFiltering = try await trusted.isFiltering
                contents.trusted = Set(try await trusted.trustedPrefixes)
            }
            self.contents = contents
            base = contents.sections + [SettingsContents.about(version: version)]
        }
    }

    /// Reads the values that only the radio has: battery, tuning and variables.
    public func loadAdvanced() async {
        guard let appState else { return }
        await work {
            let service = try appState.requiredServices(.settings).settingsService
            try await appState.fetchDeviceBattery()
            let tuning = try await service.getTuning()
            contents?.tuning = (Double(tuning.receiveDelay) / 1000, Double(tuning.airtimeFactor) / 1000)
            contents?.variables = try await service.getCustomVariables()
        }
    }

    /// Runs work with the radio, shown by the pill, and reads again.
    func work(_ body: () async throws -> Void) async {
        guard let appState, !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        await attempt { try await appState.withSyncActivity(body) }
        await load()
    }

    // MARK: Changing

    /// Changes a field; it is saved with its section.
    public func set(_ field: String, to value: String) {
        if field == "usRanges" {
            usesUSRanges = value == "true"
            contents?.usesUSRanges = usesUSRanges
            if let contents { base = contents.sections + [SettingsContents.about(version: version)] }
            return
        }
        changes[field] = value
    }

    /// Forgets the changes in a section.
    public func discard(_ id: SettingsSectionID) {
        for field in base.first(where: { $0.id == id })?.fields ?? [] { changes[field.id] = nil }
    }

    /// Returns the changes in a section: the fields that have another value than the radio's.
    ///
    /// Each is checked against its range.
    func edits(of section: SettingsSection) throws(StackError) -> [String: String] {
        var edits: [String: String] = [:]
        for field in section.fields {
            guard let value = changes[field.id], value != field.value else { continue }
            try field.check(value)
            edits[field.id] = value
        }
        return edits
    }

    /// Saves a section: only changes are written, read back and compared. Returns whether all were saved.
    @discardableResult
    public func save(_ id: SettingsSectionID) async -> Bool {
        guard let section = base.first(where: { $0.id == id }) else { return false }
        feedback = nil
        var isSaved = false
        let body = {
            let edits = try self.edits(of: section)
            if !edits.isEmpty { try await self.write(edits, of: id) }
            isSaved = true
        }
        switch id {
        case .notifications, .messages, .quickReplies: await attempt(body)
        default: await work(body)
        }
        if isSaved {
            discard(id)
            feedback = Texts.string(.feedbackSaved)
        }
        await load()
        return isSaved
    }

    // MARK: Actions

    /// Performs the action of a button; a dangerous one needs its word.
    public func perform(_ action: String, confirmation: String = "") async {
        guard let appState, let field = base.flatMap(\.fields).first(where: { $0.id == action && $0.kind == .action })
        else { return }
        if let wanted = field.confirmation, wanted != confirmation {
            return error = ErrorPresentation(StackError(.settings, .outOfRange(field: "confirmation")))
        }
        switch action {
        case "connect": appState.startDeviceScan()
        case "disconnect": await appState.disconnect()
        case "forget": await attempt { try await appState.connectionManager.forgetDevice() }
        case "syncContacts":
            await work {
                _ = try await appState.requiredServices(.contacts).contactService.syncContacts(
                    deviceID: try appState.requiredDeviceID())
            }
            appState.messageEventBroadcaster.broadcast(.contactsChanged)
        case "reboot":
            await work { _ = try await appState.requiredServices(.settings).settingsService.reboot() }
        case "factoryReset":
            await work {
                _ = try await appState.requiredServices(.settings).settingsService.factoryReset(
                    deviceID: try appState.requiredDeviceID())
            }
        case "deleteData":
            await attempt {
                try await appState.forgetDevice(appState.deviceID, deletingData: true)
                appState.shownDeviceID = nil
                appState.messageEventBroadcaster.broadcast(.contactsChanged)
                appState.messageEventBroadcaster.broadcast(.conversationsChanged)
            }
        default: break
        }
        await load()
    }
}

extension SettingField {
    /// Refuses a value that is not allowed.
    func check(_ value: String) throws(StackError) {
        let isGood =
            switch kind {
            case .toggle: value == "true" || value == "false"
            case .choice: options?.contains { $0.value == value } ?? false
            case .text: value.utf8.count <= byteLimit ?? .max
            case .number:
                Double(value).map { $0 >= minimum ?? -.infinity && $0 <= maximum ?? .infinity } ?? false
            case .info, .action: false
            }
        if !isGood { throw StackError(.settings, .outOfRange(field: label)) }
    }
}
