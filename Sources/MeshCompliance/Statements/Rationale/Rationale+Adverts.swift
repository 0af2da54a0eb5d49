import MeshCompanion

extension Rationale {
    static let adverts: [Rationale] = [
        Rationale(
            218, says: "In auto-add mode a new node is added and announced by one push: ADVERT with its key.",
            "first advert of a node", "80 key32",
            "A new contact has to be fetched: the push has only its key.",
            .chat("onAdvertRecv"), .companion("onDiscoveredContact")),
        Rationale(
            219,
            says: """
                An advert whose timestamp is not above the stored one is ignored; a newer one updates name, type, \
                position, timestamp and lastmod.
                """,
            "repeat / older / newer", "nothing / nothing / 80 key32",
            "A replayed card does not turn back a node's name or place.", .chat("onAdvertRecv")),
        Rationale(
            220,
            says: """
                In manual mode an unknown node is announced by NEW_ADVERT, a whole contact of 148 bytes without a \
                path, and is not stored.
                """,
            "26 01, advert", "8A …",
            "The user is asked about new nodes with all that is known of them.",
            .companion("onDiscoveredContact"), .command(.setOtherParams)),
        Rationale(
            221,
            says: """
                In manual mode the auto-add bits 1 to 4 select the types that are added: chat, repeater, room and \
                sensor. Other types never are.
                """,
            "3A 04 + repeater advert", "80 key32",
            "A user adds repeaters by themselves and people by hand.",
            .companion("shouldAutoAddContactType"), .command(.setAutoaddConfig)),
        Rationale(
            222,
            says: """
                With max_hops N, in both modes, a node is added automatically only from an advert of fewer than N \
                hops; 0 is no limit.
                """,
            "3A 00 02 + 2-hop advert", "8A …",
            "Nodes far away do not fill the list.", .chat("onAdvertRecv"), .command(.setAutoaddConfig)),
        Rationale(
            223,
            says: """
                When the table is full, an advert that would add a node is pushed as NEW_ADVERT and followed by \
                CONTACTS_FULL.
                """,
            "full table", "8A …, 90",
            "The app tells that the radio is full, and who could not be added.",
            .chat("onAdvertRecv"), .companion("onContactsFull")),
        Rationale(
            224,
            says: """
                When the table is full and overwriting is on, an advert that adds a node causes CONTACT_DELETED, then \
                ADVERT.
                """,
            "full table, 3A 01", "8F oldkey, 80 newkey",
            "The app removes the one and adds the other.",
            .companion("onContactOverwrite"), .command(.setAutoaddConfig)),
        Rationale(
            225, says: "An advert without a name or with a bad signature causes no push but LOG_RX_DATA.",
            "", "nothing",
            "Nobody can be added under a forged key.", .chat("onAdvertRecv"), .air),
        Rationale(
            226, says: "An advert of a node in a transient slot makes it a regular contact, which is listed.",
            "39 …, advert", "80 key32, listed",
            "Whoever was asked as a stranger can become a contact.", .chat("onAdvertRecv")),
        Rationale(
            227,
            says: """
                What changes while no app is connected is found by GET_CONTACTS with since; no push follows later.
                """,
            "reconnect", "no push; contact updated",
            "An app fetches changes after connecting instead of waiting for pushes.",
            .companion("onDiscoveredContact")),
        Rationale(
            228,
            says: """
                A returned path replaces the contact's out_path, sets its lastmod and is pushed as PATH_UPDATED.
                """,
            "PATH packet", "81 key32",
            "Messages take the shorter way as soon as it is known.",
            .chat("onContactPathRecv"), .companion("onContactPathUpdated"), .air),
        Rationale(
            229,
            says: """
                The node's own advert that comes back causes no push but LOG_RX_DATA and changes nothing.
                """,
            "own advert", "nothing",
            "Nobody finds themselves among their contacts.", .air),
        Rationale(
            230,
            says: """
                Telemetry requests of contacts are answered without the app, by mode: 0 denies, 1 depends on flag bits \
                1, 2 and 3 of the contact, 2 allows. The voltage comes first, the temperature of processors that know it \
                last.
                """,
            "26 00 02; request from a contact", "RESPONSE packet, no frame",
            "Whether others can read the sensors is the user's choice alone.",
            .command(.setOtherParams), .companion("onContactRequest"), .air),
    ]

    static let cornerCases: [Rationale] = [
        Rationale(
            231,
            says: """
                A contact with an invalid out_path_len (not FF, and with size bits 11 or more than 64 bytes) counts as \
                one with a path: SENT has 0, and nothing is transmitted.
                """,
            "09 … with path_len C1, then 02 …", "06 00 ack4 timeout4; silence on air",
            "SENT does not prove that anything was sent.", .command(.sendTxtMsg), .command(.addUpdateContact)),
        Rationale(
            232,
            says: """
                EXPORT_CONTACT of a stored advert packet above 175 bytes has no reply, which would exceed 176 bytes.
                """,
            "advert heard over 63 hops, 11 key32", "nothing",
            "A card from far away cannot be exported; the client must not wait for ever.", .command(.exportContact)),
        Rationale(
            233, says: "A contact changed to type 0 stays listed until the next boot, but is not stored.",
            "09 type 1, 09 type 0, reboot", "listed before, gone after",
            "A contact whose type is taken away is gone after a restart.",
            .command(.addUpdateContact), .companion("saveContacts")),
        Rationale(
            234,
            says: """
                REMOVE_CONTACT with a key of zeros removes a transient slot. The first listed contact moves into the \
                hidden slots: it is no longer listed, but still found by its key.
                """,
            "0F 00×32, 04", "00; one contact fewer listed, still found by key",
            "A key of zeros hides a contact.", .command(.removeContact), .chat("removeContact")),
        Rationale(
            235,
            says: """
                While a login is pending, the next response of that contact counts as its answer, whatever it answers, \
                and ends it.
                """,
            "1A …; unrelated RESPONSE", "86 00 key6; a later login answer is ignored",
            "A stray answer can look like a failed login.", .command(.sendLogin), .companion("onContactResponse")),
        Rationale(
            236,
            says: """
                SEND_RAW_DATA skips path_len bytes of its frame as a plain number, 0 to 127, while the packet reads \
                this byte as an encoded path_len.
                """,
            "19 42 + 66 bytes + DEADBEEF", "00; packet with path_len 42, first 4 of the 66 bytes, payload DEADBEEF",
            "With longer hashes raw data takes a wrong path.", .command(.sendRawData)),
        Rationale(
            237,
            says: """
                A packet received while all 16 packet buffers are in use is pushed as LOG_RX_DATA and has no other \
                effect.
                """,
            "16 unsent packets, advert", "88 … only",
            "The log can show messages that a busy radio lost.", .dispatcher("checkRecv"), .air),
        Rationale(
            238,
            says: """
                Bit 0 of manual_add switches manual mode; the other bits are stored and reported, and have no effect.
                """,
            "26 FE, advert", "80 …; SELF_INFO[47] = FE",
            "Only one bit has a meaning, so others can be used without harm.",
            .command(.setOtherParams), .companion("shouldAutoAddContactType")),
        Rationale(
            239,
            says: """
                With a GPS receiver gps is listed and can be set, to 0 or, to start it, anything else; gps_interval \
                can be set and is not listed. Without a receiver setting gps is ILLEGAL_ARG.
                """,
            "29 'gps:1', 28, 29 'gps_interval:30', 28", "00, 15 'gps:1', 00, 15 'gps:1'",
            "GPS is offered only where there is a receiver.", .command(.setCustomVar), .command(.getCustomVars)),
        Rationale(
            240,
            says: """
                A text of a single NUL is sent as an empty text; attempts 4 to 255 limit a text to 158 bytes.
                """,
            "02 00 00 ts4 key6 00; attempt 4 with 159 bytes", "06 …; 01 03",
            "An empty text is possible, and late attempts have two bytes less.", .command(.sendTxtMsg)),
        Rationale(
            241, says: "A channel text frame of exactly 7 bytes sends an empty text: name, colon and blank.",
            "03 00 00 ts4", "00",
            "An empty channel text is possible.", .command(.sendChannelTxtMsg)),
        Rationale(
            242, says: "A contact with lastmod 0 is counted and never listed, even without since.",
            "09 … lastmod 0, 04", "02 02000000, one 03, 04",
            "A contact stored with time 0 is never seen again in listings.",
            .command(.addUpdateContact), .command(.getContacts)),
        Rationale(
            243,
            says: """
                After a factory reset the node has a new identity, the default name of its key, no contacts, the \
                Public channel alone and default settings.
                """,
            "33 72 65 73 65 74, boot, 01 …", "SELF_INFO with another key",
            "A radio can be given away.", .command(.factoryReset)),
        Rationale(
            244, says: "An advert without a position leaves the stored position of a known contact.",
            "advert with, then without position", "lat/lon unchanged",
            "A node that stops telling its place keeps its last one.", .chat("onAdvertRecv")),
        Rationale(
            245, says: "CLI texts and requests take their times from one clock that gives none twice.",
            "02 01 … and 1B … in one second", "tag = CLI timestamp + 1",
            "Commands and questions never share a time.", .command(.sendTxtMsg), .clock("getCurrentTimeUnique")),
        Rationale(
            246,
            says: """
                A default scope's name of 31 bytes without a NUL is ILLEGAL_ARG; 30 bytes are accepted.
                """,
            "3F 31×41 key16", "01 06",
            "The longest name that can be stored has 30 bytes.", .command(.setDefaultFloodScope)),
        Rationale(
            247, says: "SENT of SEND_PATH_DISCOVERY_REQ has 1 (flood) even when the contact has a path.",
            "34 00 key32", "06 01 …",
            "The way is always searched anew, so it takes as long as a flood.", .command(.sendPathDiscoveryReq)),
        Rationale(
            248, says: "A received text is delivered up to its first NUL.",
            "text 61 00 62", "… 61",
            "Nothing hidden behind a NUL reaches the app.", .companion("queueMessage")),
        Rationale(
            249,
            says: """
                A message that is discarded because the offline queue is full is acknowledged on the air nevertheless.
                """,
            "queue full", "83; ACK transmitted; message not delivered",
            "A sender's confirmation does not mean that the app got the message.",
            .companion("addToOfflineQueue"), .chat("onPeerDataRecv")),
    ]
}
