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

/// The limits of older firmware, and the errors with which services report them.
@Suite struct FirmwareCapabilityTests {
    // MARK: The table

    private static let levels: [(level: UInt8, missing: [String])] = [
        (2, ["extendedDeviceInfo", "messagesWithSNR", "clientRepeat", "pathHashMode", "channelData"]),
        (3, ["clientRepeat", "allowedRepeatFrequencies", "pathHashMode", "channelData", "defaultFloodScope"] + new),
        (8, ["clientRepeat", "allowedRepeatFrequencies", "pathHashMode", "channelData", "defaultFloodScope"] + new),
        (9, ["pathHashMode", "channelData", "defaultFloodScope"] + new),
        (10, ["channelData", "defaultFloodScope"] + new), (11, new), (13, newest), (14, []),
    ]
    /// The abilities that came with 1.16 and 1.18.
    private static let new = ["rawPackets", "unscopedFloods", "requestsToUnknownNodes"] + newest
    private static let newest = ["commandLine", "remoteCommands"]

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

    // MARK: Sessions

    /// Returns the frames that a session writes to a radio of a level after DEVICE_QUERY, and the call's error.
    private static func written(
        level: UInt8, by call: @escaping @Sendable (MeshCoreSession) async throws -> Void
    ) throws -> (frames: [[UInt8]], error: SessionError?) {
        let radio = SettableRadio(make: make(level: level))
        return try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            _ = try await bench.session.queryDevice()
            let before = await transport.sentFrames.count
            var error: SessionError?
            do { try await call(bench.session) } catch let thrown as SessionError { error = thrown }
            return (Array(await transport.sentFrames.dropFirst(before)), error)
        }
    }

    @Test(.proves("FWV-170"), arguments: [(10, 172), (11, 172), (13, 176), (14, 176)] as [(UInt8, Int)])
    func `a text to a contact is no longer than the radio's firmware takes`(level: UInt8, limit: Int) throws {
        let call: @Sendable (MeshCoreSession) async throws -> Void = { session in
            let key = [UInt8](repeating: 7, count: 32)
            _ = try await session.sendMessage(to: .bytes(key), text: String(repeating: "a", count: 160), timestamp: 1)
        }

        let written = try Self.written(level: level, by: call)

        if limit < 173 {
            #expect(written.error == .dataTooLarge(count: 173, limit: limit))
            #expect(written.frames.isEmpty)
        } else {
            #expect(written.frames.map(\.count) == [173])
        }
    }

    @Test(arguments: [(10, false), (11, false), (13, true), (14, true)] as [(UInt8, Bool)])
    func `floods without a scope are asked of firmware that has them`(level: UInt8, isSent: Bool) throws {
        let written = try Self.written(level: level) { try await $0.setUnscoped() }

        #expect(written.frames == (isSent ? [[0x36, 1]] : []))
        if !isSent { #expect(written.error == .featureDisabled(.setFloodScopeKey)) }
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
            let newer = FirmwareCapabilities(level: await bench.session.capabilities.level).missing
            #expect(
                await bench.session.capabilities.missing == [.statistics, .binaryRequests, .pathDiscovery] + newer)
        }
    }
}
