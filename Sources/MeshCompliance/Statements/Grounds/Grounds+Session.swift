import MeshCompanion

extension Grounds {
    static let dispatch: [Grounds] = [
        Grounds(
            33, "00, 2C…31, 35, 42…FF", "01 01",
            "A client can try a newer command and learn that the radio is older.", .dispatch),
        Grounds(
            34, "e.g. 01, 16, 06 00 00 00, 1F, 24+9 bytes", "01 01",
            "A mistake in a client shows as one known error, not as silence.", .dispatch),
        Grounds(
            35, "05 39 39 39", "CURR_TIME",
            "Newer clients can append fields without losing older radios.", .dispatch),
        Grounds(
            36, "08 07 7A 7A then 26", "00; manual_add = 07",
            "A client that leaves fields out sets values that nobody chose.", .dispatch),
        Grounds(
            37, "08 'reboot' then 13", "radio reboots, no reply",
            "A cut command can restart a radio.", .dispatch),
        Grounds(
            38, "05", "one frame",
            "Answers carry no number, so a client counts them.", .dispatch),
        Grounds(
            39, "command executed just before link loss", "nothing after reconnect",
            "After a lost link a client has to ask again and not wait.", .wifi, .section("3.6")),
    ]

    static let session: [Grounds] = [
        Grounds(
            40, "16 03", "0D 0D AF 28 pppppppp + 12+40+20 chars + repeat + hash mode",
            "Capacities and version decide what else the app may ask.", .command(.deviceQuery)),
        Grounds(
            41, "messages received before/after 16 02, 16 03", "07,07,10,10",
            "Messages in the queue keep the layout of their arrival, so both must be read.", .command(.deviceQuery)),
        Grounds(
            42, "message received after boot before DEVICE_QUERY", "code 07",
            "Right after a restart the old layouts come, whatever the app announced before.", .command(.deviceQuery)),
        Grounds(
            43, "16 03, disconnect, connect, APP_START, message", "code 10",
            "An app need not announce itself again after each lost link.", .command(.deviceQuery), .command(.appStart)),
        Grounds(
            44, "01 00×7", "05 01 txp max key32 lat lon 00 00 00 00 freq bw sf cr 'XXXXXXXX'",
            "The first answer tells who the radio is and how it is set.", .command(.appStart)),
        Grounds(
            45, "01 03 20×6 'mccli'", "same SELF_INFO",
            "What an app calls itself has no effect, so all apps are treated alike.", .command(.appStart)),
        Grounds(
            46, "04, some 03, 01 …", "SELF_INFO, then silence; a new 04 is accepted",
            "An app that comes back in the middle of a listing gets out of it.", .command(.appStart),
            .command(.getContacts)),
        Grounds(
            47, "14 as first frame after boot", "0C …",
            "A small tool may ask one thing without any greeting.", .section("3.7")),
        Grounds(
            48, "16 01, 16 FF", "identical frames",
            "The answer can be parsed without knowing what was announced.", .command(.deviceQuery)),
        Grounds(
            49, "25 41E20100 then 16 03", "bytes 4..7 = 41 E2 01 00",
            "The shown PIN may not be the one in use, and must not be presented as such.", .command(.setDevicePin),
            .command(.deviceQuery)),
    ]
}
