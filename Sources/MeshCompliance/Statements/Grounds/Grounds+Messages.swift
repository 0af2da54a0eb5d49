import MeshCompanion

extension Grounds {
    static let sending: [Grounds] = [
        Grounds(
            114, "02 00 00 ts4 key6 'hey'", "06 01 ack4 timeout4",
            "The app matches the confirmation by this value and knows how long to wait.", .command(.sendTxtMsg)),
        Grounds(
            115, "contact with out_path_len 2", "06 00 ack4 timeout4",
            "The app can tell the user that a message goes along a known path.", .command(.sendTxtMsg)),
        Grounds(
            116, "02 00 00 ts4 999999999999 41", "01 02",
            "Nothing is sent to somebody whom the radio does not know.", .command(.sendTxtMsg)),
        Grounds(
            117, "02 02 …", "01 01 (known), 01 02 (unknown)",
            "Which error comes tells whether the recipient or the type was wrong.", .command(.sendTxtMsg)),
        Grounds(
            118, "161 byte text", "01 03",
            "An over-long message is refused whole, never sent in part.", .command(.sendTxtMsg)),
        Grounds(
            119, "attempt 5", "same ack as attempt 1; plaintext … 78 00 05",
            "A retry keeps its identity for the recipient, and its confirmation stays known.", .command(.sendTxtMsg)),
        Grounds(
            120, "02 01 00 ts4 key6 'ver'", "06 f 00000000 timeout4",
            "Commands to a repeater have no confirmation to wait for.", .command(.sendTxtMsg)),
        Grounds(
            121, "text 61 62 00 63", "'ab' is sent",
            "What follows a NUL is lost without an error.", .command(.sendTxtMsg)),
        Grounds(
            122, "ACK packet from the mesh", "82 ack4 trip4",
            "A message is delivered once, and the app learns how long it took.", .command(.sendTxtMsg), .section("9.3"),
            .air),
        Grounds(
            123, "9 messages, then ACK of the first", "no push",
            "An app with many open messages misses confirmations.", .command(.sendTxtMsg), .section("9.3")),
        Grounds(
            124, "PATH(extra=ACK)", "81 key32, 82 ack trip",
            "The path is known before the confirmation shows.", .command(.sendTxtMsg), .section("9.3"), .air),
        Grounds(
            125, "send, wait", "nothing",
            "Only the app's own clock tells that a message was not confirmed.", .command(.sendTxtMsg), .section("9.3")),
        Grounds(
            126, "03 00 00 ts4 'hi'", "00",
            "Waiting for SENT after a channel text never ends.", .command(.sendChannelTxtMsg)),
        Grounds(
            127, "03 01 …; 03 00 28 …", "01 01; 01 02",
            "The app can tell a missing channel from an unknown type.", .command(.sendChannelTxtMsg)),
        Grounds(
            128, "03 00 05 ts4 'hi'", "00 and a packet encrypted with the zero key",
            "A message on an empty slot is sent with a key that everybody has.", .command(.sendChannelTxtMsg),
            .section("5.3")),
        Grounds(
            129, "169 byte text, 8 char name", "150 bytes of text are sent, 00",
            "A long name takes room from the text, and its end is lost silently.", .command(.sendChannelTxtMsg)),
        Grounds(
            130, "3E 00 FF FFFF A1B2", "00",
            "Programs exchange data in a channel, with a type that tells theirs.", .command(.sendChannelData)),
        Grounds(
            131, "3E 00 02 AABB 3412 A1", "00, direct packet",
            "Data can be sent along a path instead of through the whole mesh.", .command(.sendChannelData)),
        Grounds(
            132, "3E 00 FF; 3E 00 C0 …; 3E 00 FF 0000; 3E 28 …", "01 06 ×3; 01 02",
            "A program can tell its own mistakes apart.", .command(.sendChannelData)),
        Grounds(
            133, "payload 166 / 168 bytes", "01 03 / 01 06",
            "Two lengths pass the first look and are refused with another error.", .command(.sendChannelData)),
        Grounds(
            134, "17th unsent packet", "01 02 for 03, 01 03 for the others",
            "A busy radio refuses in four ways, of which none may be taken for a mistake.", .section("9.10")),
        Grounds(
            135, "rename, send", "new name on air",
            "Others see the new name with the next message.", .command(.sendChannelTxtMsg), .command(.setAdvertName)),
    ]

    static let receiving: [Grounds] = [
        Grounds(
            136, "0A", "10 snr4 00 00 key6 plen type ts4 text",
            "The app shows sender, time, way and text of a message.", .command(.syncNextMessage), .section("7.6")),
        Grounds(
            137, "", "FF / 42",
            "The app tells how far a message has come.", .command(.syncNextMessage), .section("7.6")),
        Grounds(
            138, "0A", "type 01 / type 02 + prefix4",
            "In a room the author is in front of the text and not its sender.", .command(.syncNextMessage),
            .section("7.6")),
        Grounds(
            139, "0A", "11 snr 00 00 idx plen 00 ts4 text / 08 idx plen 00 ts4 text",
            "The app puts a message into the right channel.", .command(.syncNextMessage), .section("7.6")),
        Grounds(
            140, "0A", "1B snr 00 00 idx plen type2 len payload",
            "Data is parsed alike by old and new apps.", .command(.syncNextMessage), .section("7.6")),
        Grounds(
            141, "queue full, new message", "oldest channel message missing, order kept",
            "Direct messages survive a flood of channel texts while no app is there.", .section("9.2")),
        Grounds(
            142, "queue full of direct messages", "83, message not delivered",
            "An app that fetches after MSG_WAITING may find nothing.", .section("9.2")),
        Grounds(
            143, "reconnect, APP_START, 0A", "SELF_INFO only; then the message",
            "An app has to fetch after connecting, since nothing tells it to.", .section("9.2"), .section("3.6")),
        Grounds(
            144, "0A while the link drops", "message lost",
            "A message can be lost on a bad link, once fetched.", .command(.syncNextMessage), .section("9.2")),
        Grounds(
            145, "161+ byte text from the mesh", "176 byte frame",
            "The end of the longest texts is missing.", .section("7.6")),
        Grounds(
            146, "GRP_DATA with 170 byte payload", "nothing",
            "Some datagrams never reach the app, and nothing says so.", .section("9.2"), .section("7.6")),
        Grounds(
            147, "duplicate flood", "one message",
            "A message heard over two ways is shown once.", .section("9.2"), .air),
        Grounds(
            148, "04 since < now", "sender is reported",
            "Whoever wrote last is in the next delta.", .section("5.2"), .section("9.7")),
        Grounds(
            149, "direct message from unknown key", "nothing",
            "A stranger cannot fill the queue.", .section("9.2")),
        Grounds(
            150, "slots 0 and 3 with the same key", "idx 0",
            "Two slots with one key show messages in the first.", .section("5.3")),
        Grounds(
            151, "", "PATH packet ≈ 200 ms later",
            "A message is confirmed while the phone is off.", .section("9.9"), .air),
    ]

    static let channels: [Grounds] = [
        Grounds(
            152, "1F 00; 1F 28", "12 00 'Public' … 8B3387E9C5CDEA6AC9E5EDBAA115CD72; 01 02",
            "An app lists channels until the radio says there are no more.", .command(.getChannel)),
        Grounds(
            153, "APP_START then 1F 01", "12 01 00 + bytes 3..33 of SELF_INFO + 00×16",
            "Names have to be cut at their NUL, or they show rests of other frames.", .command(.getChannel)),
        Grounds(
            154, "20 01 name32 key16", "00",
            "A channel can be used as soon as it is set.", .command(.setChannel)),
        Grounds(
            155, "66-byte frame; idx 40", "01 01; 01 02",
            "An app for longer keys learns that this radio takes 16 bytes.", .command(.setChannel)),
        Grounds(
            156, "20 …, power cycle", "same CHANNEL_INFO",
            "Channels are still there after a restart.", .command(.setChannel)),
        Grounds(
            157, "20 00 00×48, reboot", "empty slot 0",
            "A user can leave the public channel for good.", .command(.setChannel)),
        Grounds(
            158, "", "messages on slot 2 appear / disappear",
            "Messages come or stay away as soon as a channel changes.", .command(.setChannel)),
    ]
}
