import MeshCompanion

extension Rationale {
    static let sending: [Rationale] = [
        Rationale(
            114,
            says: """
                A text to a contact without a path floods, and SENT has 1, the ack and a time-out. The ack is the \
                first 4 bytes of SHA-256 over timestamp, attempt modulo 4, text and the node's public key.
                """,
            "02 00 00 ts4 key6 'hey'", "06 01 ack4 timeout4",
            "The app matches the confirmation by this value and knows how long to wait.", .command(.sendTxtMsg)),
        Rationale(
            115, says: "A text to a contact with a path is sent direct along it, and byte 1 of SENT is 0.",
            "contact with out_path_len 2", "06 00 ack4 timeout4",
            "The app can tell the user that a message goes along a known path.", .command(.sendTxtMsg)),
        Rationale(
            116, says: "A text to a key prefix that no contact has is NOT_FOUND.",
            "02 00 00 ts4 999999999999 41", "01 02",
            "Nothing is sent to somebody whom the radio does not know.", .command(.sendTxtMsg)),
        Rationale(
            117,
            says: """
                A text of a type other than 0 and 1 is UNSUPPORTED_CMD when the recipient is known, and NOT_FOUND when \
                not.
                """,
            "02 02 …", "01 01 (known), 01 02 (unknown)",
            "Which error comes tells whether the recipient or the type was wrong.", .command(.sendTxtMsg)),
        Rationale(
            118,
            says: """
                A text above 160 bytes, or above 158 with an attempt above 3, is refused with TABLE_FULL.
                """,
            "161 byte text", "01 03",
            "An over-long message is refused whole, never sent in part.", .command(.sendTxtMsg)),
        Rationale(
            119,
            says: """
                The attempt is transmitted modulo 4; above 3 a NUL and the whole attempt byte follow the text, and the \
                ack does not cover these.
                """,
            "attempt 5", "same ack as attempt 1; plaintext … 78 00 05",
            "A retry keeps its identity for the recipient, and its confirmation stays known.", .command(.sendTxtMsg)),
        Rationale(
            120,
            says: """
                A CLI text (type 1) has ack 0 in SENT, and is transmitted with the radio's unique clock in place of \
                the app's timestamp.
                """,
            "02 01 00 ts4 key6 'ver'", "06 f 00000000 timeout4",
            "Commands to a repeater have no confirmation to wait for.", .command(.sendTxtMsg)),
        Rationale(
            121, says: "SEND_TXT_MSG transmits the text up to its first NUL.",
            "text 61 62 00 63", "'ab' is sent",
            "What follows a NUL is lost without an error.", .command(.sendTxtMsg)),
        Rationale(
            122,
            says: """
                An ACK that matches an expected one is pushed as SEND_CONFIRMED with the ack and the milliseconds \
                since sending; a repetition causes no push.
                """,
            "ACK packet from the mesh", "82 ack4 trip4",
            "A message is delivered once, and the app learns how long it took.",
            .command(.sendTxtMsg), .companion("processAck"), .air),
        Rationale(
            123, says: "The acks of the 8 latest texts are expected; that of an older text causes no push.",
            "9 messages, then ACK of the first", "no push",
            "An app with many open messages misses confirmations.", .command(.sendTxtMsg), .companion("processAck")),
        Rationale(
            124,
            says: """
                An ack inside a returned path changes the contact's path; PATH_UPDATED is pushed first, then \
                SEND_CONFIRMED.
                """,
            "PATH(extra=ACK)", "81 key32, 82 ack trip",
            "The path is known before the confirmation shows.",
            .command(.sendTxtMsg), .chat("onContactPathRecv"), .companion("processAck"), .air),
        Rationale(
            125, says: "An ack that does not come causes no push.",
            "send, wait", "nothing",
            "Only the app's own clock tells that a message was not confirmed.",
            .command(.sendTxtMsg), .companion("onSendTimeout")),
        Rationale(
            126,
            says: """
                SEND_CHANNEL_TXT_MSG is answered OK, never SENT, and transmits the node's name, a colon, a blank and \
                the text.
                """,
            "03 00 00 ts4 'hi'", "00",
            "Waiting for SENT after a channel text never ends.", .command(.sendChannelTxtMsg)),
        Rationale(
            127,
            says: """
                A channel text of a type other than 0 is UNSUPPORTED_CMD, which is checked first; a channel index not \
                below the channel count is NOT_FOUND.
                """,
            "03 01 …; 03 00 28 …", "01 01; 01 02",
            "The app can tell a missing channel from an unknown type.", .command(.sendChannelTxtMsg)),
        Rationale(
            128, says: "Sending on an unused channel slot succeeds, encrypted with the key of zeros.",
            "03 00 05 ts4 'hi'", "00 and a packet encrypted with the zero key",
            "A message on an empty slot is sent with a key that everybody has.",
            .command(.sendChannelTxtMsg), .chat("getChannel")),
        Rationale(
            129,
            says: """
                A channel text is cut so that name, colon, blank and text have at most 160 bytes, and is answered OK.
                """,
            "169 byte text, 8 char name", "150 bytes of text are sent, 00",
            "A long name takes room from the text, and its end is lost silently.", .command(.sendChannelTxtMsg)),
        Rationale(
            130, says: "SEND_CHANNEL_DATA with path_len FF floods a datagram of type, length and payload.",
            "3E 00 FF FFFF A1B2", "00",
            "Programs exchange data in a channel, with a type that tells theirs.", .command(.sendChannelData)),
        Rationale(
            131, says: "SEND_CHANNEL_DATA with a path is sent direct along it.",
            "3E 00 02 AABB 3412 A1", "00, direct packet",
            "Data can be sent along a path instead of through the whole mesh.", .command(.sendChannelData)),
        Rationale(
            132,
            says: """
                SEND_CHANNEL_DATA below 4 bytes, with an invalid path_len or with data type 0 is ILLEGAL_ARG. A bad \
                channel is NOT_FOUND, which is checked before the type.
                """,
            "3E 00 FF; 3E 00 C0 …; 3E 00 FF 0000; 3E 28 …", "01 06 ×3; 01 02",
            "A program can tell its own mistakes apart.", .command(.sendChannelData)),
        Rationale(
            133,
            says: """
                SEND_CHANNEL_DATA accepts a payload of up to 165 bytes; 166 and 167 bytes are TABLE_FULL, 168 and more \
                ILLEGAL_ARG.
                """,
            "payload 166 / 168 bytes", "01 03 / 01 06",
            "Two lengths pass the first look and are refused with another error.", .command(.sendChannelData)),
        Rationale(
            134,
            says: """
                With all 16 packet buffers in use a channel text is NOT_FOUND, IMPORT_CONTACT is ILLEGAL_ARG and every \
                other sender TABLE_FULL; bit 0 of the error flags in the statistics is set.
                """,
            "17th unsent packet", "01 02 for 03, 01 03 for the others",
            "A busy radio refuses in four ways, of which none may be taken for a mistake.",
            .dispatcher("obtainNewPacket")),
        Rationale(
            135, says: "A channel text is sent under the name that the node has at that time.",
            "rename, send", "new name on air",
            "Others see the new name with the next message.", .command(.sendChannelTxtMsg), .command(.setAdvertName)),
    ]

    static let receiving: [Rationale] = [
        Rationale(
            136,
            says: """
                A received direct message is pushed as MSG_WAITING, and SYNC_NEXT_MESSAGE returns it as \
                CONTACT_MSG_RECV_V3 (app version 3 or later).
                """,
            "0A", "10 snr4 00 00 key6 plen type ts4 text",
            "The app shows sender, time, way and text of a message.",
            .command(.syncNextMessage), .companion("queueMessage")),
        Rationale(
            137,
            says: """
                The path_len of a message frame is the encoded byte of a flood, and FF for a packet that was routed \
                direct.
                """,
            "", "FF / 42",
            "The app tells how far a message has come.", .command(.syncNextMessage), .companion("queueMessage")),
        Rationale(
            138,
            says: """
                CLI replies are delivered with type 1, and signed messages of rooms with type 2 and the 4-byte prefix \
                of the author before the text.
                """,
            "0A", "type 01 / type 02 + prefix4",
            "In a room the author is in front of the text and not its sender.",
            .command(.syncNextMessage), .companion("onCommandDataRecv"), .companion("onSignedMessageRecv")),
        Rationale(
            139,
            says: """
                A channel message has code 11 (hex) from app version 3 on and 08 before, and the index of its channel.
                """,
            "0A", "11 snr 00 00 idx plen 00 ts4 text / 08 idx plen 00 ts4 text",
            "The app puts a message into the right channel.",
            .command(.syncNextMessage), .companion("onChannelMessageRecv")),
        Rationale(
            140,
            says: """
                A channel datagram is delivered as CHANNEL_DATA_RECV whatever version the app announced.
                """,
            "0A", "1B snr 00 00 idx plen type2 len payload",
            "Data is parsed alike by old and new apps.", .command(.syncNextMessage), .companion("onChannelDataRecv")),
        Rationale(
            141,
            says: """
                When the offline queue is full, a new message takes the place of the oldest channel frame, text or \
                datagram; the others keep their order.
                """,
            "queue full, new message", "oldest channel message missing, order kept",
            "Direct messages survive a flood of channel texts while no app is there.", .companion("addToOfflineQueue")),
        Rationale(
            142,
            says: """
                When the full offline queue has no channel frame, the new message is discarded, and MSG_WAITING is \
                pushed nevertheless.
                """,
            "queue full of direct messages", "83, message not delivered",
            "An app that fetches after MSG_WAITING may find nothing.",
            .companion("addToOfflineQueue"), .companion("queueMessage")),
        Rationale(
            143,
            says: """
                A message received while no app is connected is queued without a push, and connecting causes no \
                MSG_WAITING.
                """,
            "reconnect, APP_START, 0A", "SELF_INFO only; then the message",
            "An app has to fetch after connecting, since nothing tells it to.", .companion("queueMessage")),
        Rationale(
            144, says: "SYNC_NEXT_MESSAGE removes the message from the queue even when its reply is lost.",
            "0A while the link drops", "message lost",
            "A message can be lost on a bad link, once fetched.",
            .command(.syncNextMessage), .companion("getFromOfflineQueue")),
        Rationale(
            145,
            says: """
                A message frame is cut at 176 bytes. In the layouts of version 3 that leaves 160 bytes of text of \
                types 0 and 1, 156 of a signed text and 165 of a channel text.
                """,
            "161+ byte text from the mesh", "176 byte frame",
            "The end of the longest texts is missing.", .companion("queueMessage"), .companion("onChannelMessageRecv")),
        Rationale(
            146, says: "A channel datagram above 167 bytes is dropped without a frame.",
            "GRP_DATA with 170 byte payload", "nothing",
            "Some datagrams never reach the app, and nothing says so.", .companion("onChannelDataRecv")),
        Rationale(
            147, says: "A second copy of a packet, with the same payload and another path, is not delivered.",
            "duplicate flood", "one message",
            "A message heard over two ways is shown once.", .air),
        Rationale(
            148,
            says: """
                A received plain or signed message sets the lastmod of its sender to the radio's clock.
                """,
            "04 since < now", "sender is reported",
            "Whoever wrote last is in the next delta.", .chat("onPeerDataRecv")),
        Rationale(
            149, says: "A message from a node that is not a contact causes no frame.",
            "direct message from unknown key", "nothing",
            "A stranger cannot fill the queue.", .chat("searchPeersByHash")),
        Rationale(
            150, says: "When two slots have one secret, received messages have the lower index.",
            "slots 0 and 3 with the same key", "idx 0",
            "Two slots with one key show messages in the first.", .chat("findChannelIdx")),
        Rationale(
            151,
            says: """
                The radio acknowledges a received text by itself after about 200 ms: a flooded one by a returned path \
                with the ACK inside, a direct one by an ACK.
                """,
            "", "PATH packet ≈ 200 ms later",
            "A message is confirmed while the phone is off.", .chat("onPeerDataRecv"), .air),
    ]

    static let channels: [Rationale] = [
        Rationale(
            152,
            says: """
                GET_CHANNEL returns a CHANNEL_INFO of 50 bytes for every index below the channel count, and NOT_FOUND \
                above. After a factory reset slot 0 is Public, with the key 8B3387E9C5CDEA6AC9E5EDBAA115CD72.
                """,
            "1F 00; 1F 28", "12 00 'Public' … 8B3387E9C5CDEA6AC9E5EDBAA115CD72; 01 02",
            "An app lists channels until the radio says there are no more.", .command(.getChannel)),
        Rationale(
            153,
            says: """
                Behind the NUL of the name in CHANNEL_INFO stand bytes of the frame sent before, so an app cuts the \
                name at its first NUL.
                """,
            "APP_START then 1F 01", "12 01 00 + bytes 3..33 of SELF_INFO + 00×16",
            "Names have to be cut at their NUL, or they show rests of other frames.", .command(.getChannel)),
        Rationale(
            154,
            says: """
                SET_CHANNEL of 50 bytes stores a name and a secret of 16 bytes, and GET_CHANNEL returns them at once.
                """,
            "20 01 name32 key16", "00",
            "A channel can be used as soon as it is set.", .command(.setChannel)),
        Rationale(
            155,
            says: """
                SET_CHANNEL accepts 50 to 65 bytes and reads 50. Other lengths are UNSUPPORTED_CMD, a bad index is \
                NOT_FOUND, and a name is cut at 31 bytes.
                """,
            "66-byte frame; idx 40", "01 01; 01 02",
            "An app for longer keys learns that this radio takes 16 bytes.", .command(.setChannel)),
        Rationale(
            156, says: "SET_CHANNEL stores the channel at once, and a loss of power leaves it as it is.",
            "20 …, power cycle", "same CHANNEL_INFO",
            "Channels are still there after a restart.", .command(.setChannel)),
        Rationale(
            157, says: "The Public channel in slot 0 can be replaced or erased, and is so after a reboot.",
            "20 00 00×48, reboot", "empty slot 0",
            "A user can leave the public channel for good.", .command(.setChannel)),
        Rationale(
            158,
            says: """
                Messages of a channel are received as soon as it is set, and no longer once it is erased.
                """,
            "", "messages on slot 2 appear / disappear",
            "Messages come or stay away as soon as a channel changes.", .command(.setChannel)),
    ]
}
