import MeshCompanion

extension Grounds {
    static let serialFraming: [Grounds] = [
        Grounds(
            1, "3C 01 00 05", "3E 05 00 09 tttttttt",
            "A client finds the end of an answer only by marker and length.", .serial),
        Grounds(
            2, "00 FF 41 0D 0A 3C 01 00 05", "one CURR_TIME frame, nothing else",
            "A USB port carries boot messages and noise before the first frame.", .serial),
        Grounds(
            3, "3C 00 00 3C 01 00 05", "only the reply to the second frame",
            "A client may send an empty frame to wake a line; nothing may wait for its answer.", .serial),
        Grounds(
            4, "3C C8 00 05 41×199", "CURR_TIME (not an error, not silence)",
            "Serial and Wi-Fi differ here, so a client must not rely on a long frame being refused.", .serial),
        Grounds(
            5, "3C 01 00 … pause … 05", "CURR_TIME after the last byte",
            "Operating systems hand bytes over in pieces of any size.", .serial),
        Grounds(
            6, "3E 01 00 05", "nothing",
            "An echoing line must not make the radio execute its own answers.", .serial),
        Grounds(
            7, "3C 3C 01 + 316 bytes (first byte 00)", "exactly one frame: 01 01 for opcode 00",
            "A broken header costs as many bytes as it says, and a client must know how to get back in step.", .serial),
        Grounds(
            8, "3C 01 00 05 3C 01 00 3B", "CURR_TIME then AUTOADD_CONFIG",
            "Clients write several commands at once and match answers by order alone.", .serial),
        Grounds(
            9, "APP_START", "3E 42 00 05 … (66 byte payload for an 8 character name)",
            "A reader that takes two frames for one loses the push between answers.", .serial),
    ]

    static let tcpFraming: [Grounds] = [
        Grounds(
            10, "3C 01 00 05", "3E 05 00 09 tttttttt",
            "One framing code in the client serves serial and TCP.", .wifi),
        Grounds(
            11, "41 04 00 3C 01 00 05", "nothing; the embedded frame is lost",
            "Over TCP one wrong byte loses whole commands, so a client must never send noise.", .wifi),
        Grounds(
            12, "3C C8 00 05×200", "nothing",
            "A client that sends too much waits for an answer that never comes.", .wifi),
        Grounds(
            13, "00 05 00 3C 01 00 05", "CURR_TIME",
            "Zero bytes cost three bytes at a time, which decides whether the next command survives.", .wifi),
        Grounds(
            14, "connect #2 while #1 is open", "#1 receives FIN/RST, #2 is served",
            "A second app takes the radio away, and the first has only its closed socket to tell it.", .wifi),
        Grounds(
            15, "command, disconnect before the reply is flushed, reconnect",
            "the new client first receives the stale reply",
            "The first frame after connecting can answer somebody else's command.", .wifi),
        Grounds(
            16, "GET_CONTACTS then GET_DEVICE_TIME in one write", "02,03…03,04,09",
            "A time-out for a command must be longer than a contact listing.", .wifi),
        Grounds(
            17, "3C 01 00 on #1, connect #2, full frame on #2", "#2 is answered normally",
            "A client that comes back starts at a frame's beginning.", .wifi),
        Grounds(
            18, "41 42 3C 01 00 05", "CURR_TIME",
            "On the same port an Ethernet board forgives what a Wi-Fi board does not.", .ethernet),
    ]

    static let bluetooth: [Grounds] = [
        Grounds(
            19, "GATT discovery", "service and both characteristics present",
            "A phone finds radio and characteristics by these numbers.", .bluetooth),
        Grounds(
            20, "write 05", "notification 09 tttttttt",
            "A client that adds the serial header is not understood.", .bluetooth),
        Grounds(
            21, "write before pairing", "ATT error 0x05 (insufficient authentication) or 0x0F",
            "The failing access is what makes a phone offer to pair.", .bluetooth),
        Grounds(
            22, "pair with wrong passkey", "pairing fails and the radio terminates the link",
            "The user types what the radio shows; no other way of pairing works.", .bluetooth),
        Grounds(
            23, "read characteristic properties", "RX 0x0C, TX 0x10",
            "A client that waits for write confirmations must ask for them.", .bluetoothNRF52),
        Grounds(
            24, "read characteristic properties", "RX 0x08, TX 0x12",
            "A client must write with response here, or nothing arrives.", .bluetoothESP32),
        Grounds(
            25, "write on an unsecured link (nRF52: data drained)", "no reply",
            "A command sent too early is lost without an error.", .bluetooth),
        Grounds(
            26, "write of 177 bytes", "nothing",
            "A long write fails silently, so a client has to keep the limit itself.", .bluetooth),
        Grounds(
            27, "two commands written together", "reply 2 arrives ≥ 60 ms after reply 1",
            "The pace bounds how fast messages and contacts can be fetched.", .bluetoothESP32),
        Grounds(
            28, "5 frames produced within one 60 ms slot", "only 4 are delivered",
            "A burst of answers loses its end; a client has to ask one by one.", .bluetoothESP32),
        Grounds(
            29, "GET_CONTACTS on a slow link", "no contact frame is lost",
            "A listing over a slow link stays complete.", .bluetoothNRF52),
        Grounds(
            30, "disconnect, scan", "device advertises again",
            "After reconnecting nothing old arrives, and the radio can be found again.", .bluetooth),
        Grounds(
            31, "SET_ADVERT_NAME then scan", "old name",
            "A client must know a radio by its key, since its name on the air is old.", .bluetooth),
        Grounds(
            32, "receive a 176 byte frame", "173 byte notification",
            "The last bytes of the longest messages are missing.", .bluetoothESP32),
    ]
}
