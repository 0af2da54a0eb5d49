import MeshCompanion

extension Grounds {
    static let contacts: [Grounds] = [
        Grounds(
            83, "04", "02 00000000, 04 00000000",
            "The end of an empty listing is told like any other.", .command(.getContacts)),
        Grounds(
            84, "09 key type flags plen path64 name32 adv lat lon lastmod", "00; 02 01000000, 03 …, 04 lastmod",
            "What an app stores it gets back unchanged.", .command(.addUpdateContact), .command(.getContacts)),
        Grounds(
            85, "144-byte 09 …", "CONTACT lastmod = now",
            "A contact that an app adds is in the next delta.", .command(.addUpdateContact)),
        Grounds(
            86, "09 without lat/lon", "00; lat/lon unchanged",
            "An app that knows no position does not erase one.", .command(.addUpdateContact)),
        Grounds(
            87, "name = 32×58", "31×58 00",
            "The longest name loses its last byte.", .command(.addUpdateContact)),
        Grounds(
            88, "04 + since", "START(4), only newer contacts, END(max lastmod of those sent)",
            "Apps fetch what changed since last time; the count is no measure of it.", .command(.getContacts),
            .section("9.1")),
        Grounds(
            89, "04 since = newest lastmod", "02 01000000, 04 00000000",
            "An app that stores this 0 as its cursor fetches everything again.", .command(.getContacts), .section("9.1")
        ),
        Grounds(
            90, "04 FF FF FF", "all contacts",
            "A cut cursor fetches everything instead of failing.", .command(.getContacts)),
        Grounds(
            91, "04, 04", "01 04, iteration continues to 04",
            "A listing asked for twice must not come twice or mixed.", .command(.getContacts), .section("9.1")),
        Grounds(
            92, "04, 05", "03,09,03…04",
            "A client has to accept other answers within a listing.", .command(.getContacts), .section("9.1")),
        Grounds(
            93, "slow BLE link", "no contact lost",
            "On a slow link all contacts arrive.", .command(.getContacts), .section("9.1")),
        Grounds(
            94, "4 contacts; after the first 03 remove it", "contact #2 is not reported",
            "An app that deletes while listing misses contacts, and has to list again.", .command(.getContacts),
            .section("9.1")),
        Grounds(
            95, "09 for contact MAX+1", "01 03",
            "An app must be able to say that the radio is full.", .command(.addUpdateContact), .section("9.6")),
        Grounds(
            96, "3A 01, 09 new", "8F oldkey, 00",
            "Favourites stay, and the app learns who was dropped.", .command(.setAutoaddConfig),
            .command(.addUpdateContact), .section("9.6")),
        Grounds(
            97, "all flags bit 0 = 1", "01 03",
            "No favourite is ever overwritten.", .command(.setAutoaddConfig), .command(.addUpdateContact),
            .section("9.6")),
        Grounds(
            98, "0F key32 twice", "00, then 01 02",
            "Only the contact that is meant is deleted.", .command(.removeContact)),
        Grounds(
            99, "0D key32", "00",
            "The next message floods and finds a new path.", .command(.resetPath)),
        Grounds(
            100, "1E key32", "03 … / 01 02",
            "An app refreshes one contact without a listing.", .command(.getContactByKey)),
        Grounds(
            101, "1E 00×32", "03 00×147",
            "A client that sends a key of zeros gets a contact that does not exist.", .command(.getContactByKey),
            .section("5.2")),
        Grounds(
            102, "09 …, power loss within 5 s", "contact lost; after 5 s it survives",
            "Power lost soon after a change takes the change along.", .section("9.7")),
        Grounds(
            103, "09 …, 13 72 65 62 6F 6F 74", "no frame; contact survives",
            "A restart by command loses nothing that was answered OK.", .command(.reboot), .section("9.7")),
        Grounds(
            104, "09 type=0", "00; GET_CONTACTS does not list it",
            "Nodes without a type can be talked to without filling the list.", .command(.addUpdateContact),
            .section("5.2")),
        Grounds(
            105, "12 advert packet", "00, then 80 key",
            "OK says nothing about success; the push does.", .command(.importContact)),
        Grounds(
            106, "12 same advert again", "00, nothing else",
            "A scanned card that changes nothing still looks like success.", .command(.importContact)),
        Grounds(
            107, "12 + 98 zero bytes", "01 06",
            "A broken card is told from a good one.", .command(.importContact)),
        Grounds(
            108, "26 01, 12 …", "00, 8A …; GET_CONTACT_BY_KEY → 01 02",
            "The user decides whether the owner of a card becomes a contact.", .command(.importContact),
            .command(.setOtherParams), .section("9.6")),
        Grounds(
            109, "11", "0B 11 00 key32 time sig64 appdata",
            "A user can show a card without sending anything.", .command(.exportContact)),
        Grounds(
            110, "11 key32", "0B packet / 01 02",
            "A contact can be handed on as it was heard.", .command(.exportContact)),
        Grounds(
            111, "10 key32", "00 / 01 02 / 01 03",
            "Neighbours can be given a contact without flooding the mesh.", .command(.shareContact)),
        Grounds(
            112, "26 00 00 01, 11", "app-data flags 91 + lat/lon",
            "A position is public only when the user has said so.", .command(.setOtherParams), .command(.exportContact)),
        Grounds(
            113, "07, 07 01, 07 02", "00; packets direct / flood / direct",
            "A flooded advert costs the whole mesh airtime, so it must be asked for.", .command(.sendSelfAdvert)),
    ]
}
