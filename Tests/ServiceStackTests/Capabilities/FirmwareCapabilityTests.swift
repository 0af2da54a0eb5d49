import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// What older firmware cannot do, and how services say so.
@Suite struct FirmwareCapabilityTests {
    // MARK: The table

    private static let levels: [(level: UInt8, missing: [String])] = [
        (2, ["extendedDeviceInfo", "messagesWithSNR", "clientRepeat", "pathHashMode", "channelData"]),
        (3, ["clientRepeat", "allowedRepeatFrequencies", "pathHashMode", "channelData", "defaultFloodScope"]),
        (8, ["clientRepeat", "allowedRepeatFrequencies", "pathHashMode", "channelData", "defaultFloodScope"]),
        (9, ["pathHashMode", "channelData", "defaultFloodScope"]), (10, ["channelData", "defaultFloodScope"]),
        (11, []), (13, []),
    ]

    @Test(arguments: levels)
    func `a level decides what its firmware has`(level: UInt8, missing: [String]) {
        let capabilities = FirmwareCapabilities(level: level)

        let found = capabilities.missing.map(\.rawValue)
        #expect(found.filter(missing.contains) == missing)
        if level > 2 { #expect(found == missing) }
        #expect(capabilities.isSupported == (level >= 3))
    }

    @Test func `the level of each row is that of the release which brought its commands`() {
        for capability in FirmwareCapability.allCases {
            let release = capability.minimumRelease
            if let level = capability.minimumLevel { #expect(release.level == level, "\(capability) \(release)") }
            for command in capability.commands { #expect(FirmwareCapability(command) == capability) }
            #expect(!capability.title.isEmpty)
        }
        #expect(FirmwareCapability(.sendTxtMsg) == nil)
        #expect(Set(FirmwareCapability.allCases.map(\.title)).count == FirmwareCapability.allCases.count)
    }

    @Test func `a refused command takes its capability away, and nothing else`() throws {
        let capabilities = FirmwareCapabilities(level: nil, refused: [.getStats, .sendTxtMsg])

        #expect(capabilities.missing == [.statistics])
        #expect(capabilities.isSupported)
        #expect(throws: StackError(.settings, .needsFirmware(feature: "statistics", minimum: "1.11"))) {
            try capabilities.require(.statistics, for: .settings)
        }
        try capabilities.require(.pathHashMode, for: .settings)
    }

    // MARK: Services

    private static func make(level: UInt8) -> Resp.DeviceInfo {
        var make = Frames.deviceInfo
        make.firmwareVersionCode = level
        return make
    }

    @Test(arguments: everyOrder)
    func `what the firmware cannot do is refused before anything is written, and repeating is left off`(
        order: VirtualTime.Order
    ) throws {
        let radio = SettableRadio(make: Self.make(level: 8))
        try withScriptedRadio(order: order, answers: { radio.answer($0) }) { bench, transport in
            _ = try await bench.session.queryDevice()
            let service = bench.settings()
            let before = await transport.sentFrames.count

            let mode = await failure(of: .settings) { try await service.setPathHashModeVerified(1) }
            let repeats = await failure(of: .settings) {
                try await service.setRadioParamsVerified(VerifiedSettingTests.parameters, repeats: true)
            }
            let after = await transport.sentFrames.dropFirst(before).map { $0[0] }
            _ = try await service.setRadioParamsVerified(VerifiedSettingTests.parameters, repeats: false)

            #expect(mode == .needsFirmware(feature: "the length of path hashes", minimum: "1.14"))
            #expect(repeats == .needsFirmware(feature: "repeating", minimum: "1.13"))
            #expect(!after.contains(CommandCode.setPathHashMode.rawValue))
            #expect(!after.contains(CommandCode.setRadioParams.rawValue))
            let written = await transport.sentFrames.last { $0[0] == CommandCode.setRadioParams.rawValue }
            #expect(written?.count == 11, "no byte behind the parameters")
        }
    }

    @Test(arguments: everyOrder)
    func `a command that the radio does not know names the release, at once, and is remembered`(
        order: VirtualTime.Order
    ) throws {
        let radio = SettableRadio()
        let unknown: Set<CommandCode> = [.getStats, .sendBinaryReq, .sendPathDiscoveryReq, .sendAnonReq]
        let answers: @Sendable ([UInt8]) -> [[UInt8]] = { frame in
            let isUnknown = CommandCode(rawValue: frame[0]).map(unknown.contains) == true
            return isUnknown ? [Resp.Err(error: .unsupportedCmd).encoded()] : radio.answer(frame)
        }
        try withScriptedRadio(order: order, answers: answers) { bench, _ in
            let start = bench.clock.now
            let stats = await failure(of: .settings) { try await bench.settings().getStatsRadio() }
            let binary = BinaryProtocolService(
                session: bench.session, store: bench.store, profile: .architectureV2,
                dependencies: bench.dependencies, trusted: TrustedContactsManager(store: bench.store))
            let key = Data.key(7)
            let status = await failure(of: .requests) { try await binary.requestStatus(key: key, type: .repeater) }
            let path = await failure(of: .requests) { try await binary.sendPathDiscovery(key: key) }

            #expect(stats == .needsFirmware(feature: "statistics", minimum: "1.11"))
            #expect(status == .needsFirmware(feature: "requests to other nodes", minimum: "1.7.3"))
            #expect(path == .needsFirmware(feature: "path discovery", minimum: "1.8"))
            #expect(start.duration(to: bench.clock.now) < .seconds(1), "nobody waits for what never comes")
            #expect(await bench.session.capabilities.missing == [.statistics, .binaryRequests, .pathDiscovery])
        }
    }
}
