import MeshCompanion

extension Grounds {
    static let settings: [Grounds] = [
        Grounds(
            50, "08 + 40×41", "00; SELF_INFO name = 31×41",
            "A long name comes back cut, without an error.", .command(.setAdvertName)),
        Grounds(
            51, "08 00", "00",
            "A name field that holds a NUL or nothing gives a nameless node.", .command(.setAdvertName)),
        Grounds(
            52, "08 + 20×C3 A9", "name ends with a lone C3",
            "A name can come back as broken UTF-8, which a strict decoder rejects.", .command(.setAdvertName)),
        Grounds(
            53, "0E 814A5D05 00000000", "01 06",
            "A position outside of the globe is refused and the old one stays.", .command(.setAdvertLatlon)),
        Grounds(
            54, "0E lat lon alt (13 bytes)", "00",
            "Apps send an altitude that the radio has no place for.", .command(.setAdvertLatlon)),
        Grounds(
            55, "0E DC1CFE00 00000000 (16653532)", "SELF_INFO lat = 16653531",
            "A position read back need not equal the one written.", .command(.setAdvertLatlon), .command(.appStart)),
        Grounds(
            56, "06 now−1", "01 06",
            "Setting the time of a radio that is ahead is an error that a user must not see.", .command(.setDeviceTime)),
        Grounds(
            57, "06 FFFFFFFF", "00",
            "A wrong time far ahead cannot be taken back by a client.", .command(.setDeviceTime)),
        Grounds(
            58, "0B freq=149999 …", "01 06",
            "A radio keeps working when an app sends impossible parameters.", .command(.setRadioParams)),
        Grounds(
            59, "0B 9C3C0D00 90D00300 0B 06", "00",
            "The app sees at once whether the radio has taken the parameters.", .command(.setRadioParams),
            .command(.appStart)),
        Grounds(
            60, "0B 72440D00 24F40000 08 05 01", "01 06",
            "Repeating is allowed on few frequencies only, by law.", .command(.setRadioParams),
            .command(.getAllowedRepeatFreq)),
        Grounds(
            61, "11-byte 0B … while repeating", "00; DEVICE_INFO[80] = 0",
            "An older app that changes the parameters also stops repeating.", .command(.setRadioParams)),
        Grounds(
            62, "3C", "1A 433000 433000 869495 869495 918000 918000 (25 bytes)",
            "An app offers repeating only where the radio allows it.", .command(.getAllowedRepeatFreq)),
        Grounds(
            63, "0C F6, 0C 17 (max 22)", "01 06",
            "The limit differs by board and is named by the radio.", .command(.setRadioTxPower)),
        Grounds(
            64, "0C 05 00 00 00", "00",
            "Clients that send four bytes get the power they mean.", .command(.setRadioTxPower)),
        Grounds(
            65, "15 DC050000 D0070000 then 2B", "00; 17 DC050000 D0070000",
            "Tuning is for experts, and the radio does not judge it.", .command(.setTuningParams),
            .command(.getTuningParams)),
        Grounds(
            66, "15 2041 4082", "17 2040 4081",
            "Tuning values read back may be one lower.", .command(.setTuningParams), .command(.getTuningParams)),
        Grounds(
            67, "15 50000 20000, reboot, 2B", "17 20000 9000",
            "Senseless tuning does not outlive a restart.", .command(.setTuningParams)),
        Grounds(
            68, "26 01; 26 00 15; 26 00 15 01 02",
            "00; SELF_INFO 44..47 = multi_acks, loc_policy, telemetry, manual_add",
            "An older app that sends fewer fields leaves the newer settings alone.", .command(.setOtherParams),
            .command(.appStart)),
        Grounds(
            69, "26 FF FF", "telemetry 3F, manual_add FF",
            "The three telemetry modes have two bits each; the rest of the byte is not kept.", .command(.setOtherParams)
        ),
        Grounds(
            70, "3D 00 03; 3D 01 00", "01 06; 01 01",
            "An app can tell an impossible mode from a firmware without modes.", .command(.setPathHashMode)),
        Grounds(
            71, "3D 00 01, 07 01", "packet on air with path_len 40",
            "Longer hashes make long paths unambiguous and messages shorter.", .command(.setPathHashMode), .air),
        Grounds(
            72, "25 9F860100", "01 06",
            "A PIN of six digits is what phones ask for.", .command(.setDevicePin)),
        Grounds(
            73, "3A FF FF, 3B", "00; 19 FF 40",
            "An app sees which nodes the radio adds by itself.", .command(.setAutoaddConfig),
            .command(.getAutoaddConfig)),
        Grounds(
            74, "40", "1C or 1C name31 key16",
            "The length says whether a scope is set.", .command(.getDefaultFloodScope)),
        Grounds(
            75, "3F 00×31 key16", "01 06",
            "A scope without a name is refused, since people could not tell it.", .command(.setDefaultFloodScope)),
        Grounds(
            76, "3F … 47 bytes", "00; 40 → 1C",
            "Every short frame clears the scope, also a mistaken one.", .command(.setDefaultFloodScope)),
        Grounds(
            77, "scope 'Region' then 'AB', 40", "1C 41 42 00 69 6F 6E 00 …",
            "Names have to be cut at their first NUL.", .command(.setDefaultFloodScope), .command(.getDefaultFloodScope)
        ),
        Grounds(
            78, "36 00 55×16, channel text", "flood with transport codes (code1 = 0)",
            "A message can be kept within a region without changing the setting.", .command(.setFloodScopeKey),
            .section("9.11")),
        Grounds(
            79, "36 02; 36 00 55×15", "01 01; 00",
            "A key of the wrong size must not scope messages with half a key.", .command(.setFloodScopeKey)),
        Grounds(
            80, "default scope set, 36 01, 07 01", "advert is still scoped",
            "Adverts stay in the region of the node, whatever an app sends in.", .command(.setDefaultFloodScope),
            .command(.sendSelfAdvert), .section("9.11")),
        Grounds(
            81, "36 00 key, reconnect, channel text", "scoped; unscoped after reboot",
            "An app need not set its scope again after a lost link, but after a restart.", .command(.setFloodScopeKey),
            .section("2.9")),
        Grounds(
            82, "set everything, power-cycle, APP_START", "identical SELF_INFO / DEVICE_INFO",
            "What was answered OK is still there after a power cut.", .section("5.1"), .section("2.9")),
    ]
}
