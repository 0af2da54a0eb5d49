import MeshCompanion

extension Rationale {
    static let settings: [Rationale] = [
        Rationale(
            50, says: "SET_ADVERT_NAME stores the first 31 bytes of a longer name and answers OK.",
            "08 + 40×41", "00; SELF_INFO name = 31×41",
            "A long name comes back cut, without an error.", .command(.setAdvertName)),
        Rationale(
            51,
            says: """
                A NUL ends the name in SET_ADVERT_NAME; 08 00 makes it empty, and SELF_INFO then has 58 bytes.
                """,
            "08 00", "00",
            "A name field that holds a NUL or nothing gives a nameless node.", .command(.setAdvertName)),
        Rationale(
            52, says: "SET_ADVERT_NAME takes any bytes, also broken UTF-8, and cutting may split a character.",
            "08 + 20×C3 A9", "name ends with a lone C3",
            "A name can come back as broken UTF-8, which a strict decoder rejects.", .command(.setAdvertName)),
        Rationale(
            53,
            says: """
                SET_ADVERT_LATLON accepts latitudes within ±90,000,000 and longitudes within ±180,000,000 \
                microdegrees, both limits included. Others are ILLEGAL_ARG and leave the stored position.
                """,
            "0E 814A5D05 00000000", "01 06",
            "A position outside of the globe is refused and the old one stays.", .command(.setAdvertLatlon)),
        Rationale(
            54, says: "SET_ADVERT_LATLON accepts an altitude behind the position and ignores it.",
            "0E lat lon alt (13 bytes)", "00",
            "Apps send an altitude that the radio has no place for.", .command(.setAdvertLatlon)),
        Rationale(
            55,
            says: """
                A coordinate v comes back in SELF_INFO as trunc(double(v / 1e6) · 1e6), so some values lose one unit: \
                16653532 becomes 16653531.
                """,
            "0E DC1CFE00 00000000 (16653532)", "SELF_INFO lat = 16653531",
            "A position read back need not equal the one written.", .command(.setAdvertLatlon), .command(.appStart)),
        Rationale(
            56,
            says: """
                SET_DEVICE_TIME accepts the time of the clock and later ones; an earlier one is ILLEGAL_ARG and leaves \
                the clock.
                """,
            "06 now−1", "01 06",
            "Setting the time of a radio that is ahead is an error that a user must not see.",
            .command(.setDeviceTime)),
        Rationale(
            57, says: "SET_DEVICE_TIME accepts every later time, up to FFFFFFFF.",
            "06 FFFFFFFF", "00",
            "A wrong time far ahead cannot be taken back by a client.", .command(.setDeviceTime)),
        Rationale(
            58,
            says: """
                SET_RADIO_PARAMS accepts 150,000 to 2,500,000 kHz, 7,000 to 500,000 Hz, spreading factors 5 to 12 and \
                coding rates 5 to 8. Everything else is ILLEGAL_ARG.
                """,
            "0B freq=149999 …", "01 06",
            "A radio keeps working when an app sends impossible parameters.", .command(.setRadioParams)),
        Rationale(
            59, says: "SET_RADIO_PARAMS takes effect at once, and the next SELF_INFO has the new parameters.",
            "0B 9C3C0D00 90D00300 0B 06", "00",
            "The app sees at once whether the radio has taken the parameters.",
            .command(.setRadioParams), .command(.appStart)),
        Rationale(
            60,
            says: """
                A repeat byte other than 0 is accepted in an allowed range only, by default 433,000, 869,495 and \
                918,000 kHz exactly. Elsewhere it is ILLEGAL_ARG, and nothing changes.
                """,
            "0B 72440D00 24F40000 08 05 01", "01 06",
            "Repeating is allowed on few frequencies only, by law.",
            .command(.setRadioParams), .command(.getAllowedRepeatFreq)),
        Rationale(
            61, says: "SET_RADIO_PARAMS without the repeat byte switches repeating off.",
            "11-byte 0B … while repeating", "00; DEVICE_INFO[80] = 0",
            "An older app that changes the parameters also stops repeating.", .command(.setRadioParams)),
        Rationale(
            62,
            says: """
                GET_ALLOWED_REPEAT_FREQ lists the allowed ranges as pairs of lowest and highest frequency, in kHz.
                """,
            "3C", "1A 433000 433000 869495 869495 918000 918000 (25 bytes)",
            "An app offers repeating only where the radio allows it.", .command(.getAllowedRepeatFreq)),
        Rationale(
            63,
            says: """
                SET_RADIO_TX_POWER accepts −9 dBm up to the maximum in byte 3 of SELF_INFO, as a signed byte; all else \
                is ILLEGAL_ARG.
                """,
            "0C F6, 0C 17 (max 22)", "01 06",
            "The limit differs by board and is named by the radio.", .command(.setRadioTxPower)),
        Rationale(
            64, says: "SET_RADIO_TX_POWER reads one byte and ignores what is behind it.",
            "0C 05 00 00 00", "00",
            "Clients that send four bytes get the power they mean.", .command(.setRadioTxPower)),
        Rationale(
            65, says: "SET_TUNING_PARAMS accepts every value, and GET_TUNING_PARAMS returns them.",
            "15 DC050000 D0070000 then 2B", "00; 17 DC050000 D0070000",
            "Tuning is for experts, and the radio does not judge it.",
            .command(.setTuningParams), .command(.getTuningParams)),
        Rationale(
            66,
            says: """
                A tuning value is divided by 1000, kept as a 32-bit float, multiplied by 1000 and truncated; some come \
                back one lower, as 2041 and 4082 do.
                """,
            "15 2041 4082", "17 2040 4081",
            "Tuning values read back may be one lower.", .command(.setTuningParams), .command(.getTuningParams)),
        Rationale(
            67,
            says: """
                At boot the receive delay is brought into 0 to 20.0 and the airtime factor into 0 to 9.0.
                """,
            "15 50000 20000, reboot, 2B", "17 20000 9000",
            "Senseless tuning does not outlive a restart.", .command(.setTuningParams)),
        Rationale(
            68,
            says: """
                SET_OTHER_PARAMS changes the fields that the frame has and leaves the others. Their order is \
                manual_add, telemetry, location policy, multi-acks.
                """,
            "26 01; 26 00 15; 26 00 15 01 02", "00; SELF_INFO 44..47 = multi_acks, loc_policy, telemetry, manual_add",
            "An older app that sends fewer fields leaves the newer settings alone.",
            .command(.setOtherParams), .command(.appStart)),
        Rationale(
            69,
            says: """
                SET_OTHER_PARAMS stores the low 6 bits of the telemetry byte, and all bits of the other bytes.
                """,
            "26 FF FF", "telemetry 3F, manual_add FF",
            "The three telemetry modes have two bits each; the rest of the byte is not kept.",
            .command(.setOtherParams)),
        Rationale(
            70,
            says: """
                SET_PATH_HASH_MODE accepts 0 to 2, and 3 or more is ILLEGAL_ARG. A frame of 2 bytes, or one whose byte \
                1 is not 0, is UNSUPPORTED_CMD.
                """,
            "3D 00 03; 3D 01 00", "01 06; 01 01",
            "An app can tell an impossible mode from a firmware without modes.", .command(.setPathHashMode)),
        Rationale(
            71,
            says: """
                Each flood that the node originates has the path hash mode in the size bits of its path_len: an advert \
                in mode 1 leaves with 40.
                """,
            "3D 00 01, 07 01", "packet on air with path_len 40",
            "Longer hashes make long paths unambiguous and messages shorter.", .command(.setPathHashMode), .air),
        Rationale(
            72, says: "SET_DEVICE_PIN accepts 0 and 100000 to 999999; all else is ILLEGAL_ARG.",
            "25 9F860100", "01 06",
            "A PIN of six digits is what phones ask for.", .command(.setDevicePin)),
        Rationale(
            73,
            says: """
                SET_AUTOADD_CONFIG stores the mask as it comes and at most 64 as max_hops; a frame without max_hops \
                leaves the stored one.
                """,
            "3A FF FF, 3B", "00; 19 FF 40",
            "An app sees which nodes the radio adds by itself.",
            .command(.setAutoaddConfig), .command(.getAutoaddConfig)),
        Rationale(
            74,
            says: """
                GET_DEFAULT_FLOOD_SCOPE is answered by 1 byte when no scope is set and by 48 bytes when one is.
                """,
            "40", "1C or 1C name31 key16",
            "The length says whether a scope is set.", .command(.getDefaultFloodScope)),
        Rationale(
            75,
            says: """
                SET_DEFAULT_FLOOD_SCOPE of 48 bytes or more needs a name of 1 to 30 bytes; with another it is \
                ILLEGAL_ARG.
                """,
            "3F 00×31 key16", "01 06",
            "A scope without a name is refused, since people could not tell it.", .command(.setDefaultFloodScope)),
        Rationale(
            76,
            says: """
                SET_DEFAULT_FLOOD_SCOPE of fewer than 48 bytes clears the scope, whatever these bytes are.
                """,
            "3F … 47 bytes", "00; 40 → 1C",
            "Every short frame clears the scope, also a mistaken one.", .command(.setDefaultFloodScope)),
        Rationale(
            77,
            says: """
                GET_DEFAULT_FLOOD_SCOPE has, behind the NUL of a name, the rest of a longer name that was stored \
                before.
                """,
            "scope 'Region' then 'AB', 40", "1C 41 42 00 69 6F 6E 00 …",
            "Names have to be cut at their first NUL.",
            .command(.setDefaultFloodScope), .command(.getDefaultFloodScope)),
        Rationale(
            78,
            says: """
                SET_FLOOD_SCOPE_KEY 36 00 with a key of 16 bytes gives floods transport codes, 36 01 makes them \
                unscoped, and 36 00 alone returns to the default scope.
                """,
            "36 00 55×16, channel text", "flood with transport codes (code1 = 0)",
            "A message can be kept within a region without changing the setting.",
            .command(.setFloodScopeKey), .companion("sendFloodScoped")),
        Rationale(
            79,
            says: """
                SET_FLOOD_SCOPE_KEY without a sub-type, or with 2 or more, is UNSUPPORTED_CMD; a key below 16 bytes \
                resets the session scope.
                """,
            "36 02; 36 00 55×15", "01 01; 00",
            "A key of the wrong size must not scope messages with half a key.", .command(.setFloodScopeKey)),
        Rationale(
            80,
            says: """
                A flooded self advert has the stored default scope only; neither session scope nor unscoped flag \
                applies to it.
                """,
            "default scope set, 36 01, 07 01", "advert is still scoped",
            "Adverts stay in the region of the node, whatever an app sends in.",
            .command(.setDefaultFloodScope), .command(.sendSelfAdvert)),
        Rationale(
            81, says: "The session scope survives disconnects and APP_START, and a reboot ends it.",
            "36 00 key, reconnect, channel text", "scoped; unscoped after reboot",
            "An app need not set its scope again after a lost link, but after a restart.", .command(.setFloodScopeKey)),
        Rationale(
            82,
            says: """
                All settings but the session scope are stored before their OK is sent, and a loss of power leaves them \
                as they are.
                """,
            "set everything, power-cycle, APP_START", "identical SELF_INFO / DEVICE_INFO",
            "What was answered OK is still there after a power cut.", .store("savePrefs")),
    ]
}
