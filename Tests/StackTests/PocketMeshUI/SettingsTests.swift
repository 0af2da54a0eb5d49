import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

@testable import PocketMeshUI

@Suite struct SettingsTests {
    private static func model(_ bench: AppBench) async -> SettingsViewModel {
        let settings = await SettingsViewModel()
        await settings.configure(appState: bench.app)
        await settings.load()
        return settings
    }

    @Test func `without a radio there are no radio's sections`() throws {
        try withApp { bench in
            let settings = await Self.model(bench)
            #expect(settings.sections.map(\.id) == [.noDevice, .notifications, .messages, .quickReplies, .about])
            let about = settings.section(.about)?.fields ?? []
            #expect(about.map(\.id) == ["version", "license", "libraries"] && about.allSatisfy { $0.kind == .info })
            await settings.perform("connect")
            #expect(bench.app.onboardingStep == .deviceScan)
        }
    }

    @Test func `what was changed is written, read back and shown, and nothing else`() throws {
        try withApp { bench in
            try await bench.connect()
            let settings = await Self.model(bench)
            #expect(settings.sections.map(\.id) == SettingsSectionID.allCases.filter { $0 != .noDevice })
            settings.set("name", to: "Alice Two")
            settings.set("latitude", to: "48.5")
            #expect(settings.section(.node)?.hasChanges == true)
            #expect(settings.section(.telemetry)?.hasChanges == false)
            #expect(await settings.save(.node))
            #expect(settings.feedback == "Saved." && settings.section(.node)?.hasChanges == false)
            #expect(bench.app.connectedDevice?.nodeName == "Alice Two" && bench.app.connectedDevice?.latitude == 48.5)

            settings.set("name", to: String(repeating: "x", count: 32))
            #expect(await !settings.save(.node))
            #expect(settings.error?.code == "out-of-range")
            settings.discard(.node)
            #expect(settings.section(.node)?.hasChanges == false)

            settings.set("telemetryBase", to: "2")
            settings.set("autoAdd", to: "false")
            #expect(await settings.save(.telemetry))
            #expect(bench.app.connectedDevice?.telemetryModeBase == 2)
            #expect(bench.app.connectedDevice?.manualAddContacts == false, "another section is not saved with it")
            #expect(await settings.save(.contacts))
            #expect(bench.app.connectedDevice?.manualAddContacts == true)
        }
    }

    @Test func `radio parameters keep to their ranges, and a preset is found again`() throws {
        try withApp { bench in
            try await bench.connect()
            let settings = await Self.model(bench)
            settings.set("spreadingFactor", to: "13")
            #expect(await !settings.save(.advancedRadio))
            settings.discard(.advancedRadio)
            settings.set("usRanges", to: "true")
            let frequency = settings.section(.advancedRadio)?.fields.first { $0.id == "frequency" }
            #expect(frequency?.minimum == 902 && frequency?.maximum == 928 && frequency?.step == 0.125)
            settings.set("usRanges", to: "false")
            #expect(settings.section(.advancedRadio)?.warnings.count == 2)
            settings.set("power", to: "10")
            #expect(await settings.save(.advancedRadio))
            #expect(bench.app.connectedDevice?.txPower == 10)

            settings.set("preset", to: "nz-narrow")
            #expect(await settings.save(.radioPreset))
            #expect(settings.section(.radioPreset)?.fields.first?.value == "nz-narrow")
            #expect(bench.app.connectedDevice?.frequencyKHz == 917_375)
        }
    }

    @Test func `the preset of the United States is shown and kept within their ranges`() throws {
        try withApp { bench in
            try await bench.connect()
            let settings = await Self.model(bench)
            settings.set("preset", to: "us-ca")
            #expect(await settings.save(.radioPreset))
            settings.set("usRanges", to: "true")

            let bandwidth = settings.section(.advancedRadio)?.fields.first { $0.id == "bandwidth" }
            #expect(bandwidth?.value == "62.5")
            #expect(bandwidth?.options?.map(\.value) == ["62.5", "125.0", "250.0", "500.0"])
            settings.set("power", to: "10")
            #expect(await settings.save(.advancedRadio), "the power alone was changed")
            #expect(bench.app.connectedDevice?.txPower == 10)

            settings.set("frequency", to: "910.6")
            #expect(await !settings.save(.advancedRadio))
            #expect(settings.error?.code == "out-of-range")
        }
    }

    @Test func `switches of notifications and quick replies are kept in the store`() throws {
        try withApp { bench in
            let settings = await Self.model(bench)
            settings.set("channelMessages", to: "false")
            #expect(await settings.save(.notifications))
            let preferences = try await NotificationPreferences.load(from: bench.app.store)
            #expect(!preferences.channelMessagesEnabled && preferences.contactMessagesEnabled)
            for field in try bench.required(settings.section(.notifications)).fields {
                settings.set(field.id, to: field.value == "true" ? "false" : "true")
            }
            #expect(await settings.save(.notifications))
            let turned = try await NotificationPreferences.load(from: bench.app.store)
            for path: KeyPath<NotificationPreferences, Bool> in [
                \.contactMessagesEnabled, \.channelMessagesEnabled, \.roomMessagesEnabled,
                \.newContactDiscoveredEnabled,
                \.lowBatteryEnabled, \.soundEnabled, \.badgeEnabled,
            ] {
                #expect(turned[keyPath: path] != preferences[keyPath: path])
            }
            settings.set("quickReplies", to: "Fine\n\nLater")
            #expect(await settings.save(.quickReplies))
            #expect(settings.section(.quickReplies)?.fields.first?.value == "Fine\nLater")
        }
    }

    @Test func `attempts are chosen for the next connection, and kept in the store`() throws {
        try withApp { bench in
            try await bench.connect()
            let settings = await Self.model(bench)
            #expect(settings.section(.messages)?.fields.first?.value == "balanced")
            settings.set("retries", to: "direct-first")
            #expect(await settings.save(.messages))
            #expect(settings.section(.messages)?.fields.first?.value == "direct-first")
            #expect(bench.app.profile.messages.queueLimit == 0, "the services of a connection keep theirs")

            await bench.app.disconnect()
            try await bench.connect()
            #expect(bench.app.profile.messages == StackProfile.prd.messages)
            #expect(bench.app.profile.channels.slotCap == 8)
            #expect(try await bench.app.store.setting(forKey: AppState.SettingKey.retries) == "direct-first")
        }
    }

    @Test func `the choice of attempts holds after a new start, unless the program names another`() throws {
        try withApp { bench in
            let store = bench.app.store
            try await store.setSetting("long", forKey: AppState.SettingKey.retries)
            var setup = AppState.Setup(transports: WorldLinks(mesh: bench.mesh), dependencies: bench.app.dependencies)
            let chosen = AppState(store: store, setup: setup)
            try await chosen.initialize()
            setup.retries = .short
            let given = AppState(store: store, setup: setup)
            try await given.initialize()

            #expect(chosen.profile.messages == StackProfile.upstreamFinal.messages)
            #expect(given.profile.messages == StackProfile.architectureV1.messages)
        }
    }

    @Test func `contacts are read anew on request, and as often as was chosen`() throws {
        try withApp { bench in
            try await bench.connect()
            let settings = await Self.model(bench)
            #expect(settings.section(.contacts)?.fields.first { $0.id == "fullSync" }?.value == "7")
            settings.set("fullSync", to: "2")
            #expect(await !settings.save(.contacts), "twice a week is no choice")
            settings.set("fullSync", to: "0")
            #expect(await settings.save(.contacts))
            #expect(settings.section(.contacts)?.fields.first { $0.id == "fullSync" }?.value == "0")
            #expect(try await FullContactSync.load(from: bench.app.store) == .always)
            #expect(bench.app.connectedDevice?.manualAddContacts == false, "the other setting is as it was")
            // Another app adds a contact to the radio.
            let services = try bench.required(bench.app.services)
            var record = ContactRecord()
            (record.publicKey, record.name) = (FixedBytes(repeatElement(9, count: 32)), FixedBytes(text: "Zed"))
            try await services.session.updateContact(record)
            await settings.perform("syncContacts")
            #expect(settings.error == nil)
            let device = try bench.required(bench.app.deviceID)
            #expect(try await bench.app.store.fetchContacts(deviceID: device).map(\.name).contains("Zed"))
        }
    }

    @Test func `dangerous actions want their word`() throws {
        try withApp { bench in
            try await bench.connect()
            let device = try #require(bench.app.connectedDevice?.id)
            let settings = await Self.model(bench)
            await settings.perform("deleteData")
            #expect(settings.error != nil)
            #expect(try await bench.app.store.fetchDevice(id: device) != nil)
            await settings.perform("deleteData", confirmation: "delete")
            #expect(try await bench.app.store.fetchDevice(id: device) == nil)
            #expect(bench.app.connectionState == .disconnected)
        }
    }

    @Test func `a radio is restarted on request, and erased for its word alone`() throws {
        try withApp { bench in
            try await bench.connect()
            func key() async -> [UInt8]? {
                await bench.mesh.world.withWorld { world in
                    world.node(labelled: "alice").flatMap { world.firmware($0)?.publicKey.array }
                }
            }
            let (first, services) = (await key(), bench.app.servicesVersion)
            let settings = await Self.model(bench)
            await settings.perform("factoryReset")
            #expect(settings.error?.code == "out-of-range")
            #expect(bench.app.servicesVersion == services, "nothing was sent")

            await settings.perform("reboot")
            #expect(await bench.wait { bench.app.servicesVersion > services && bench.app.connectionState == .ready })
            #expect(await key() == first)
            await settings.load()
            let fields = settings.section(.dangerZone)?.fields ?? []
            let word = try #require(fields.first { $0.id == "factoryReset" }?.confirmation)
            await settings.perform("factoryReset", confirmation: word)
            #expect(await bench.wait { await key().map { $0 != first } ?? false }, "it is another node")
        }
    }

    @Test func `the radio says what it is, and its number for pairing is set`() throws {
        try withApp { bench in
            try await bench.connect()
            try await bench.app.fetchDeviceBattery()
            let settings = await Self.model(bench)
            let device = try bench.required(bench.app.connectedDevice)
            let facts = settings.section(.deviceInfo)?.fields ?? []
            func fact(_ id: String) -> String? { facts.first { $0.id == id }?.value }
            #expect(facts.allSatisfy { $0.kind == .info })
            #expect(fact("nodeName") == device.nodeName && fact("publicKey") == Measures.hex(device.publicKey))
            #expect(fact("firmware")?.contains("(\(device.firmwareVersion))") == true)
            #expect(fact("battery")?.hasSuffix(" V)") == true)
            #expect(settings.section(.deviceInfo)?.warnings == [])

            settings.set("pin", to: "1000000")
            #expect(await !settings.save(.bluetooth))
            settings.set("pin", to: "654321")
            #expect(await settings.save(.bluetooth))
            #expect(settings.section(.bluetooth)?.fields.first?.value == "654321")
            #expect(bench.app.connectedDevice?.blePin == 654_321)
            await settings.perform("disconnect")
            #expect(bench.app.connectionState == .disconnected)
        }
    }

    @Test func `a position is given away only where that is switched on`() throws {
        try withApp { bench in
            try await bench.connect()
            let settings = await Self.model(bench)
            let share = settings.section(.node)?.fields.first { $0.id == "sharesLocation" }
            #expect(share?.value == "false" && share?.help?.isEmpty == false)
            settings.set("latitude", to: "48.5")
            #expect(await settings.save(.node))
            #expect(bench.app.connectedDevice?.advertLocationPolicy == 0, "a place by itself is no wish to tell it")
            settings.set("sharesLocation", to: "true")
            #expect(await settings.save(.node))
            #expect((bench.app.connectedDevice?.advertLocationPolicy ?? 0) != 0)
        }
    }

    @Test func `settings follow the firmware, and have the radio's own variables`() {
        var device = DeviceDTO(
            id: UUID(), publicKey: Data(repeating: 1, count: 32), nodeName: "alice", lastConnected: Rows.start)
        device.maxTxPower = 22
        func section(_ id: SettingsSectionID, firmware: UInt8) -> SettingsSection? {
            var contents = SettingsContents(device: device)
            contents.capabilities = Capabilities(firmware: firmware)
            contents.variables = [CustomVariable(name: "gps", value: "1")]
            return contents.sections.first { $0.id == id }
        }
        #expect(section(.deviceInfo, firmware: 2)?.warnings.count == 1)
        #expect(section(.deviceInfo, firmware: 13)?.warnings == [])
        #expect(section(.advancedRadio, firmware: 8)?.fields.contains { $0.id == "clientRepeat" } == false)
        #expect(section(.advancedRadio, firmware: 13)?.fields.contains { $0.id == "clientRepeat" } == true)
        let variable = section(.advanced, firmware: 13)?.fields.last
        #expect(variable?.id == "variable.gps" && variable?.label == "gps" && variable?.value == "1")
        #expect(variable?.byteLimit == 100)
    }

    @Test func `what only the radio knows is read on request, and trusted contacts are chosen`() throws {
        try withApp { bench in
            try await bench.connect()
            let bob = try await bench.know("bob")
            let settings = await Self.model(bench)
            #expect(settings.section(.advanced)?.fields.contains { $0.id == "airtimeFactor" } == false)
            await settings.loadAdvanced()
            #expect(settings.error == nil)
            #expect(settings.section(.advanced)?.fields.contains { $0.id == "airtimeFactor" } == true)
            settings.set("airtimeFactor", to: "2.5")
            #expect(await settings.save(.advanced))
            #expect(settings.section(.advanced)?.fields.first { $0.id == "airtimeFactor" }?.value == "2.5")
            let tuning = try await bench.app.services?.settingsService.getTuning()
            #expect(tuning?.airtimeFactor == 2500)

            let field = try #require(settings.section(.trustedContacts)?.fields.last)
            #expect(field.label == "bob" && field.value == "false")
            settings.set(field.id, to: "true")
            settings.set("filtersTelemetry", to: "true")
            #expect(await settings.save(.trustedContacts))
            #expect(try await bench.app.services?.trustedContacts.isTrusted(key: bob.publicKey) == true)
        }
    }
}
