import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshWire

// Section F: settings; flood scopes are in `Mutants+Scopes`.
extension Mutant {
    static let settings: [Mutant] = nameAndPlace + clockAndRadio + behaviour + storage

    private static let nameAndPlace: [Mutant] = [
        Mutant(
            "name-of-32-bytes", .limit, [50], "A name is cut at 32 bytes.",
            .executed(.setAdvertName) { radio, _ in
                let name = radio.receiveBuffer[1..<radio.frameLength].prefix(32)
                radio.preferences.name = ByteText(bytes: [UInt8](name)).untilNUL
            }),
        Mutant(
            "name-goes-on-behind-nul", .stale, [51], "What stands behind the NUL belongs to the name.",
            .executed(.setAdvertName) { radio, _ in
                let name = radio.receiveBuffer[1..<radio.frameLength].prefix(31)
                radio.preferences.name = ByteText(bytes: [UInt8](name))
            }),
        Mutant(
            "name-cut-at-characters", .limit, [52], "A long name is cut between characters.",
            .executed(.setAdvertName) { radio, _ in
                var name = radio.preferences.name.bytes
                while name.count == 31, name.last.map({ $0 & 0xC0 == 0xC0 }) == true { name.removeLast() }
                radio.preferences.name = ByteText(bytes: name)
            }),
        Mutant(
            "poles-refused", .offByOne, [53], "A latitude of exactly 90° is refused.",
            .refuses(.setAdvertLatlon, with: .illegalArg) { frame in
                frame.count >= 5 && Array(frame[1..<5]) == [0x80, 0x4A, 0x5D, 0x05]
            }),
        Mutant(
            "position-clamped", .lax, [53], "A position outside its range is brought into it.",
            .error(of: .setAdvertLatlon) { bytes, _ in bytes = Resp.OK().encoded() }),
        Mutant(
            "altitude-refused", .strict, [54], "A position with an altitude is refused.",
            .refuses(.setAdvertLatlon, with: .unsupportedCmd) { $0.count > 9 }),
        Mutant(
            "self-info-place-swapped", .byteOrder, [53, 54], "SELF_INFO has the longitude before the latitude.",
            .reply(Resp.SelfInfo.self) { swap(&$0.latitude, &$0.longitude) }),
    ]

    private static let clockAndRadio: [Mutant] = [
        Mutant(
            "clock-in-local-time", .reply, [56], "The clock is set an hour ahead of the time given.",
            .executed(.setDeviceTime) { radio, before in
                if radio.core.unixTime != before.core.unixTime { radio.core.setUnixTime(radio.core.unixTime + 3600) }
            }),
        Mutant(
            "same-time-refused", .offByOne, [56], "The time that the clock shows is refused.",
            .command(.setDeviceTime) { frame, radio in
                frame.dropFirst().starts(with: CompanionRadio.bytes(of: radio.core.unixTime))
                    ? .refused(.illegalArg) : .executed
            }),
        Mutant(
            "clock-signed", .limit, [57], "Times from 2038 on are refused.",
            .refuses(.setDeviceTime, with: .illegalArg) { $0.count >= 5 && $0[4] >= 0x80 }),
        Mutant(
            "low-spreading-factors-refused", .limit, [58], "Spreading factors below 7 are refused.",
            .refuses(.setRadioParams, with: .illegalArg) { $0.count >= 11 && $0[9] < 7 }),
        Mutant(
            "coding-rate-nine", .offByOne, [58], "Coding rate 9 is taken for 8.",
            .misread(.setRadioParams) { frame in if frame.count >= 11, frame[10] == 9 { frame[10] = 8 } }),
        Mutant(
            "narrow-bandwidth-refused", .limit, [58], "Bandwidths below 7.8 kHz are refused.",
            .refuses(.setRadioParams, with: .illegalArg) { frame in
                frame.count >= 9 && frame[7] == 0 && frame[8] == 0 && Int(frame[5]) | Int(frame[6]) << 8 < 7800
            }),
        Mutant(
            "radio-reported-after-boot", .stale, [59], "SELF_INFO reports the radio parameters of the last boot.",
            .executed(.setRadioParams) { radio, before in
                radio.preferences.frequency = before.preferences.frequency
                radio.preferences.bandwidth = before.preferences.bandwidth
                radio.preferences.spreadingFactor = before.preferences.spreadingFactor
                radio.preferences.codingRate = before.preferences.codingRate
            }),
        Mutant(
            "radio-tuned-after-boot", .late, [59],
            "Radio parameters are reported at once and used after the next boot.",
            .executed(.setRadioParams) { radio, before in radio.core.tune(before.core.parameters) }),
        Mutant(
            "frequency-in-hertz", .reply, [59, 60], "SELF_INFO reports the frequency in Hz.",
            .reply(Resp.SelfInfo.self) { $0.frequency &*= 1000 }),
        Mutant(
            "repeat-anywhere", .lax, [60], "Repeating is allowed on every frequency.",
            .board { $0.allowedRepeatFrequencies = [150_000...2_500_000] }),
        Mutant(
            "repeat-kept", .kept, [61], "Radio parameters without the repeat byte leave repeating as it is.",
            .executed(.setRadioParams) { radio, before in
                if radio.frameLength < 12 { radio.preferences.repeats = before.preferences.repeats }
            }),
        Mutant(
            "repeat-list-short", .offByOne, [62], "The last range of GET_ALLOWED_REPEAT_FREQ is missing.",
            .reply(Resp.AllowedRepeatFreq.self) { _ = $0.ranges.popLast() }),
        Mutant(
            "power-unsigned", .strict, [63], "Transmit powers below zero are refused.",
            .refuses(.setRadioTxPower, with: .illegalArg) { $0.count > 1 && $0[1] >= 0x80 }),
        Mutant(
            "power-one-more", .offByOne, [63], "One dBm more than the board can send is taken for the most.",
            .command(.setRadioTxPower) { frame, radio in
                let top = radio.core.board.maxTxPower
                if frame.count > 1, Int8(bitPattern: frame[1]) == top + 1 { frame[1] = UInt8(bitPattern: top) }
                return .executed
            }),
        Mutant(
            "power-of-four-bytes", .length, [64], "Transmit power is read as four bytes.",
            .refuses(.setRadioTxPower, with: .illegalArg) { $0.count >= 5 && $0[2...4] != [0, 0, 0] }),
        Mutant(
            "tuning-swapped", .byteOrder, [65], "TUNING_PARAMS has the airtime factor first.",
            .reply(Resp.TuningParams.self) { swap(&$0.receiveDelay, &$0.airtimeFactor) }),
        Mutant(
            "tuning-unclamped", .limit, [67], "Tuning parameters out of range survive a boot.",
            .booted { radio in
                guard let content = radio.flash[CompanionPreferences.path] else { return }
                radio.preferences.load(content)
            }),
    ]

    private static let behaviour: [Mutant] = [
        Mutant(
            "other-params-cleared", .lost, [68], "Fields that SET_OTHER_PARAMS leaves out become zero.",
            .executed(.setOtherParams) { radio, _ in
                if radio.frameLength < 5 { radio.preferences.multiAcks = 0 }
                if radio.frameLength < 4 { radio.preferences.advertLocationPolicy = 0 }
            }),
        Mutant(
            "manual-add-flag", .reply, [69, 238], "Of manual_add one bit is stored.",
            .executed(.setOtherParams) { radio, _ in radio.preferences.manualAdd &= 1 }),
        Mutant(
            "multi-acks-limited", .limit, [69], "At most two acknowledgements can be asked for.",
            .executed(.setOtherParams) { radio, _ in radio.preferences.multiAcks = min(radio.preferences.multiAcks, 2) }
        ),
        Mutant(
            "telemetry-modes-in-nibbles", .reply, [68, 69], "SELF_INFO has the telemetry modes two bits higher.",
            .reply(Resp.SelfInfo.self) { $0.telemetryModes = $0.telemetryModes << 2 }),
        Mutant(
            "hash-mode-three", .offByOne, [70], "Path hash mode 3 is taken for 2.",
            .misread(.setPathHashMode) { frame in if frame.count > 2, frame[2] == 3 { frame[2] = 2 } }),
        Mutant(
            "hash-mode-unused", .air, [71], "Floods begin with one-byte hashes, whatever the mode.",
            .packet { bytes in
                guard var sent = SentBytes(bytes), sent.isFlood, sent.path.isEmpty else { return }
                sent.pathLength = 0
                bytes = sent.bytes
            }),
        Mutant(
            "pin-of-five-digits", .lax, [72], "A PIN of five digits is answered with OK.",
            .error(of: .setDevicePin) { bytes, context in
                if context.radio.receiveBuffer[1...4] == [0x9F, 0x86, 0x01, 0x00] { bytes = Resp.OK().encoded() }
            }),
        Mutant(
            "hop-limit-63", .offByOne, [73], "The hop limit of auto-add is at most 63.",
            .executed(.setAutoaddConfig) { radio, _ in
                radio.preferences.autoAddMaxHops = min(radio.preferences.autoAddMaxHops, 63)
            }),
        Mutant(
            "auto-add-five-bits", .reply, [73], "The unused bits of the auto-add mask are dropped.",
            .executed(.setAutoaddConfig) { radio, _ in radio.preferences.autoAdd &= 0x1F }),
    ]

    private static let storage: [Mutant] = [
        Mutant("name-not-stored", .lost, [82], "A new name is gone after a loss of power.", .notStored(.setAdvertName)),
        Mutant(
            "radio-not-stored", .lost, [82], "Radio parameters are gone after a loss of power.",
            .notStored(.setRadioParams)),
        Mutant(
            "auto-add-not-stored", .lost, [82], "The auto-add settings are gone after a loss of power.",
            .notStored(.setAutoaddConfig), .notStored(.setPathHashMode), .notStored(.setDefaultFloodScope)),
    ]
}
