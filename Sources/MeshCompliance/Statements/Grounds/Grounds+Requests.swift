import MeshCompanion

extension Grounds {
    static let requests: [Grounds] = [
        Grounds(
            159, "1A key32 'password'", "06 f key[0..3] timeout4",
            "The app knows which server the answer will be from.", .command(.sendLogin), .section("9.4")),
        Grounds(
            160, "30 byte password", "15 bytes sent",
            "Longer passwords cannot work, and a room needs to know where to go on.", .command(.sendLogin)),
        Grounds(
            161, "RESPONSE{ts,00,ka,perm,acl,rnd4,level}", "85 perm key6 ts4 acl level",
            "The app learns what the user may do on the server.", .command(.sendLogin), .section("8")),
        Grounds(
            162, "RESPONSE{ts,'OK'} / {ts,01}", "85 00 key6 / 86 00 key6",
            "Old servers answer otherwise, and refusals come as a push of their own.", .command(.sendLogin),
            .section("8")),
        Grounds(
            163, "1B key32; response with other tag", "06 f tag4 timeout4; 87 00 key6 data",
            "A late answer to an earlier question looks like the present one.", .command(.sendStatusReq),
            .section("9.4")),
        Grounds(
            164, "27 00 00 00 key32", "06 …; 8B 00 key6 lpp 00…",
            "Sensor values come with zeros behind them, which are no values.", .command(.sendTelemetryReq),
            .section("9.4")),
        Grounds(
            165, "32 key32 06 00 FF", "06 f tag4 timeout4; 8C 00 tag4 data",
            "The app matches the answer by its tag and must ignore the padding.", .command(.sendBinaryReq),
            .section("9.4")),
        Grounds(
            166, "32 … then 27 …", "only the second is answered by a push",
            "Only one question can be open; a second silences the first.", .section("9.4")),
        Grounds(
            167, "32 …, 02 …, 24 …, 32 unknown", "first request still answered",
            "Writing messages does not disturb a question.", .section("9.4")),
        Grounds(
            168, "34 00 key32", "06 01 tag4 timeout4; 8D 00 key6 olen opath ilen ipath",
            "The user sees both ways, and the app decides what to keep.", .command(.sendPathDiscoveryReq),
            .section("9.4")),
        Grounds(
            169, "34 01 key32", "01 01",
            "A path that works is not lost by asking for one.", .command(.sendPathDiscoveryReq)),
        Grounds(
            170, "PATH(extra=RESPONSE)", "81 key32, 8B …",
            "The contact's path is fresh before its answer shows.", .section("9.4"), .section("8")),
        Grounds(
            171, "1A/1B/27/32/34 unknown", "01 02",
            "An app must add a node before it can ask it.", .section("9.4")),
        Grounds(
            172, "39 key32 01 00", "06 00 tag4 timeout4; 8C 00 tag4 …",
            "Whoever is near can be asked without becoming a contact.", .command(.sendAnonReq), .section("5.2")),
        Grounds(
            173, "133 data bytes", "01 03",
            "The size of such a question is bounded, and the errors tell how.", .command(.sendAnonReq)),
        Grounds(
            174, "9 anonymous requests", "oldest transient key → NOT_FOUND",
            "After eight strangers the first cannot answer any more.", .command(.sendAnonReq), .section("5.2")),
        Grounds(
            175, "1C key32, 1D key32", "00/01 02; 00",
            "An app learns whether a server keeps it in mind.", .command(.hasConnection), .command(.logout),
            .section("9.5")),
        Grounds(
            176, "three requests within a second", "tags n, n+1, n+2",
            "No two answers can be taken for one another.", .section("9.4"), .section("5.4")),
        Grounds(
            177, "RESPONSE tag 0", "8B 00 key6 …",
            "An app must bear an answer that it did not ask for.", .section("9.4")),
        Grounds(
            178, "disconnect before the response", "nothing after reconnect",
            "A question has to be repeated after a lost link.", .section("9.4"), .section("3.6")),
        Grounds(
            179, "157 byte response", "nothing",
            "Long answers never come, so questions have to ask for less.", .section("9.4"), .section("8")),
    ]

    static let rawData: [Grounds] = [
        Grounds(
            180, "19 02 AABB 01020304", "00",
            "Programs reach a node with data of their own.", .command(.sendRawData)),
        Grounds(
            181, "19 FF 01020304", "01 01",
            "Raw data cannot flood the mesh.", .command(.sendRawData)),
        Grounds(
            182, "", "84 snr rssi FF payload",
            "Programs get only what was sent to them along a path.", .section("8"), .air),
        Grounds(
            183, "173 byte payload", "nothing",
            "Longer payloads are lost at the receiver.", .section("8")),
        Grounds(
            184, "37 80 06 DEADBEEF; 37 7F", "00; 01 01",
            "Control data stays among neighbours.", .command(.sendControlData)),
        Grounds(
            185, "", "8E snr rssi plen payload",
            "Nothing from afar can pass for a neighbour's control packet.", .section("8"), .air),
        Grounds(
            186, "24 tag4 auth4 00 AABB", "06 00 tag4 timeout4",
            "The app knows how long a trace may take.", .command(.sendTracePath)),
        Grounds(
            187, "65 one-byte entries; 3 bytes with flags 1", "01 06",
            "A trace with half a hash or too many is refused at once.", .command(.sendTracePath)),
        Grounds(
            188, "", "89 00 len flags tag4 auth4 hashes snrs final",
            "Each hop's signal is shown, and traces of others have to be ignored by tag.", .section("8"), .air),
        Grounds(
            189, "41 00 11 00 AA", "00; packet 11 00 AA on air",
            "A tool can send what the radio does not know.", .command(.sendRawPacket)),
        Grounds(
            190, "41 00 D1 00 AABB", "01 06",
            "A malformed packet is not put on the air.", .command(.sendRawPacket)),
        Grounds(
            191, "41 FF 11 00 AA", "00; stats queue_len stays 1",
            "A queue that seems stuck may be an app's own doing.", .command(.sendRawPacket)),
        Grounds(
            192, "any reception", "88 snr rssi raw",
            "A log of the air shows a packet before its meaning.", .section("8")),
        Grounds(
            193, "3 garbage bytes, −20.25 dB, −130 dBm", "88 AF 7E FF FF FF",
            "A log shows what was received, however broken, and RSSI has to be read as wrapped.", .section("8")),
        Grounds(
            194, "reception while disconnected", "nothing later",
            "A log has gaps where no app was connected.", .section("3.6"), .section("8")),
    ]
}
