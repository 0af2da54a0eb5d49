import MeshCompanion

extension Rationale {
    static let requests: [Rationale] = [
        Rationale(
            159, says: "SENT of SEND_LOGIN has the first 4 bytes of the server's key as its tag.",
            "1A key32 'password'", "06 f key[0..3] timeout4",
            "The app knows which server the answer will be from.", .command(.sendLogin), .chat("sendLogin")),
        Rationale(
            160,
            says: """
                A password is cut at 15 bytes; to a room server (type 3) the 4 bytes of sync_since are sent before it.
                """,
            "30 byte password", "15 bytes sent",
            "Longer passwords cannot work, and a room needs to know where to go on.", .command(.sendLogin)),
        Rationale(
            161, says: "A login answer with code 0 is pushed once, as a LOGIN_SUCCESS of 14 bytes.",
            "RESPONSE{ts,00,ka,perm,acl,rnd4,level}", "85 perm key6 ts4 acl level",
            "The app learns what the user may do on the server.",
            .command(.sendLogin), .companion("onContactResponse")),
        Rationale(
            162,
            says: """
                A login answer of the old form OK is pushed as a LOGIN_SUCCESS of 8 bytes, and any other content as \
                LOGIN_FAIL.
                """,
            "RESPONSE{ts,'OK'} / {ts,01}", "85 00 key6 / 86 00 key6",
            "Old servers answer otherwise, and refusals come as a push of their own.",
            .command(.sendLogin), .companion("onContactResponse")),
        Rationale(
            163,
            says: """
                SENT of SEND_STATUS_REQ has the tag of the request, yet the answer is matched by its sender's key with \
                any tag; STATUS_RESPONSE has no tag.
                """,
            "1B key32; response with other tag", "06 f tag4 timeout4; 87 00 key6 data",
            "A late answer to an earlier question looks like the present one.",
            .command(.sendStatusReq), .companion("onContactResponse")),
        Rationale(
            164,
            says: """
                The answer to SEND_TELEMETRY_REQ is matched by its tag; TELEMETRY_RESPONSE includes the zeros that \
                fill the cipher block.
                """,
            "27 00 00 00 key32", "06 …; 8B 00 key6 lpp 00…",
            "Sensor values come with zeros behind them, which are no values.",
            .command(.sendTelemetryReq), .companion("onContactResponse")),
        Rationale(
            165,
            says: """
                SEND_BINARY_REQ transmits tag and data; BINARY_RESPONSE has the tag and the answer's data, filled up \
                to the cipher block.
                """,
            "32 key32 06 00 FF", "06 f tag4 timeout4; 8C 00 tag4 data",
            "The app matches the answer by its tag and must ignore the padding.",
            .command(.sendBinaryReq), .companion("onContactResponse")),
        Rationale(
            166,
            says: """
                A new login or a new status, telemetry, binary, anonymous or discovery request cancels the pending \
                one, whatever its kind and its node.
                """,
            "32 … then 27 …", "only the second is answered by a push",
            "Only one question can be open; a second silences the first.", .dispatch),
        Rationale(
            167, says: "A text, a trace and a request that fails leave the pending request open.",
            "32 …, 02 …, 24 …, 32 unknown", "first request still answered",
            "Writing messages does not disturb a question.", .dispatch),
        Rationale(
            168,
            says: """
                SEND_PATH_DISCOVERY_REQ floods, and PATH_DISCOVERY_RESPONSE has the paths out and in. The contact \
                stays as it is, and no path is returned.
                """,
            "34 00 key32", "06 01 tag4 timeout4; 8D 00 key6 olen opath ilen ipath",
            "The user sees both ways, and the app decides what to keep.",
            .command(.sendPathDiscoveryReq), .companion("onContactPathRecv")),
        Rationale(
            169,
            says: """
                Path discovery leaves the stored path; with a reserved byte other than 0 it is UNSUPPORTED_CMD.
                """,
            "34 01 key32", "01 01",
            "A path that works is not lost by asking for one.", .command(.sendPathDiscoveryReq)),
        Rationale(
            170, says: "A response inside a PATH packet causes PATH_UPDATED before its own push.",
            "PATH(extra=RESPONSE)", "81 key32, 8B …",
            "The contact's path is fresh before its answer shows.",
            .companion("onContactPathRecv"), .companion("onContactPathUpdated")),
        Rationale(
            171,
            says: """
                Logins and status, telemetry, binary and discovery requests to an unknown key are NOT_FOUND.
                """,
            "1A/1B/27/32/34 unknown", "01 02",
            "An app must add a node before it can ask it.", .dispatch),
        Rationale(
            172,
            says: """
                SEND_ANON_REQ to an unknown key is sent zero-hop by way of a transient slot, which GET_CONTACTS does \
                not list, and answered by BINARY_RESPONSE.
                """,
            "39 key32 01 00", "06 00 tag4 timeout4; 8C 00 tag4 …",
            "Whoever is near can be asked without becoming a contact.",
            .command(.sendAnonReq), .chat("allocateContactSlot")),
        Rationale(
            173,
            says: """
                SEND_ANON_REQ takes 1 to 132 bytes of data; none is UNSUPPORTED_CMD, and more is TABLE_FULL.
                """,
            "133 data bytes", "01 03",
            "The size of such a question is bounded, and the errors tell how.", .command(.sendAnonReq)),
        Rationale(
            174, says: "There are 8 transient slots, and a ninth node takes that with the smallest lastmod.",
            "9 anonymous requests", "oldest transient key → NOT_FOUND",
            "After eight strangers the first cannot answer any more.",
            .command(.sendAnonReq), .chat("allocateContactSlot")),
        Rationale(
            175,
            says: """
                HAS_CONNECTION is OK from a login answer with a keep-alive interval until LOGOUT or a reboot, and \
                NOT_FOUND otherwise. LOGOUT is always OK.
                """,
            "1C key32, 1D key32", "00/01 02; 00",
            "An app learns whether a server keeps it in mind.",
            .command(.hasConnection), .command(.logout), .chat("startConnection")),
        Rationale(
            176,
            says: """
                A tag is the radio's clock, or the last tag plus 1 when the clock is not above it, so no tag comes \
                twice.
                """,
            "three requests within a second", "tags n, n+1, n+2",
            "No two answers can be taken for one another.", .clock("getCurrentTimeUnique")),
        Rationale(
            177,
            says: """
                While nothing is pending, a response with tag 0 that nobody asked for is pushed as TELEMETRY_RESPONSE.
                """,
            "RESPONSE tag 0", "8B 00 key6 …",
            "An app must bear an answer that it did not ask for.", .companion("onContactResponse")),
        Rationale(
            178, says: "A response that arrives while no app is connected is taken as the answer and lost.",
            "disconnect before the response", "nothing after reconnect",
            "A question has to be repeated after a lost link.", .companion("onContactResponse")),
        Rationale(
            179,
            says: """
                A response with more than 156 bytes of data is not delivered, because its frame would exceed 176 \
                bytes.
                """,
            "157 byte response", "nothing",
            "Long answers never come, so questions have to ask for less.", .companion("onContactResponse")),
    ]

    static let rawData: [Rationale] = [
        Rationale(
            180,
            says: """
                SEND_RAW_DATA transmits a RAW_CUSTOM packet direct along the given path, and zero-hop with path_len 0.
                """,
            "19 02 AABB 01020304", "00",
            "Programs reach a node with data of their own.", .command(.sendRawData)),
        Rationale(
            181,
            says: """
                SEND_RAW_DATA with a path_len of 80 (hex) or more, or with fewer than 4 bytes of payload, is \
                UNSUPPORTED_CMD.
                """,
            "19 FF 01020304", "01 01",
            "Raw data cannot flood the mesh.", .command(.sendRawData)),
        Rationale(
            182,
            says: """
                A RAW_CUSTOM packet that was routed direct is pushed as RAW_DATA; a flooded one is ignored.
                """,
            "", "84 snr rssi FF payload",
            "Programs get only what was sent to them along a path.", .companion("onRawDataRecv"), .air),
        Rationale(
            183,
            says: """
                RAW_DATA and CONTROL_DATA have at most 172 bytes of payload; a packet with more causes neither.
                """,
            "173 byte payload", "nothing",
            "Longer payloads are lost at the receiver.", .companion("onRawDataRecv"), .companion("onControlDataRecv")),
        Rationale(
            184,
            says: """
                SEND_CONTROL_DATA with bit 7 of byte 1 set transmits a zero-hop CONTROL packet; without it the command \
                is UNSUPPORTED_CMD.
                """,
            "37 80 06 DEADBEEF; 37 7F", "00; 01 01",
            "Control data stays among neighbours.", .command(.sendControlData)),
        Rationale(
            185,
            says: """
                A CONTROL packet is pushed as CONTROL_DATA only if it came direct and zero-hop and its bit 7 is set.
                """,
            "", "8E snr rssi plen payload",
            "Nothing from afar can pass for a neighbour's control packet.", .companion("onControlDataRecv"), .air),
        Rationale(
            186,
            says: """
                SEND_TRACE_PATH is answered by SENT with 0, the tag as given and a time-out for its number of path \
                entries.
                """,
            "24 tag4 auth4 00 AABB", "06 00 tag4 timeout4",
            "The app knows how long a trace may take.", .command(.sendTracePath)),
        Rationale(
            187,
            says: """
                The path of a trace has at most 64 entries of 2^(flags modulo 4) bytes, and no part of one; any other \
                is ILLEGAL_ARG.
                """,
            "65 one-byte entries; 3 bytes with flags 1", "01 06",
            "A trace with half a hash or too many is refused at once.", .command(.sendTracePath)),
        Rationale(
            188,
            says: """
                A TRACE packet at the end of its path is pushed as TRACE_DATA, whoever started it: the length of the \
                path in bytes, its hashes, an SNR for each entry and the final SNR.
                """,
            "", "89 00 len flags tag4 auth4 hashes snrs final",
            "Each hop's signal is shown, and traces of others have to be ignored by tag.",
            .companion("onTraceRecv"), .air),
        Rationale(
            189, says: "SEND_RAW_PACKET queues the given packet unchanged, with the given priority.",
            "41 00 11 00 AA", "00; packet 11 00 AA on air",
            "A tool can send what the radio does not know.", .command(.sendRawPacket)),
        Rationale(
            190,
            says: """
                SEND_RAW_PACKET of a packet with a payload version other than 0, with path mode 3, or with a path that \
                exceeds the packet, is ILLEGAL_ARG.
                """,
            "41 00 D1 00 AABB", "01 06",
            "A malformed packet is not put on the air.", .command(.sendRawPacket)),
        Rationale(
            191, says: "A raw packet of priority 255 is accepted and never transmitted: it stays in the queue.",
            "41 FF 11 00 AA", "00; stats queue_len stays 1",
            "A queue that seems stuck may be an app's own doing.", .command(.sendRawPacket)),
        Rationale(
            192,
            says: """
                Each received packet of up to 173 bytes is pushed as LOG_RX_DATA before the pushes that it causes; a \
                longer one is not.
                """,
            "any reception", "88 snr rssi raw",
            "A log of the air shows a packet before its meaning.", .companion("logRxRaw")),
        Rationale(
            193,
            says: """
                Packets that cannot be decoded are pushed as LOG_RX_DATA, too. Its SNR is a signed byte in quarter \
                decibels, and its RSSI a signed byte that wraps below −128.
                """,
            "3 garbage bytes, −20.25 dB, −130 dBm", "88 AF 7E FF FF FF",
            "A log shows what was received, however broken, and RSSI has to be read as wrapped.",
            .companion("logRxRaw")),
        Rationale(
            194,
            says: """
                RAW_DATA, CONTROL_DATA, TRACE_DATA, LOG_RX_DATA and the pushes about adverts are left out while no app \
                is connected, and never queued.
                """,
            "reception while disconnected", "nothing later",
            "A log has gaps where no app was connected.",
            .companion("onRawDataRecv"), .companion("onControlDataRecv"), .companion("onTraceRecv"),
            .companion("logRxRaw")),
    ]
}
