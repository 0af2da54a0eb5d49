import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Settings beside those that SELF_INFO has: codes, keys, variables, beginning anew.
@Suite struct SettingsServiceTests {
    /// Alice with a satellite receiver, alone.
    private static let placed: WorldDescription = {
        var board = BoardProfile.heltecV3
        board.hasGPS = true
        return WorldDescription(
            name: "placed", summary: "alice with a receiver",
            nodes: [NodeDescription("alice", .companion(.wifi), board: board)])
    }()

    private struct FixedSource: LocationSource {
        var place: GeoPoint?

        func currentLocation() async -> GeoPoint? { place }
    }

    @Test(.proves("SVC-141"))
    func `a factory reset writes its word, expects the link to end, and the next contact sync is full`() throws {
        let radio = SettableRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let contacts = bench.contacts()
            _ = try await contacts.syncContacts(deviceID: bench.device.id)
            try await bench.store.updateContactWatermark(deviceID: bench.device.id, to: 5000)
            _ = try await contacts.syncContacts(
                deviceID: bench.device.id, since: try await contacts.contactWatermark(deviceID: bench.device.id))
            #expect(await transport.sentFrames.last?.count == 5, "the sync before asks for changes")

            let reset = Task { try await bench.settings().factoryReset(deviceID: bench.device.id) }
            try await bench.clock.sleep(for: .seconds(1))
            #expect(await transport.sentFrames.last == [0x33] + Array("reset".utf8))
            await transport.simulateLoss()
            let hasEnded = try await reset.value
            #expect(hasEnded)

            try await bench.session.start()
            _ = try await contacts.syncContacts(
                deviceID: bench.device.id, since: try await contacts.contactWatermark(deviceID: bench.device.id))
            #expect(await transport.sentFrames.last == [4])
        }
    }

    @Test(.proves("SVC-141")) func `a radio that is reset restarts as another node`() throws {
        let (hasEnded, keys) = try withMesh(.solo) { mesh in
            let app = try await mesh.app("alice")
            let hasEnded = try await app.settings().factoryReset(deviceID: app.device.id)
            try await mesh.clock.sleep(for: .seconds(5))
            try await app.session.start()
            return (
                hasEnded, [app.device.publicKey, Data(try #require(await app.session.currentSelfInfo).publicKey.array)]
            )
        }

        #expect(hasEnded)
        #expect(keys[0] != keys[1])
    }

    @Test func `a radio that restarts ends the link; one that does not is given five seconds`() throws {
        let hasEnded = try withMesh(.solo) { mesh in try await mesh.app("alice").settings().reboot() }
        #expect(hasEnded)

        let radio = SettableRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let before = bench.clock.now
            #expect(try await !bench.settings().reboot())
            #expect(before.duration(to: bench.clock.now) == .seconds(5))
            #expect(await transport.sentFrames.last == [0x13] + Array("reboot".utf8))

            let refused = Task { try await bench.settings().factoryReset(deviceID: bench.device.id) }
            try await bench.clock.sleep(for: .seconds(1))
            await transport.simulateError(ErrorCode.fileIOError.rawValue)
            let error = await failure(of: .settings) { try await refused.value }
            #expect(error == .session(.refused(.factoryReset, .fileIOError)))
        }
    }

    @Test func `a PIN is none or six digits, and is read back`() throws {
        let radio = SettableRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.settings()
            for pin: UInt32 in [100_000, 999_999, 0] {
                let row = try await service.setDevicePinVerified(pin)
                #expect(row.blePin == pin)
            }
            let count = await transport.sentFrames.count
            for pin: UInt32 in [1, 99_999, 1_000_000, .max] {
                for isVerified in [true, false] {
                    let error = await failure(of: .settings) {
                        if isVerified {
                            try await service.setDevicePinVerified(pin)
                        } else {
                            try await service.setDevicePin(pin)
                        }
                    }
                    #expect(error == .outOfRange(field: "pin"))
                }
            }
            #expect(await transport.sentFrames.count == count)
        }
    }

    @Test(.proves("SVC-R-116")) func `location sharing that is switched off is off when it is read back`() throws {
        let policies = try withMesh(.solo) { mesh in
            let service = try await mesh.app("alice").settings()
            let on = try await service.setOtherParamsVerified(.init(sharesLocation: true))
            let off = try await service.setOtherParamsVerified(.init(sharesLocation: false))
            return [
                on.advertLocationPolicy, off.advertLocationPolicy, try await service.refresh().advertLocationPolicy,
            ]
        }

        #expect(policies == [1, 0, 0])
    }

    @Test(.proves("SVC-R-116"))
    func `a place entered by hand is replaced neither by the host's source nor by the radio's receiver`() throws {
        let home = GeoPoint(latitude: 48.1, longitude: 11.5)
        let elsewhere = FixedSource(place: GeoPoint(latitude: 10, longitude: 20))
        try withMesh(Self.placed) { mesh in
            let app = try await mesh.app("alice")
            let service = app.settings()
            #expect(try await !service.takeLocation(from: elsewhere), "nothing leaves unless it was asked for")
            try await service.setFollowsLocationSource(true)
            #expect(try await service.takeLocation(from: elsewhere))
            #expect(try await service.refresh().latitude == 10)
            try await service.setLocation(GeoPoint(latitude: 1, longitude: 2))
            #expect(try await service.refresh().latitude == 1)
            #expect(try await !service.takeLocation(from: elsewhere))
            try await service.setFollowsLocationSource(true)
            try await service.setCustomVariable(CustomVariable(name: "gps", value: "1"))

            let row = try await service.setLocationVerified(home)

            #expect(row.latitude == 48.1)
            #expect(try await !service.takeLocation(from: elsewhere))
            await mesh.world.withWorld { world in
                guard let node = world.node(labelled: "alice") else { return }
                world.withCompanion(node) { $0.gpsFix(latitude: 1_000_000, longitude: 2_000_000) }
            }
            try await mesh.clock.sleep(for: .seconds(60))
            let later = try await service.refresh()
            #expect((later.latitude, later.longitude) == (48.1, 11.5))
            #expect(try await service.getCustomVariables().contains(CustomVariable(name: "gps", value: "0")))
        }
    }

    @Test(.proves("SVC-R-113"))
    func `what is no number is refused before it is written, and never trapped on`() throws {
        let radio = SettableRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.settings()
            try await service.setFollowsLocationSource(true)
            let count = await transport.sentFrames.count
            for value in [Double.nan, .infinity, -.infinity, 1e300, -91] {
                let place = GeoPoint(latitude: value, longitude: 0)
                #expect(try await !service.takeLocation(from: FixedSource(place: place)))
                let error = await failure(of: .settings) { try await service.setLocationVerified(place) }
                #expect(error == .outOfRange(field: "latitude"))
                let radio = await failure(of: .settings) {
                    try await service.setRadioParams(
                        RadioParameters(megahertz: value, kilohertz: 250, spreadingFactor: 10, codingRate: 5))
                }
                #expect(radio == .outOfRange(field: "frequency"))
                let tuning = await failure(of: .settings) {
                    try await service.setTuning(receiveDelay: 0, airtimeFactor: -abs(value))
                }
                #expect(tuning == .outOfRange(field: "airtimeFactor"))
            }
            #expect(await transport.sentFrames.count == count)
        }
    }

    @Test(.proves("SVC-R-112")) func `a radio of level 10 without extension bytes has defaults in its row`() throws {
        var make = Frames.deviceInfo
        make.firmwareVersionCode = 10
        let radio = SettableRadio(make: make)
        let device = try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            try await bench.settings().refresh()
        }

        #expect(device.firmwareVersion == 10 && device.clientRepeat == nil && device.pathHashMode == 0)
    }

    @Test(.proves("SVC-R-046"))
    func `a build without key export says so at once, and other settings are not touched`() throws {
        let radio = SettableRadio()
        try withScriptedRadio(answers: { $0.first == 0x17 ? [[0x0F]] : radio.answer($0) }) { bench, _ in
            let service = bench.settings()
            let before = bench.clock.now

            async let row = service.setNodeNameVerified("kept")
            let error = await failure(of: .settings) { try await service.exportPrivateKey() }

            #expect(error == .session(.featureDisabled(.exportPrivateKey)))
            #expect(error?.code == "feature-disabled")
            let name = try await row.nodeName
            #expect(name == "kept")
            #expect(before == bench.clock.now)
        }
    }

    @Test func `keys travel, and an imported identity takes over the row and asks for a full sync`() throws {
        try withMesh(.solo) { mesh in
            let app = try await mesh.app("alice")
            let service = app.settings()
            let key = try await service.exportPrivateKey()
            #expect(key.count == 64)
            #expect(try await service.sign(Data("to be signed".utf8)).count == 64)
            var other = key
            other[8] ^= 0x55
            try await app.store.updateContactWatermark(deviceID: app.device.id, to: 9000)

            let row = try await service.importPrivateKey(other)

            #expect(row.id == app.device.id && row.publicKey != app.device.publicKey)
            #expect(row.lastContactSync == 0)
            #expect(try await service.exportPrivateKey() == other)
            let short = await failure(of: .settings) { try await service.importPrivateKey(key.dropLast()) }
            #expect(short == .outOfRange(field: "privateKey"))
        }
    }

    @Test func `variables, statistics and tuning of a radio`() throws {
        try withMesh(Self.placed) { mesh in
            let app = try await mesh.app("alice")
            let service = app.settings()
            #expect(try await service.getCustomVariables().first == CustomVariable(name: "gps", value: "0"))
            try await service.setCustomVariable(CustomVariable(name: "gps", value: "1"))
            #expect(try await service.getCustomVariables().first?.value == "1")
            let unknown = await failure(of: .settings) {
                try await service.setCustomVariable(CustomVariable(name: "colour", value: "red"))
            }
            #expect(unknown == .session(.refused(.setCustomVar, .illegalArg)))
            let broken = await failure(of: .settings) {
                try await service.setCustomVariable(CustomVariable(name: "a:b", value: "1"))
            }
            #expect(broken == .outOfRange(field: "name"))

            try await service.setTuning(receiveDelay: 1.5, airtimeFactor: 2)
            let tuning = try await service.getTuning()
            #expect((tuning.receiveDelay, tuning.airtimeFactor) == (1500, 2000))
            #expect(try await service.setPathHashModeVerified(1).pathHashMode == 1)
            #expect(try await service.getBattery().battery == 4200)
            #expect(try await service.getStatsCore().battery == 4200)
            #expect(try await service.getStatsRadio().noiseFloor < 0)
            _ = try await service.getStatsPackets()
            #expect(try await service.getDeviceInfo().firmwareVersionCode == 13)
            #expect(try await service.getSelfInfo().maxTxPower == 22)
            #expect(try await app.session.getRepeatFrequencies().map(\.low) == [433_000, 869_495, 918_000])
            let preset = try #require(RadioPreset.all.first { $0.id == "nz-lr" })
            try await service.applyPreset(preset)
            let row = try await service.refresh()
            #expect((row.frequencyMHz, row.bandwidthKHz) == (preset.parameters.megahertz, preset.parameters.kilohertz))
        }
    }

    @Test func `a change that waits is sent away when the service stops`() throws {
        try withScriptedRadio(answers: { $0.first == 8 ? [] : SettableRadio().answer($0) }) { bench, _ in
            let service = bench.settings()
            let first = Task { await failure(of: .settings) { try await service.setNodeName("one") } }
            try await bench.clock.sleep(for: .seconds(1))
            let second = Task { await failure(of: .settings) { try await service.setNodeName("two") } }
            try await bench.clock.sleep(for: .seconds(1))

            await service.stop()

            #expect(await second.value == .notConnected)
            #expect(await first.value == .session(.timeout(.setAdvertName, after: .seconds(5))))
        }
    }
}

extension ServiceBench {
    func contacts() -> ContactService {
        ContactService(session: session, store: store, profile: StackProfile(), dependencies: dependencies)
    }
}
