import MeshCompanion

extension Grounds {
    static let adverts: [Grounds] = [
        Grounds(
            218, "first advert of a node", "80 key32",
            "A new contact has to be fetched: the push has only its key.", .section("9.6"), .section("8")),
        Grounds(
            219, "repeat / older / newer", "nothing / nothing / 80 key32",
            "A replayed card does not turn back a node's name or place.", .section("9.6")),
        Grounds(
            220, "26 01, advert", "8A …",
            "The user is asked about new nodes with all that is known of them.", .section("9.6"),
            .command(.setOtherParams)),
        Grounds(
            221, "3A 04 + repeater advert", "80 key32",
            "A user adds repeaters by themselves and people by hand.", .section("9.6"), .command(.setAutoaddConfig)),
        Grounds(
            222, "3A 00 02 + 2-hop advert", "8A …",
            "Nodes far away do not fill the list.", .section("9.6"), .command(.setAutoaddConfig)),
        Grounds(
            223, "full table", "8A …, 90",
            "The app tells that the radio is full, and who could not be added.", .section("9.6"), .section("8")),
        Grounds(
            224, "full table, 3A 01", "8F oldkey, 80 newkey",
            "The app removes the one and adds the other.", .section("9.6"), .command(.setAutoaddConfig), .section("8")),
        Grounds(
            225, "", "nothing",
            "Nobody can be added under a forged key.", .section("9.6"), .air),
        Grounds(
            226, "39 …, advert", "80 key32, listed",
            "Whoever was asked as a stranger can become a contact.", .section("9.6"), .section("5.2")),
        Grounds(
            227, "reconnect", "no push; contact updated",
            "An app fetches changes after connecting instead of waiting for pushes.", .section("3.6"), .section("9.6")),
        Grounds(
            228, "PATH packet", "81 key32",
            "Messages take the shorter way as soon as it is known.", .section("9.9"), .section("8"), .air),
        Grounds(
            229, "own advert", "nothing",
            "Nobody finds themselves among their contacts.", .section("9.6"), .air),
        Grounds(
            230, "26 00 02; request from a contact", "RESPONSE packet, no frame",
            "Whether others can read the sensors is the user's choice alone.", .command(.setOtherParams),
            .section("9.9"), .air),
    ]

    static let cornerCases: [Grounds] = [
        Grounds(
            231, "09 … with path_len C1, then 02 …", "06 00 ack4 timeout4; silence on air",
            "SENT does not prove that anything was sent.", .command(.sendTxtMsg), .command(.addUpdateContact)),
        Grounds(
            232, "advert heard over 63 hops, 11 key32", "nothing",
            "A card from far away cannot be exported; the client must not wait for ever.", .command(.exportContact)),
        Grounds(
            233, "09 type 1, 09 type 0, reboot", "listed before, gone after",
            "A contact whose type is taken away is gone after a restart.", .command(.addUpdateContact), .section("9.7")),
        Grounds(
            234, "0F 00×32, 04", "00; one contact fewer listed, still found by key",
            "A key of zeros hides a contact.", .command(.removeContact), .section("5.2")),
        Grounds(
            235, "1A …; unrelated RESPONSE", "86 00 key6; a later login answer is ignored",
            "A stray answer can look like a failed login.", .command(.sendLogin), .section("9.4")),
        Grounds(
            236, "19 42 + 66 bytes + DEADBEEF",
            "00; packet with path_len 42, first 4 of the 66 bytes, payload DEADBEEF",
            "With longer hashes raw data takes a wrong path.", .command(.sendRawData)),
        Grounds(
            237, "16 unsent packets, advert", "88 … only",
            "The log can show messages that a busy radio lost.", .section("9.10"), .air),
        Grounds(
            238, "26 FE, advert", "80 …; SELF_INFO[47] = FE",
            "Only one bit has a meaning, so others can be used without harm.", .command(.setOtherParams),
            .section("9.6")),
        Grounds(
            239, "29 'gps:1', 28, 29 'gps_interval:30', 28", "00, 15 'gps:1', 00, 15 'gps:1'",
            "GPS is offered only where there is a receiver.", .command(.setCustomVar), .command(.getCustomVars)),
        Grounds(
            240, "02 00 00 ts4 key6 00; attempt 4 with 159 bytes", "06 …; 01 03",
            "An empty text is possible, and late attempts have two bytes less.", .command(.sendTxtMsg)),
        Grounds(
            241, "03 00 00 ts4", "00",
            "An empty channel text is possible.", .command(.sendChannelTxtMsg)),
        Grounds(
            242, "09 … lastmod 0, 04", "02 02000000, one 03, 04",
            "A contact stored with time 0 is never seen again in listings.", .command(.addUpdateContact),
            .command(.getContacts)),
        Grounds(
            243, "33 72 65 73 65 74, boot, 01 …", "SELF_INFO with another key",
            "A radio can be given away.", .command(.factoryReset)),
        Grounds(
            244, "advert with, then without position", "lat/lon unchanged",
            "A node that stops telling its place keeps its last one.", .section("9.6")),
        Grounds(
            245, "02 01 … and 1B … in one second", "tag = CLI timestamp + 1",
            "Commands and questions never share a time.", .command(.sendTxtMsg), .section("5.4")),
        Grounds(
            246, "3F 31×41 key16", "01 06",
            "The longest name that can be stored has 30 bytes.", .command(.setDefaultFloodScope)),
        Grounds(
            247, "34 00 key32", "06 01 …",
            "The way is always searched anew, so it takes as long as a flood.", .command(.sendPathDiscoveryReq)),
        Grounds(
            248, "text 61 00 62", "… 61",
            "Nothing hidden behind a NUL reaches the app.", .section("7.6")),
        Grounds(
            249, "queue full", "83; ACK transmitted; message not delivered",
            "A sender's confirmation does not mean that the app got the message.", .section("9.2"), .section("9.9")),
    ]
}
