import MeshCompanion

extension Rationale {
    static let severalInterfaces: [Rationale] = [
        Rationale(
            250, says: "Where a build has several interfaces, each response goes to the apps at all of them.",
            "05 from one app", "09 … at both", "An app has to pass over answers that it did not ask for.",
            .multiplexer("writeFrame")),
        Rationale(
            251,
            says: "A push is made once, and goes to the apps at all interfaces; one connected app is enough for it.",
            "a text from the air", "83 at both", "No app misses what the radio says of its own accord.",
            .multiplexer("isConnected"), .multiplexer("writeFrame")),
        Rationale(
            252,
            says: """
                There is one queue of messages: the message that one app fetches goes to the apps at all interfaces, and \
                is gone.
                """,
            "0A from one app", "10 … at both, then 0A",
            "An app that drops messages which it did not fetch itself loses them for good.",
            .command(.syncNextMessage), .companion("getFromOfflineQueue")),
        Rationale(
            253,
            says: "Messages have the layout for the app version of the latest DEVICE_QUERY, whichever app sent it.",
            "16 01 from one app, a text, 0A from the other", "07 … at both",
            "An old app beside a new one changes what both of them receive.",
            .command(.deviceQuery), .companion("queueMessage")),
        Rationale(
            254,
            says: """
                While contacts are listed for one app, GET_CONTACTS of another is BAD_STATE; contacts and refusal go to \
                both.
                """,
            "04 from both", "02 … 01 04 … 04 at both", "An app must try its listing again when another one lists.",
            .command(.getContacts)),
        Rationale(
            255, says: "APP_START of one app ends the contact listing of another, whose END_OF_CONTACTS never comes.",
            "04 from one app, 01 from the other", "05 … in place of the rest",
            "A listing needs a time limit: another app may have just begun.", .command(.appStart)),
        Rationale(
            256,
            says: """
                Data to be signed is in one buffer: SIGN_DATA of all apps is appended to it, and SIGN_START of any empties \
                it.
                """,
            "21, 22 from both, 23", "14 signature over both parts",
            "Two apps that sign at once get signatures over something else.",
            .command(.signStart), .command(.signData), .command(.signFinish)),
        Rationale(
            257,
            says: "Settings of a session are the radio's: the flood scope that one app sets holds for texts of all.",
            "36 00 key16 from one app, 03 … from the other", "a scoped flood",
            "Two apps with regions of their own send into each other's.", .command(.setFloodScopeKey)),
        Rationale(
            258,
            says: """
                Each pass executes one command: the interfaces are asked in the order Bluetooth, Wi-Fi, USB, Ethernet \
                until one has a frame.
                """,
            "three commands over USB, one over Bluetooth", "that of Bluetooth second",
            "An app that never stops asking holds up the apps behind it.", .multiplexer("checkRecvFrame")),
        Rationale(
            259,
            says: "A frame for which one interface has no room is lost for its app alone, without a sign to any app.",
            "seven answers at one moment, one queue of four", "seven at one app, five at the other",
            "A fast app that empties the queue takes messages from a slow one.", .multiplexer("writeFrame")),
        Rationale(
            260, says: "A contact listing pauses while any interface is busy, so that all apps have each contact.",
            "04 over USB with an app on Bluetooth", "contacts 60 ms apart",
            "A slow app beside a fast one makes the synchronisation of both slow.", .multiplexer("isWriteBusy")),
        Rationale(
            261,
            says: "An app that leaves ends nothing: a listing goes on for the apps that stay, and pushes are made.",
            "04, then the link down", "the whole listing at the other app",
            "The radio has no session of an app that could end.", .multiplexer("isConnected")),
    ]
}
