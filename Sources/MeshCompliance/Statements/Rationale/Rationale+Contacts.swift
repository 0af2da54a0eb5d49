import MeshCompanion

extension Rationale {
    static let contacts: [Rationale] = [
        Rationale(
            83,
            says: """
                GET_CONTACTS on an empty table is answered by CONTACTS_START with 0 and END_OF_CONTACTS with 0.
                """,
            "04", "02 00000000, 04 00000000",
            "The end of an empty listing is told like any other.", .command(.getContacts)),
        Rationale(
            84,
            says: """
                ADD_UPDATE_CONTACT with 148 bytes stores every field as it comes, and GET_CONTACTS returns them in a \
                CONTACT of 148 bytes.
                """,
            "09 key type flags plen path64 name32 adv lat lon lastmod", "00; 02 01000000, 03 …, 04 lastmod",
            "What an app stores it gets back unchanged.", .command(.addUpdateContact), .command(.getContacts)),
        Rationale(
            85, says: "ADD_UPDATE_CONTACT without a lastmod field sets lastmod to the clock of the radio.",
            "144-byte 09 …", "CONTACT lastmod = now",
            "A contact that an app adds is in the next delta.", .command(.addUpdateContact)),
        Rationale(
            86, says: "ADD_UPDATE_CONTACT of 136 bytes keeps the stored position of a known contact.",
            "09 without lat/lon", "00; lat/lon unchanged",
            "An app that knows no position does not erase one.", .command(.addUpdateContact)),
        Rationale(
            87, says: "A contact's name of 32 bytes without a NUL comes back as its first 31 bytes and a NUL.",
            "name = 32×58", "31×58 00",
            "The longest name loses its last byte.", .command(.addUpdateContact)),
        Rationale(
            88,
            says: """
                With since, contacts are listed whose lastmod is larger. CONTACTS_START still counts all, and \
                END_OF_CONTACTS has the largest lastmod sent.
                """,
            "04 + since", "START(4), only newer contacts, END(max lastmod of those sent)",
            "Apps fetch what changed since last time; the count is no measure of it.",
            .command(.getContacts), .companion("checkSerialInterface")),
        Rationale(
            89, says: "END_OF_CONTACTS has 0 when no contact passes the filter.",
            "04 since = newest lastmod", "02 01000000, 04 00000000",
            "An app that stores this 0 as its cursor fetches everything again.",
            .command(.getContacts), .companion("checkSerialInterface")),
        Rationale(
            90, says: "GET_CONTACTS of 2 to 4 bytes lists all contacts, as without a filter.",
            "04 FF FF FF", "all contacts",
            "A cut cursor fetches everything instead of failing.", .command(.getContacts)),
        Rationale(
            91,
            says: """
                GET_CONTACTS during a listing is answered with BAD_STATE, and the listing goes on to its end.
                """,
            "04, 04", "01 04, iteration continues to 04",
            "A listing asked for twice must not come twice or mixed.", .command(.getContacts)),
        Rationale(
            92,
            says: """
                Other commands during a listing are executed and answered between CONTACT frames, but not on Wi-Fi \
                (CMP-016).
                """,
            "04, 05", "03,09,03…04",
            "A client has to accept other answers within a listing.",
            .command(.getContacts), .companion("checkSerialInterface")),
        Rationale(
            93,
            says: """
                A listing pauses while the transport reports that it is busy, and goes on afterwards without losing a \
                contact.
                """,
            "slow BLE link", "no contact lost",
            "On a slow link all contacts arrive.", .command(.getContacts), .companion("checkSerialInterface")),
        Rationale(
            94,
            says: """
                When a contact that was already sent is removed during a listing, the listing leaves the next one out.
                """,
            "4 contacts; after the first 03 remove it", "contact #2 is not reported",
            "An app that deletes while listing misses contacts, and has to list again.",
            .command(.getContacts), .companion("checkSerialInterface"), .chat("removeContact")),
        Rationale(
            95, says: "A contact added to a full table without overwriting is refused with TABLE_FULL.",
            "09 for contact MAX+1", "01 03",
            "An app must be able to say that the radio is full.",
            .command(.addUpdateContact), .chat("allocateContactSlot")),
        Rationale(
            96,
            says: """
                With auto-add bit 0, a contact added to a full table replaces, in place, the one with the smallest \
                lastmod whose flag bit 0 (favourite) is clear. CONTACT_DELETED comes before the OK.
                """,
            "3A 01, 09 new", "8F oldkey, 00",
            "Favourites stay, and the app learns who was dropped.",
            .command(.setAutoaddConfig), .command(.addUpdateContact), .chat("allocateContactSlot")),
        Rationale(
            97,
            says: """
                In a full table of favourites alone nothing is overwritten, and adding a contact is TABLE_FULL.
                """,
            "all flags bit 0 = 1", "01 03",
            "No favourite is ever overwritten.",
            .command(.setAutoaddConfig), .command(.addUpdateContact), .chat("allocateContactSlot")),
        Rationale(
            98, says: "REMOVE_CONTACT removes the contact with this whole key; an unknown key is NOT_FOUND.",
            "0F key32 twice", "00, then 01 02",
            "Only the contact that is meant is deleted.", .command(.removeContact)),
        Rationale(
            99,
            says: """
                RESET_PATH sets out_path_len to FF and leaves the bytes of the path and lastmod; an unknown key is \
                NOT_FOUND.
                """,
            "0D key32", "00",
            "The next message floods and finds a new path.", .command(.resetPath)),
        Rationale(
            100,
            says: """
                GET_CONTACT_BY_KEY is answered by one CONTACT, or by NOT_FOUND when no contact has the key.
                """,
            "1E key32", "03 … / 01 02",
            "An app refreshes one contact without a listing.", .command(.getContactByKey)),
        Rationale(
            101,
            says: """
                A lookup with a key of zeros finds an empty one of the 8 hidden transient slots in front of the list.
                """,
            "1E 00×32", "03 00×147",
            "A client that sends a key of zeros gets a contact that does not exist.",
            .command(.getContactByKey), .chat("lookupContactByPubKey")),
        Rationale(
            102, says: "Changed contacts are written to storage 5000 ms after the last change, and not before.",
            "09 …, power loss within 5 s", "contact lost; after 5 s it survives",
            "Power lost soon after a change takes the change along.", .companion("loop"), .store("saveContacts")),
        Rationale(
            103, says: "REBOOT first writes the contact changes that wait, and has no reply.",
            "09 …, 13 72 65 62 6F 6F 74", "no frame; contact survives",
            "A restart by command loses nothing that was answered OK.", .command(.reboot), .companion("saveContacts")),
        Rationale(
            104,
            says: """
                A new contact of type 0 takes a transient slot: it is accepted and found by its key, but neither \
                listed nor counted nor stored.
                """,
            "09 type=0", "00; GET_CONTACTS does not list it",
            "Nodes without a type can be talked to without filling the list.",
            .command(.addUpdateContact), .chat("addContact")),
        Rationale(
            105,
            says: """
                IMPORT_CONTACT is answered OK before its advert is processed like a received one; only the push that \
                follows shows success.
                """,
            "12 advert packet", "00, then 80 key",
            "OK says nothing about success; the push does.", .command(.importContact)),
        Rationale(
            106,
            says: """
                Importing an advert that is not newer, badly signed, nameless or the node's own is answered OK and \
                causes no push.
                """,
            "12 same advert again", "00, nothing else",
            "A scanned card that changes nothing still looks like success.", .command(.importContact)),
        Rationale(
            107, says: "IMPORT_CONTACT of 99 bytes or more that are not an ADVERT packet is ILLEGAL_ARG.",
            "12 + 98 zero bytes", "01 06",
            "A broken card is told from a good one.", .command(.importContact)),
        Rationale(
            108,
            says: """
                In manual mode an imported advert whose type is not added automatically is pushed as NEW_ADVERT and \
                not stored.
                """,
            "26 01, 12 …", "00, 8A …; GET_CONTACT_BY_KEY → 01 02",
            "The user decides whether the owner of a card becomes a contact.",
            .command(.importContact), .command(.setOtherParams), .companion("shouldAutoAddContactType")),
        Rationale(
            109,
            says: """
                EXPORT_CONTACT without a key returns a freshly signed advert of the node (header 11, path_len 00), and \
                nothing is transmitted.
                """,
            "11", "0B 11 00 key32 time sig64 appdata",
            "A user can show a card without sending anything.", .command(.exportContact)),
        Rationale(
            110,
            says: """
                EXPORT_CONTACT with a key returns the contact's last stored advert with route type FLOOD and the path \
                received; without contact or advert it is NOT_FOUND.
                """,
            "11 key32", "0B packet / 01 02",
            "A contact can be handed on as it was heard.", .command(.exportContact)),
        Rationale(
            111,
            says: """
                SHARE_CONTACT transmits the stored advert zero-hop, as transport direct with codes 0. An unknown \
                contact is NOT_FOUND, and one without an advert is TABLE_FULL.
                """,
            "10 key32", "00 / 01 02 / 01 03",
            "Neighbours can be given a contact without flooding the mesh.", .command(.shareContact)),
        Rationale(
            112, says: "A self advert has the node's position exactly when the location policy is not 0.",
            "26 00 00 01, 11", "app-data flags 91 + lat/lon",
            "A position is public only when the user has said so.",
            .command(.setOtherParams), .command(.exportContact)),
        Rationale(
            113,
            says: """
                SEND_SELF_ADVERT floods when byte 1 is exactly 1; with another value or none it is sent zero-hop.
                """,
            "07, 07 01, 07 02", "00; packets direct / flood / direct",
            "A flooded advert costs the whole mesh airtime, so it must be asked for.", .command(.sendSelfAdvert)),
    ]
}
