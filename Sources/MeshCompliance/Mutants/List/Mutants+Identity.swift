import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshWire

// Section M: keys, signatures, restarts.
extension Mutant {
    static let identity: [Mutant] = keys + signatures + ends

    private static let keys: [Mutant] = [
        Mutant(
            "private-key-half", .reply, [195], "The first half of PRIVATE_KEY is not the key's.",
            .reply(Resp.PrivateKey.self) { frame in for index in 0..<32 { frame.privateKey[index] = 0x40 } }),
        Mutant(
            "disabled-as-error", .errorCode, [195], "A build without keys refuses as UNSUPPORTED_CMD.",
            .bytes(of: Resp.Disabled.self) { bytes, _ in
                bytes = [ResponseCode.err.rawValue, ErrorCode.unsupportedCmd.rawValue]
            }),
        Mutant(
            "imported-key-after-boot", .late, [196], "An imported key is the node's after the next boot.",
            .executed(.importPrivateKey) { radio, before in radio.core.identity = before.core.identity }),
        Mutant(
            "imported-key-not-stored", .lost, [196], "An imported key is gone after a loss of power.",
            .notStored(.importPrivateKey)),
        Mutant(
            "any-key-imported", .lax, [197], "A key that cannot be used is answered with OK.",
            .error(of: .importPrivateKey) { bytes, _ in
                if bytes[1] == ErrorCode.illegalArg.rawValue { bytes = Resp.OK().encoded() }
            }),
        Mutant(
            "key-storage-ignored", .lax, [197], "A key that cannot be stored is answered with OK.",
            .error(of: .importPrivateKey) { bytes, _ in
                if bytes[1] == ErrorCode.fileIOError.rawValue { bytes = Resp.OK().encoded() }
            }),
        Mutant(
            "import-keeps-contacts", .kept, [198], "Importing a key leaves the contacts as they are.",
            .executed(.importPrivateKey) { radio, before in radio.contacts = before.contacts }),
    ]

    private static let signatures: [Mutant] = [
        Mutant(
            "signs-last-chunk", .lost, [199, 201], "Only the last chunk is signed.",
            .command(.signData) { _, radio in
                if radio.signing != nil { radio.signing = SigningSession() }
                return .executed
            }),
        Mutant(
            "sign-limit-8191", .offByOne, [199, 201], "SIGN_START promises 8191 bytes.",
            .reply(Resp.SignStart.self) { $0.maxLength -= 1 }),
        Mutant(
            "signing-never-ends", .kept, [199], "SIGN_FINISH leaves the session open.",
            .executed(.signFinish) { radio, before in radio.signing = before.signing }),
        Mutant(
            "sign-data-starts", .lax, [200], "SIGN_DATA begins a session by itself.",
            .command(.signData) { frame, radio in
                if radio.signing == nil, frame.count > 1 { radio.signing = SigningSession() }
                return .executed
            }),
        Mutant(
            "overlong-signing-ends", .lost, [201], "Data that does not fit ends the session.",
            .executed(.signData) { radio, before in
                if radio.signing?.data.count == before.signing?.data.count { radio.signing = nil }
            }),
        Mutant(
            "sign-start-continues", .kept, [202], "SIGN_START goes on with a session that is open.",
            .executed(.signStart) { radio, before in if let open = before.signing { radio.signing = open } }),
        Mutant(
            "signing-lost-at-reconnect", .lost, [203], "A new connection ends the signing session.",
            .linkChanged { radio, _, _ in radio.signing = nil }),
        Mutant(
            "signature-swapped", .byteOrder, [199, 202], "The halves of a signature are swapped.",
            .reply(Resp.Signature.self) {
                $0.signature = FixedBytes($0.signature.array[32...] + $0.signature.prefix(32))
            }),
    ]

    private static let ends: [Mutant] = [
        Mutant(
            "reboot-text-in-capitals", .lax, [204], "The text of REBOOT may be in capital letters.",
            .misread(.reboot) { frame in frame = frame.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 } }),
        Mutant(
            "reboot-answered", .unasked, [204], "REBOOT is answered with OK.",
            .command(.reboot) { frame, radio in
                if frame.count >= 7, Array(frame[1...6]) == [UInt8]("reboot".utf8) { radio.ok() }
                return .executed
            }),
        Mutant(
            "reset-text-ignored", .lax, [205], "FACTORY_RESET is answered with OK whatever its text.",
            .error(of: .factoryReset) { bytes, _ in bytes = Resp.OK().encoded() }),
        Mutant(
            "reset-keeps-channels", .kept, [205, 243], "FACTORY_RESET leaves the channels.",
            keepsFile(CompanionStorage.channelsPath)),
        Mutant(
            "reset-keeps-identity", .kept, [243], "FACTORY_RESET leaves the identity.",
            keepsFile(CompanionStorage.identityPath)),
        Mutant(
            "reset-keeps-contacts", .kept, [243], "FACTORY_RESET leaves the contacts.",
            keepsFile(CompanionStorage.contactsPath)),
        Mutant(
            "failed-reset-reported", .unasked, [206], "A radio that cannot be erased says FILE_IO_ERROR and goes on.",
            .command(.factoryReset) { _, radio in radio.flash.failsToFormat ? .refused(.fileIOError) : .executed }),
    ]

    private static func keepsFile(_ path: String) -> Defect {
        .executed(.factoryReset) { radio, before in
            if let file = before.flash[path], radio.flash.files.isEmpty { _ = radio.flash.write(file, to: path) }
        }
    }
}
