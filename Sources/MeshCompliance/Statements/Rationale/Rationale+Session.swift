import MeshCompanion

extension Rationale {
    static let dispatch: [Rationale] = [
        Rationale(
            33,
            says: """
                The codes 00, 2C to 31, 35 and 42 to FF, which are no commands, are answered with UNSUPPORTED_CMD.
                """,
            "00, 2C…31, 35, 42…FF", "01 01",
            "A client can try a newer command and learn that the radio is older.", .dispatch),
        Rationale(
            34,
            says: """
                A frame below the minimum length of its command is answered with UNSUPPORTED_CMD. The only exception \
                is SEND_CHANNEL_DATA (CMP-132).
                """,
            "e.g. 01, 16, 06 00 00 00, 1F, 24+9 bytes", "01 01",
            "A mistake in a client shows as one known error, not as silence.", .dispatch),
        Rationale(
            35, says: "Bytes behind the last field of a command have no effect.",
            "05 39 39 39", "CURR_TIME",
            "Newer clients can append fields without losing older radios.", .dispatch),
        Rationale(
            36,
            says: """
                A command without a check of its length reads missing fields from the receive buffer, where earlier \
                frames left their bytes.
                """,
            "08 07 7A 7A then 26", "00; manual_add = 07",
            "A client that leaves fields out sets values that nobody chose.", .dispatch),
        Rationale(
            37,
            says: """
                REBOOT compares the six bytes behind its code without looking at the length, so what an earlier frame \
                left there can restart the radio.
                """,
            "08 'reboot' then 13", "radio reboots, no reply",
            "A cut command can restart a radio.", .dispatch),
        Rationale(
            38,
            says: """
                An executed command is answered by one frame at once. Exceptions are REBOOT and FACTORY_RESET (no \
                frame), GET_CONTACTS (a listing) and replies above 176 bytes (no frame).
                """,
            "05", "one frame",
            "Answers carry no number, so a client counts them.", .dispatch),
        Rationale(
            39,
            says: """
                A reply that is made while no client is connected is lost, and no later client gets it.
                """,
            "command executed just before link loss", "nothing after reconnect",
            "After a lost link a client has to ask again and not wait.", .wifi),
    ]

    static let session: [Rationale] = [
        Rationale(
            40, says: "DEVICE_QUERY is answered by a DEVICE_INFO of 82 bytes with protocol level 13.",
            "16 03", "0D 0D AF 28 pppppppp + 12+40+20 chars + repeat + hash mode",
            "Capacities and version decide what else the app may ask.", .command(.deviceQuery)),
        Rationale(
            41,
            says: """
                A message has the layout of the app version in force when it arrived: codes 07 and 08 below version 3, \
                10 and 11 (hex) from 3 on. A later DEVICE_QUERY does not convert it.
                """,
            "messages received before/after 16 02, 16 03", "07,07,10,10",
            "Messages in the queue keep the layout of their arrival, so both must be read.", .command(.deviceQuery)),
        Rationale(
            42, says: "After a boot the app version in force is 0 until a DEVICE_QUERY arrives.",
            "message received after boot before DEVICE_QUERY", "code 07",
            "Right after a restart the old layouts come, whatever the app announced before.", .command(.deviceQuery)),
        Rationale(
            43, says: "Neither APP_START nor a new connection changes the app version in force.",
            "16 03, disconnect, connect, APP_START, message", "code 10",
            "An app need not announce itself again after each lost link.", .command(.deviceQuery), .command(.appStart)),
        Rationale(
            44,
            says: """
                APP_START is answered by SELF_INFO; a node fresh from the factory is named by the first 4 bytes of its \
                public key in upper-case hex.
                """,
            "01 00×7", "05 01 txp max key32 lat lon 00 00 00 00 freq bw sf cr 'XXXXXXXX'",
            "The first answer tells who the radio is and how it is set.", .command(.appStart)),
        Rationale(
            45, says: "The bytes 1 to 7 of APP_START and the app's name behind them have no effect.",
            "01 03 20×6 'mccli'", "same SELF_INFO",
            "What an app calls itself has no effect, so all apps are treated alike.", .command(.appStart)),
        Rationale(
            46,
            says: """
                APP_START ends a running contact listing without END_OF_CONTACTS, and the next GET_CONTACTS is \
                accepted.
                """,
            "04, some 03, 01 …", "SELF_INFO, then silence; a new 04 is accepted",
            "An app that comes back in the middle of a listing gets out of it.",
            .command(.appStart), .command(.getContacts)),
        Rationale(
            47, says: "Every command is executed without an APP_START or a DEVICE_QUERY before it.",
            "14 as first frame after boot", "0C …",
            "A small tool may ask one thing without any greeting.", .dispatch),
        Rationale(
            48, says: "DEVICE_INFO is the same whatever version the app announces.",
            "16 01, 16 FF", "identical frames",
            "The answer can be parsed without knowing what was announced.", .command(.deviceQuery)),
        Rationale(
            49,
            says: """
                The PIN in DEVICE_INFO is the stored one, 0 if none is stored, and not the passkey in use.
                """,
            "25 41E20100 then 16 03", "bytes 4..7 = 41 E2 01 00",
            "The shown PIN may not be the one in use, and must not be presented as such.",
            .command(.setDevicePin), .command(.deviceQuery)),
    ]
}
