import MeshCompanion

extension Rationale {
    static let identity: [Rationale] = [
        Rationale(
            195,
            says: """
                EXPORT_PRIVATE_KEY returns the expanded Ed25519 key of 64 bytes; builds without export answer DISABLED \
                (0F).
                """,
            "17", "0E key64",
            "A user can move an identity to another radio, where the build permits it.", .command(.exportPrivateKey)),
        Rationale(
            196,
            says: """
                IMPORT_PRIVATE_KEY puts the key into force and stores it at once, and SELF_INFO has the public key \
                that follows from it.
                """,
            "18 key64", "00",
            "An identity moved here is in force at once, and after a restart.", .command(.importPrivateKey)),
        Rationale(
            197,
            says: """
                A private key whose public key begins with 00 or FF, or that fails the key exchange with itself, is \
                ILLEGAL_ARG. Below 65 bytes the command is UNSUPPORTED_CMD, and a failing storage is FILE_IO_ERROR.
                """,
            "18 00×64", "01 06",
            "A bad key never replaces a good one.", .command(.importPrivateKey)),
        Rationale(
            198,
            says: """
                IMPORT_PRIVATE_KEY loads the contacts from storage again; changes of the last 5 s are lost.
                """,
            "09 …, 18 …, 04", "unsaved contact gone",
            "Contacts changed a moment ago are lost with a new identity.",
            .command(.importPrivateKey), .store("loadContacts")),
        Rationale(
            199,
            says: """
                SIGN_START, SIGN_DATA and SIGN_FINISH return an Ed25519 signature of 64 bytes over the data in its \
                order, and end the session.
                """,
            "21, 22 'abc', 22 'def', 23", "13 00 00200000, 00, 00, 14 sig64",
            "An app signs in the name of the node without having its key.", .command(.signStart)),
        Rationale(
            200,
            says: """
                SIGN_DATA and SIGN_FINISH without SIGN_START are BAD_STATE; SIGN_DATA without data is UNSUPPORTED_CMD.
                """,
            "22 01; 23", "01 04",
            "A client out of step is told so instead of getting a wrong signature.", .command(.signStart)),
        Rationale(
            201,
            says: """
                A chunk that brings a signing session above 8192 bytes is refused with TABLE_FULL, and the session \
                goes on without it.
                """,
            "8193rd byte", "01 03, then 23 → 14 …",
            "A chunk too many does not spoil the session.", .command(.signStart)),
        Rationale(
            202,
            says: """
                SIGN_START discards what an open session has collected; a session without data signs zero bytes.
                """,
            "21,22 …,21,23", "signature over the empty string",
            "An aborted session leaves nothing behind.", .command(.signStart)),
        Rationale(
            203, says: "A signing session survives disconnects and APP_START.",
            "reconnect between 22 and 23", "valid signature",
            "A lost link does not cost the data sent so far.", .command(.signStart)),
        Rationale(
            204,
            says: """
                REBOOT with the text reboot restarts the radio without a reply; with any other text it is \
                UNSUPPORTED_CMD.
                """,
            "13 72 65 62 6F 6F 74", "no reply, link drops",
            "The lost link is the success; only a mistake is answered.", .command(.reboot)),
        Rationale(
            205,
            says: """
                FACTORY_RESET with the text reset closes the link first, so no reply is seen; then it erases the \
                storage, and the radio restarts after 1 s.
                """,
            "33 72 65 73 65 74", "no reply, link drops",
            "The lost link is the success, and nothing stays on the radio.", .command(.factoryReset)),
        Rationale(
            206, says: "When erasing fails, the radio stays up and answers nothing more.",
            "", "silence",
            "A radio that answers nothing more may have failed to erase.", .command(.factoryReset)),
    ]

    static let statistics: [Rationale] = [
        Rationale(
            207,
            says: """
                GET_BATT_AND_STORAGE returns 11 bytes: the battery in mV, and used and total storage in KiB.
                """,
            "14", "0C mv2 used4 total4",
            "The app shows battery and storage.", .command(.getBattAndStorage)),
        Rationale(
            208,
            says: """
                GET_STATS returns 11, 14 and 30 bytes for the sub-types 0, 1 and 2; others are ILLEGAL_ARG.
                """,
            "38 00, 38 01, 38 02, 38 03", "18 00 …, 18 01 …, 18 02 …, 01 06",
            "The three reports are told by their length and number.", .command(.getStats)),
        Rationale(
            209,
            says: """
                Packets are counted since boot: received, sent, sent by flood and direct, received by flood and \
                direct, and receive errors. A packet that cannot be parsed counts as received only, every other one \
                also by its route.
                """,
            "38 02", "recv = flood + direct",
            "Shares of traffic add up only while all packets could be parsed.", .command(.getStats)),
        Rationale(
            210,
            says: """
                SEND_TELEMETRY_REQ with three bytes and no key is answered by a TELEMETRY_RESPONSE at once: on channel \
                1 the voltage in 0.01 V (a truncated 32-bit float: 4200 mV become 419) and the temperature of processors \
                that know it, then the sensors.
                """,
            "27 00 00 00", "8B 00 key6 01 74 01A3 …",
            "The radio's own sensors are read without the air.", .command(.sendTelemetryReq)),
        Rationale(
            211,
            says: """
                GET_CUSTOM_VARS returns name:value pairs joined by commas, or its code alone when there are none.
                """,
            "28", "15 67 70 73 3A 30 / 15",
            "An empty list is the bare code.", .command(.getCustomVars)),
        Rationale(
            212,
            says: """
                SET_CUSTOM_VAR without a colon or with an unknown name is ILLEGAL_ARG, and below 4 bytes \
                UNSUPPORTED_CMD.
                """,
            "29 'abc'", "01 06",
            "A misspelt variable changes nothing and is told.", .command(.setCustomVar)),
        Rationale(
            213,
            says: """
                GET_ADVERT_PATH returns time and path of the last advert heard, found by the first 7 bytes of the key; \
                otherwise it is NOT_FOUND.
                """,
            "2A 00 key32", "16 time4 plen path",
            "The user sees which way a node was last heard.", .command(.getAdvertPath)),
        Rationale(
            214, says: "The table of advert paths also has nodes that were not added as contacts.",
            "manual mode", "16 …",
            "A node need not be a contact to be located.", .command(.getAdvertPath)),
        Rationale(
            215,
            says: """
                The table of advert paths has 16 nodes, and another one takes the place of the node heard longest ago.
                """,
            "17 nodes", "first one → 01 02",
            "Only the latest 16 nodes have a known way.", .command(.getAdvertPath)),
        Rationale(
            216, says: "GET_ADVERT_PATH with a key of zeros finds an unused entry: time 0 and an empty path.",
            "2A 00 00×32", "16 00000000 00",
            "A key of zeros finds an entry that nobody made.", .command(.getAdvertPath)),
        Rationale(
            217,
            says: """
                At boot the clock is set to the largest stored lastmod plus 1 if there is one above 0, even if that is \
                earlier than before.
                """,
            "reboot, 05", "09 lastmod+1",
            "After a restart the clock can be hours old; an app sets it when it connects.",
            .chat("bootstrapRTCfromContacts")),
    ]
}
