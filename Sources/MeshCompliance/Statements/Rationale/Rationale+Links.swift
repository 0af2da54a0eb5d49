extension Rationale {
    static let serialFraming: [Rationale] = [
        Rationale(
            1,
            says: """
                On a serial line a command stands behind 3C and its length in 16 bits, low byte first; the reply \
                stands behind 3E and a length of the same form.
                """,
            "3C 01 00 05", "3E 05 00 09 tttttttt",
            "A client finds the end of an answer only by marker and length.", .serial),
        Rationale(
            2,
            says: """
                Between frames the serial receiver skips every byte but 3C, one by one and without a reply.
                """,
            "00 FF 41 0D 0A 3C 01 00 05", "one CURR_TIME frame, nothing else",
            "A USB port carries boot messages and noise before the first frame.", .serial),
        Rationale(
            3, says: "A serial frame of length 0 has no reply, and the next byte may begin a frame.",
            "3C 00 00 3C 01 00 05", "only the reply to the second frame",
            "A client may send an empty frame to wake a line; nothing may wait for its answer.", .serial),
        Rationale(
            4,
            says: """
                A serial frame above 176 bytes is read to its end, and its first 176 bytes are executed as the \
                command.
                """,
            "3C C8 00 05 41×199", "CURR_TIME (not an error, not silence)",
            "Serial and Wi-Fi differ here, so a client must not rely on a long frame being refused.", .serial),
        Rationale(
            5,
            says: """
                The serial receiver puts a frame together from pieces of any size; no pause between bytes ends it.
                """,
            "3C 01 00 … pause … 05", "CURR_TIME after the last byte",
            "Operating systems hand bytes over in pieces of any size.", .serial),
        Rationale(
            6, says: "On a serial line a frame behind the radio's own marker 3E is skipped as noise.",
            "3E 01 00 05", "nothing",
            "An echoing line must not make the radio execute its own answers.", .serial),
        Rationale(
            7, says: "Within a serial header 3C is data: 3C 3C 01 begins a frame of 0x013C bytes.",
            "3C 3C 01 + 316 bytes (first byte 00)", "exactly one frame: 01 01 for opcode 00",
            "A broken header costs as many bytes as it says, and a client must know how to get back in step.", .serial),
        Rationale(
            8,
            says: """
                Frames that arrive back to back are executed in their order, at most one in each pass of the main \
                loop.
                """,
            "3C 01 00 05 3C 01 00 3B", "CURR_TIME then AUTOADD_CONFIG",
            "Clients write several commands at once and match answers by order alone.", .serial),
        Rationale(
            9,
            says: """
                On a serial line each response and each push has a 3E header of its own with its exact length.
                """,
            "APP_START", "3E 42 00 05 … (66 byte payload for an 8 character name)",
            "A reader that takes two frames for one loses the push between answers.", .serial),
    ]

    static let tcpFraming: [Rationale] = [
        Rationale(
            10,
            says: """
                Over TCP on Wi-Fi boards commands and replies are framed as on a serial line; the port is 5000 unless \
                the build sets another.
                """,
            "3C 01 00 05", "3E 05 00 09 tttttttt",
            "One framing code in the client serves serial and TCP.", .wifi),
        Rationale(
            11,
            says: """
                On Wi-Fi a header that begins with neither 00 nor 3C takes as many bytes along as its length says; a \
                3C among them begins no frame.
                """,
            "41 04 00 3C 01 00 05", "nothing; the embedded frame is lost",
            "Over TCP one wrong byte loses whole commands, so a client must never send noise.", .wifi),
        Rationale(
            12, says: "On Wi-Fi a frame above 176 bytes is dropped whole and has no reply.",
            "3C C8 00 05×200", "nothing",
            "A client that sends too much waits for an answer that never comes.", .wifi),
        Rationale(
            13,
            says: """
                On Wi-Fi a header with the marker 00 or the length 0 is dropped: these three bytes and no more.
                """,
            "00 05 00 3C 01 00 05", "CURR_TIME",
            "Zero bytes cost three bytes at a time, which decides whether the next command survives.", .wifi),
        Rationale(
            14, says: "On Wi-Fi a second connection becomes the client, and the radio closes the first one.",
            "connect #2 while #1 is open", "#1 receives FIN/RST, #2 is served",
            "A second app takes the radio away, and the first has only its closed socket to tell it.", .wifi),
        Rationale(
            15, says: "On Wi-Fi replies that still wait when a client vanishes are sent to the next client.",
            "command, disconnect before the reply is flushed, reconnect",
            "the new client first receives the stale reply",
            "The first frame after connecting can answer somebody else's command.", .wifi),
        Rationale(
            16,
            says: """
                On Wi-Fi a command that arrives while contacts are sent without a gap is executed after \
                END_OF_CONTACTS.
                """,
            "GET_CONTACTS then GET_DEVICE_TIME in one write", "02,03…03,04,09",
            "A time-out for a command must be longer than a contact listing.", .wifi),
        Rationale(
            17,
            says: """
                On Wi-Fi a header that one client sent in part is forgotten when another client takes over.
                """,
            "3C 01 00 on #1, connect #2, full frame on #2", "#2 is answered normally",
            "A client that comes back starts at a frame's beginning.", .wifi),
        Rationale(
            18,
            says: """
                Over Ethernet bytes are parsed as on a serial line: bytes before 3C are skipped, and of a frame above \
                176 bytes the first 176 are executed.
                """,
            "41 42 3C 01 00 05", "CURR_TIME",
            "On the same port an Ethernet board forgives what a Wi-Fi board does not.", .ethernet),
    ]

    static let bluetooth: [Rationale] = [
        Rationale(
            19,
            says: """
                The service 6E400001-B5A3-F393-E0A9-E50E24DCCA9E has two characteristics: RX (6E400002-…), which the \
                app writes, and TX (6E400003-…), by which the radio notifies.
                """,
            "GATT discovery", "service and both characteristics present",
            "A phone finds radio and characteristics by these numbers.", .bluetooth),
        Rationale(
            20, says: "A value of RX or TX is exactly one frame, without the three bytes of a serial header.",
            "write 05", "notification 09 tttttttt",
            "A client that adds the serial header is not understood.", .bluetooth),
        Rationale(
            21,
            says: """
                RX and TX can be used on an encrypted link with MITM protection only; any other access fails with the \
                ATT error 0x05 or 0x0F, on which the central pairs.
                """,
            "write before pairing", "ATT error 0x05 (insufficient authentication) or 0x0F",
            "The failing access is what makes a phone offer to pair.", .bluetooth),
        Rationale(
            22,
            says: """
                Pairing takes a fixed passkey of 6 digits that the radio displays (DisplayOnly) and the user enters. \
                After a wrong one pairing fails, and the radio ends the link.
                """,
            "pair with wrong passkey", "pairing fails and the radio terminates the link",
            "The user types what the radio shows; no other way of pairing works.", .bluetooth),
        Rationale(
            23,
            says: """
                On nRF52 the properties of RX are Write and Write Without Response (0x0C), and TX has Notify only \
                (0x10).
                """,
            "read characteristic properties", "RX 0x0C, TX 0x10",
            "A client that waits for write confirmations must ask for them.", .bluetoothNRF52),
        Rationale(
            24,
            says: """
                On ESP32 the only property of RX is Write, with response (0x08), and TX has Read and Notify (0x12).
                """,
            "read characteristic properties", "RX 0x08, TX 0x12",
            "A client must write with response here, or nothing arrives.", .bluetoothESP32),
        Rationale(
            25, says: "Before the Bluetooth link is secure the radio sends no frame and executes none.",
            "write on an unsecured link (nRF52: data drained)", "no reply",
            "A command sent too early is lost without an error.", .bluetooth),
        Rationale(
            26, says: "A value above 176 bytes that is written to RX is dropped without a reply.",
            "write of 177 bytes", "nothing",
            "A long write fails silently, so a client has to keep the limit itself.", .bluetooth),
        Rationale(
            27, says: "On ESP32 at least 60 ms pass between two notifications.",
            "two commands written together", "reply 2 arrives ≥ 60 ms after reply 1",
            "The pace bounds how fast messages and contacts can be fetched.", .bluetoothESP32),
        Rationale(
            28,
            says: """
                On ESP32 at most 4 frames wait for Bluetooth; further ones are lost, and nothing says so.
                """,
            "5 frames produced within one 60 ms slot", "only 4 are delivered",
            "A burst of answers loses its end; a client has to ask one by one.", .bluetoothESP32),
        Rationale(
            29,
            says: """
                On nRF52 at most 12 frames wait for Bluetooth and further ones are lost; a contact listing pauses \
                while 8 or more wait.
                """,
            "GET_CONTACTS on a slow link", "no contact frame is lost",
            "A listing over a slow link stays complete.", .bluetoothNRF52),
        Rationale(
            30,
            says: """
                After a Bluetooth disconnect both queues are empty; the radio advertises again at once on nRF52 and \
                after 1000 ms on ESP32.
                """,
            "disconnect, scan", "device advertises again",
            "After reconnecting nothing old arrives, and the radio can be found again.", .bluetooth),
        Rationale(
            31,
            says: """
                The advertised name is MeshCore- and the node's name as it was at boot; a new name is advertised after \
                the next boot.
                """,
            "SET_ADVERT_NAME then scan", "old name",
            "A client must know a radio by its key, since its name on the air is old.", .bluetooth),
        Rationale(
            32,
            says: """
                On ESP32 the radio offers an ATT MTU of 176, so a notification has at most 173 bytes and the end of a \
                longer frame is missing.
                """,
            "receive a 176 byte frame", "173 byte notification",
            "The last bytes of the longest messages are missing.", .bluetoothESP32),
    ]
}
