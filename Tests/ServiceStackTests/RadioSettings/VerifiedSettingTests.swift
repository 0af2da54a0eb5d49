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

/// Settings that are written, read back and compared.
@Suite struct VerifiedSettingTests {
    struct Setter: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (SettingsService) async throws -> DeviceDTO
        var holds: @Sendable (DeviceDTO) -> Bool
        /// Puts the radio's old value back, behind its OK.
        var spoil: @Sendable (inout Resp.SelfInfo) -> Void
    }

    static let parameters = RadioParameters(megahertz: 868.125, kilohertz: 125, spreadingFactor: 9, codingRate: 7)

    static let setters = [
        Setter(
            testDescription: "radio parameters", change: { try await $0.setRadioParamsVerified(parameters) },
            holds: { $0.radioParameters == parameters }, spoil: { $0.codingRate = 5 }),
        Setter(
            testDescription: "preset",
            change: { try await $0.applyPresetVerified(try #require(RadioPreset.all.first { $0.id == "nz-lr" })) },
            holds: { $0.matchingPreset()?.id == "nz-lr" }, spoil: { $0.spreadingFactor = 10 }),
        Setter(
            testDescription: "power", change: { try await $0.setTxPowerVerified(-3) }, holds: { $0.txPower == -3 },
            spoil: { $0.txPower = 22 }),
        Setter(
            testDescription: "name", change: { try await $0.setNodeNameVerified(String(repeating: "ä", count: 20)) },
            holds: { $0.nodeName == String(repeating: "ä", count: 15) }, spoil: { $0.name = "alice" }),
        Setter(
            testDescription: "location",
            change: { try await $0.setLocationVerified(GeoPoint(latitude: -12.345678, longitude: 179.999999)) },
            holds: { $0.latitude == -12.345678 && $0.longitude == 179.999999 }, spoil: { $0.longitude = 11_516_667 }),
        Setter(
            testDescription: "manual add", change: { try await $0.setOtherParamsVerified(.init(manualAdd: true)) },
            holds: { $0.manualAddContacts && $0.multiAcks == 0 }, spoil: { $0.manualAdd = 0 }),
        Setter(
            testDescription: "telemetry modes",
            change: {
                try await $0.setOtherParamsVerified(
                    .init(telemetryBase: 2, telemetryLocation: 1, telemetryEnvironment: 2))
            },
            holds: { ($0.telemetryModeBase, $0.telemetryModeLoc, $0.telemetryModeEnv) == (2, 1, 2) },
            spoil: { $0.telemetryModes = 0b10_00_10 }),
        Setter(
            testDescription: "multi acks", change: { try await $0.setOtherParamsVerified(.init(multiAcks: 1)) },
            holds: { $0.multiAcks == 1 && !$0.manualAddContacts }, spoil: { $0.multiAcks = 0 }),
        Setter(
            testDescription: "location sharing",
            change: { try await $0.setOtherParamsVerified(.init(sharesLocation: true)) },
            holds: { $0.advertLocationPolicy == 1 }, spoil: { $0.advertLocationPolicy = 0 }),
    ]

    @Test(.proves("SVC-139"), arguments: setters)
    func `a verified setter changes the radio, then the row, then tells`(_ setter: Setter) throws {
        let (row, stored, told, read) = try withMesh(.solo) { mesh in
            let app = try await mesh.app("alice")
            let told = Notes<DeviceDTO>()
            let service = app.settings()
            service.events.note(in: told) { if case .settingsChanged(let device) = $0 { device } else { nil } }
            let row = try await setter.change(service)
            let stored = try await app.store.fetchDevice(id: app.device.id)
            // As somebody else reads it who starts anew.
            let other = MeshCoreSession(transport: try await mesh.world.transport(to: "alice"), clock: mesh.clock)
            try await other.start()
            let info = try #require(await other.currentSelfInfo)
            return (row, stored, told.all, DeviceDTO(selfInfo: info, deviceInfo: nil, lastConnected: .distantPast))
        }

        #expect(setter.holds(row))
        #expect(setter.holds(read))
        #expect(stored == row && told == [row])
    }

    @Test(.proves("SVC-139"), arguments: setters)
    func `a radio that says OK and keeps its value is found out, and the row stays`(_ setter: Setter) throws {
        let radio = SettableRadio(spoil: setter.spoil)
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let told = Notes<DeviceDTO>()
            let service = bench.settings()
            service.events.note(in: told) { if case .settingsChanged(let device) = $0 { device } else { nil } }

            let error = await failure(of: .settings) { try await setter.change(service) }

            guard case .verificationFailed(let expected, let actual) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(expected != actual)
            #expect(expected.split(separator: " ").first == actual.split(separator: " ").first, "the same setting")
            let row = try await bench.store.fetchDevice(id: bench.device.id)
            #expect(row == bench.device)
            #expect(told.all.isEmpty)
        }
    }

    @Test(
        .proves("SVC-139"),
        arguments: [
            (2, true), (-2, true), (3, false), (-3, false),
        ])
    func `coordinates may differ by two millionths of a degree`(difference: Int32, isGood: Bool) throws {
        for isLatitude in [true, false] {
            let radio = SettableRadio(spoil: {
                if isLatitude { $0.latitude += difference } else { $0.longitude += difference }
            })
            let error = try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
                await failure(of: .settings) {
                    try await bench.settings().setLocationVerified(GeoPoint(latitude: 10, longitude: 20))
                }
            }
            #expect((error == nil) == isGood)
        }
    }

    @Test(.proves("SVC-139"), arguments: [(1, true), (2, false)])
    func `frequency and bandwidth may differ by a thousandth`(difference: UInt32, isGood: Bool) throws {
        for isFrequency in [true, false] {
            let radio = SettableRadio(spoil: {
                if isFrequency { $0.frequency += difference } else { $0.bandwidth -= difference }
            })
            let error = try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
                await failure(of: .settings) {
                    try await bench.settings().setRadioParamsVerified(Self.parameters)
                }
            }
            #expect((error == nil) == isGood)
        }
    }

    @Test(.proves("SVC-140", "SVC-R-115"), arguments: [UInt8(14), 22, 30])
    func `power is one signed byte from -9 to what the radio says, and nothing else is written`(greatest: UInt8) throws
    {
        var info = Frames.selfInfo
        info.maxTxPower = greatest
        let radio = SettableRadio(info)
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.settings()
            for power in [-9, -1, 0, 10, Int8(greatest)] {
                let row = try await service.setTxPowerVerified(power)
                #expect(row.txPower == power)
                #expect(await transport.sentFrames.suffix(2).first == [0x0C, UInt8(bitPattern: power)])
            }
            let count = await transport.sentFrames.count
            for power in [-10, Int8(greatest) + 1, .min, .max] {
                for isVerified in [true, false] {
                    let error = await failure(of: .settings) {
                        if isVerified {
                            try await service.setTxPowerVerified(power)
                        } else {
                            try await service.setTxPower(power)
                        }
                    }
                    #expect(error == .outOfRange(field: "power"))
                }
            }
            #expect(await transport.sentFrames.count == count)
        }
    }

    @Test(.proves("SVC-R-041"), arguments: [UInt64(1), 2, 3])
    func `setters at once wait for each other, whatever the order`(seed: UInt64) throws {
        let (row, errors) = try withMesh(.solo, order: .drawn(Seed(seed))) { mesh in
            let app = try await mesh.app("alice")
            let service = app.settings()
            async let manual = failure(of: .settings) {
                try await service.setOtherParamsVerified(.init(manualAdd: true))
            }
            async let acks = failure(of: .settings) {
                try await service.setOtherParamsVerified(.init(multiAcks: 1))
            }
            async let modes = failure(of: .settings) {
                try await service.setOtherParamsVerified(.init(telemetryBase: 2))
            }
            async let first = failure(of: .settings) { try await service.setNodeNameVerified("one") }
            async let second = failure(of: .settings) { try await service.setNodeNameVerified("two") }
            let errors = await [manual, acks, modes, first, second]
            return (try await service.refresh(), errors)
        }

        #expect(errors.allSatisfy { $0 == nil }, "no setter reads back what another has written")
        #expect(row.manualAddContacts && row.multiAcks == 1 && row.telemetryModeBase == 2)
        #expect(["one", "two"].contains(row.nodeName))
    }

    @Test func `changing the radio parameters leaves repeating as it is`() throws {
        var make = Frames.deviceInfo
        make.clientRepeat = 1
        let radio = SettableRadio(make: make)
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.settings()
            let row = try await service.setRadioParamsVerified(Self.parameters)
            #expect(row.clientRepeat == true)
            try await service.setRadioParams(Self.parameters)
            #expect(await transport.sentFrames.last?.count == 12)
            let off = try await service.setRadioParamsVerified(Self.parameters, repeats: false)
            #expect(off.clientRepeat == false)
        }
        // A radio that does not know it gets no byte for it.
        let old = SettableRadio()
        try withScriptedRadio(answers: { old.answer($0) }) { bench, transport in
            try await bench.settings().setRadioParams(Self.parameters)
            #expect(await transport.sentFrames.last?.count == 11)
        }
    }
}

extension ServiceBench {
    func settings(
        _ change: (inout StackProfile) -> Void = { _ in }, lowBattery: NotificationService? = nil
    ) -> SettingsService {
        var profile = StackProfile()
        change(&profile)
        return SettingsService(
            session: session, store: store, profile: profile, dependencies: dependencies, lowBattery: lowBattery)
    }
}
