import MeshCompanion
import MeshFirmware
import MeshWire

// Section E: the beginning of a session.
extension Mutant {
    static let session: [Mutant] = [
        Mutant(
            "device-info-of-last-release", .stale, [40], "DEVICE_INFO reports protocol level 12.",
            .reply(Resp.DeviceInfo.self) { $0.firmwareVersionCode = 12 }),
        Mutant(
            "device-info-without-tail", .length, [40], "DEVICE_INFO ends behind the version, as it did before level 9.",
            .reply(Resp.DeviceInfo.self) {
                $0.clientRepeat = nil
                $0.pathHashMode = nil
            }),
        Mutant(
            "device-info-padding", .stale, [40], "The field of the build date is not cleared behind its NUL.",
            .reply(Resp.DeviceInfo.self) { $0.buildDate = FixedBytes([UInt8]("1 May 2026".utf8) + [0, 0x41]) }),
        Mutant(
            "device-info-for-old-apps", .length, [48], "Apps that announce version 1 get a shorter DEVICE_INFO.",
            .seenReply(Resp.DeviceInfo.self) { frame, context in
                guard context.radio.appVersion == 1 else { return }
                frame.clientRepeat = nil
                frame.pathHashMode = nil
            }),
        Mutant(
            "device-info-factory-pin", .stale, [49], "DEVICE_INFO reports the PIN of the build.",
            .reply(Resp.DeviceInfo.self) { $0.blePin = 123_456 }),
        Mutant(
            "version-two-is-new", .offByOne, [41], "An app of version 2 gets messages in the layout of version 3.",
            .executed(.deviceQuery) { radio, _ in if radio.appVersion == 2 { radio.appVersion = 3 } }),
        Mutant(
            "version-remembered-at-boot", .kept, [42], "The version in force is 3 after a boot.",
            .booted { $0.appVersion = 3 }),
        Mutant(
            "version-lost-at-reconnect", .lost, [43], "A new connection begins with version 0.",
            .linkChanged { radio, _, _ in radio.appVersion = 0 }),
        Mutant(
            "version-lost-at-app-start", .lost, [43], "APP_START sets the version in force to 0.",
            .executed(.appStart) { radio, _ in radio.appVersion = 0 }),
        Mutant(
            "version-taken-from-app-start", .lax, [45], "The first byte of APP_START counts as the app's version.",
            .executed(.appStart) { radio, _ in radio.appVersion = radio.receiveBuffer[1] }),
        Mutant(
            "name-taken-from-app-start", .lax, [45], "The app's name in APP_START becomes the node's.",
            .executed(.appStart) { radio, _ in
                guard radio.frameLength > 8 else { return }
                radio.preferences.name = ByteText(bytes: [UInt8](radio.receiveBuffer[8..<radio.frameLength]))
            }),
        Mutant(
            "self-info-name-with-nul", .length, [44, 51], "The name in SELF_INFO is followed by a NUL.",
            .bytes(of: Resp.SelfInfo.self) { bytes, _ in bytes.append(0) }),
        Mutant(
            "default-name-in-lower-case", .reply, [44], "A new node is named by its key in lower-case digits.",
            .booted { radio in
                let name = radio.preferences.name.bytes
                radio.preferences.name = ByteText(bytes: name.map { 0x41...0x46 ~= $0 ? $0 + 0x20 : $0 })
            }),
        Mutant(
            "app-start-keeps-listing", .kept, [46], "APP_START lets a listing go on.",
            .executed(.appStart) { radio, before in radio.listing = before.listing }),
        Mutant(
            "app-start-needed", .strict, [47], "Before APP_START the battery is not reported.",
            .executed(.appStart) { radio, _ in radio.mutation.note = [1] },
            .command(.getBattAndStorage) { _, radio in
                radio.mutation.note.isEmpty ? .refused(.badState) : .executed
            }),
    ]
}
