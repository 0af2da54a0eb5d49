import MeshCompanion

extension Grounds {
    static let identity: [Grounds] = [
        Grounds(
            195, "17", "0E key64",
            "A user can move an identity to another radio, where the build permits it.", .command(.exportPrivateKey)),
        Grounds(
            196, "18 key64", "00",
            "An identity moved here is in force at once, and after a restart.", .command(.importPrivateKey)),
        Grounds(
            197, "18 00×64", "01 06",
            "A bad key never replaces a good one.", .command(.importPrivateKey)),
        Grounds(
            198, "09 …, 18 …, 04", "unsaved contact gone",
            "Contacts changed a moment ago are lost with a new identity.", .command(.importPrivateKey), .section("9.7")),
        Grounds(
            199, "21, 22 'abc', 22 'def', 23", "13 00 00200000, 00, 00, 14 sig64",
            "An app signs in the name of the node without having its key.", .command(.signStart)),
        Grounds(
            200, "22 01; 23", "01 04",
            "A client out of step is told so instead of getting a wrong signature.", .command(.signStart)),
        Grounds(
            201, "8193rd byte", "01 03, then 23 → 14 …",
            "A chunk too many does not spoil the session.", .command(.signStart)),
        Grounds(
            202, "21,22 …,21,23", "signature over the empty string",
            "An aborted session leaves nothing behind.", .command(.signStart)),
        Grounds(
            203, "reconnect between 22 and 23", "valid signature",
            "A lost link does not cost the data sent so far.", .command(.signStart), .section("2.9")),
        Grounds(
            204, "13 72 65 62 6F 6F 74", "no reply, link drops",
            "The lost link is the success; only a mistake is answered.", .command(.reboot)),
        Grounds(
            205, "33 72 65 73 65 74", "no reply, link drops",
            "The lost link is the success, and nothing stays on the radio.", .command(.factoryReset)),
        Grounds(
            206, "", "silence",
            "A radio that answers nothing more may have failed to erase.", .command(.factoryReset)),
    ]

    static let statistics: [Grounds] = [
        Grounds(
            207, "14", "0C mv2 used4 total4",
            "The app shows battery and storage.", .command(.getBattAndStorage)),
        Grounds(
            208, "38 00, 38 01, 38 02, 38 03", "18 00 …, 18 01 …, 18 02 …, 01 06",
            "The three reports are told by their length and number.", .command(.getStats)),
        Grounds(
            209, "38 02", "recv = flood + direct",
            "Shares of traffic add up only while all packets could be parsed.", .command(.getStats)),
        Grounds(
            210, "27 00 00 00", "8B 00 key6 01 74 01A3 …",
            "The radio's own sensors are read without the air.", .command(.sendTelemetryReq)),
        Grounds(
            211, "28", "15 67 70 73 3A 30 / 15",
            "An empty list is the bare code.", .command(.getCustomVars)),
        Grounds(
            212, "29 'abc'", "01 06",
            "A misspelt variable changes nothing and is told.", .command(.setCustomVar)),
        Grounds(
            213, "2A 00 key32", "16 time4 plen path",
            "The user sees which way a node was last heard.", .command(.getAdvertPath)),
        Grounds(
            214, "manual mode", "16 …",
            "A node need not be a contact to be located.", .command(.getAdvertPath)),
        Grounds(
            215, "17 nodes", "first one → 01 02",
            "Only the latest 16 nodes have a known way.", .command(.getAdvertPath)),
        Grounds(
            216, "2A 00 00×32", "16 00000000 00",
            "A key of zeros finds an entry that nobody made.", .command(.getAdvertPath)),
        Grounds(
            217, "reboot, 05", "09 lastmod+1",
            "After a restart the clock can be hours old; an app sets it when it connects.", .section("5.4")),
    ]
}
