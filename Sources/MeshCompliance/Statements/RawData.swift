import MeshBoards
import MeshCompanion
import MeshTime

extension Section {
    static let rawData = Section(
        letter: "L", title: "Raw data, control data, trace, receive log",
        statements: (rawPackets + traces + receiveLog).sorted { $0.number < $1.number })

    private static let rawPackets: [Statement] = [
        Statement(180, "Raw data goes direct along the path given") { radio in
            try radio.ask("19 02 AABB 01020304", "00")
            try requireOnAir("3E 02 AABB 01020304", radio)
            try radio.ask("19 00 01020305", "00")
            try requireOnAir("3E 00 01020305", radio)
        },
        Statement(181, "Raw data is not flooded, and has four bytes") { radio in
            for command in ["19 FF 01020304", "19 80 01020304", "19 02 AABB 010203", "19 04 AABB 0102"] as [Pattern] {
                try radio.ask(command, "01 01")
            }
        },
        Statement(182, "A raw packet sent direct is pushed, a flooded one ignored", needs: .packets) { radio in
            try radio.hear(AirPacket(.raw, .direct, payload: radio.nonce + [5]), snr: 4, rssi: -80)
            try radio.expect("84 \(radio.signal(4, -80)) FF \(radio.nonce) 05")
            try radio.hear(AirPacket(.raw, .flood, payload: radio.nonce + [6]))
            try radio.expectSilence()
        },
        Statement(183, "RAW_DATA and CONTROL_DATA have at most 172 bytes of payload", needs: .air) { radio in
            let limit = radio.switches.frameLimit - 4
            try radio.hear(AirPacket(.raw, .direct, payload: bytes(0xA5, limit + 1)))
            try radio.hear(AirPacket(.control, .direct, payload: bytes(0xA5, limit + 1)))
            try radio.expectSilence()
            try radio.hear(AirPacket(.raw, .direct, payload: bytes(0xA5, limit)))
            try radio.expect("84 19 A6 FF \(bytes(0xA5, limit))")
            try radio.hear(AirPacket(.control, .direct, payload: bytes(0xA5, limit)))
            try radio.expect("8E 19 A6 00 \(bytes(0xA5, limit))")
        },
        Statement(184, "Control data needs its top bit and reaches neighbours") { radio in
            try radio.ask("37 80 06 DEADBEEF", "00")
            try requireOnAir("2E 00 80 06 DEADBEEF", radio)
            try radio.ask("37 7F", "01 01")
            try radio.ask("37 00 06", "01 01")
        },
        Statement(185, "Only control packets of neighbours with the top bit are pushed", needs: .packets) { radio in
            try radio.hear(AirPacket(.control, .direct, payload: [0x92, 1, 2] + radio.nonce), snr: 4, rssi: -80)
            try radio.expect("8E \(radio.signal(4, -80)) 00 920102 \(radio.nonce)")
            let ignored = [
                AirPacket(.control, .direct, payload: [0x12, 1, 2] + radio.nonce),
                AirPacket(.control, .direct, path: [0xAA], payload: [0x92, 1, 3] + radio.nonce),
                AirPacket(.control, .flood, payload: [0x92, 1, 4] + radio.nonce),
            ]
            for packet in ignored { try radio.hear(packet) }
            try radio.expectSilence()
        },
        Statement(189, "A raw packet goes out as it is") { radio in
            try radio.ask("41 00 11 00 AA", "00")
            try requireOnAir("11 00 AA", radio)
            try radio.ask("41 03 15 42 01020304 AABBCC", "00")
            try requireOnAir("15 42 01020304 AABBCC", radio)
            try radio.ask("41 03 14 0A0B0000 00 AABBCC", "00")
            try requireOnAir("14 0A0B0000 00 AABBCC", radio)
        },
        Statement(190, "A raw packet that cannot be parsed is ILLEGAL_ARG") { radio in
            for packet in ["D1 00 AABB", "51 00 AABB", "11 C1 AABB", "11 05 AABB", "10 00 00"] as [Pattern] {
                try radio.ask("41 00 \(packet)", "01 06")
            }
        },
        Statement(191, "A raw packet of priority 255 is never sent", needs: .freshRadio) { radio in
            try radio.ask("41 FF 11 00 AA", "00")
            try radio.ask("38 00", "18 00 ?8 01")
            try radio.wait(.seconds(60))
            try radio.ask("38 00", "18 00 ?8 01")
            if radio.seesAir { try radio.expectQuietAir() }
        },
    ]

    private static let traces: [Statement] = [
        Statement(186, "SENT of a trace carries its tag") { radio in
            let sent = try radio.ask("24 44332211 07000000 00 AABB", "06 00 44332211 timeout4")
            // 13 bytes at SF 8 and 62.5 kHz take 263 ms, with a preamble of 16 symbols 197; two nodes are on the way.
            let expected = radio.timeOut(500 + (6 * 263 + 250) * 3, before16: 500 + (6 * 197 + 250) * 3)
            if radio.isAlone { try radio.require("time-out", sent.number("timeout"), is: expected) }
            try requireOnAir("26 00 44332211 07000000 00 AABB", radio)
        },
        Statement(187, "A trace has at most 64 whole entries") { radio in
            try radio.ask("24 00×8 00 AA×65", "01 06")
            try radio.ask("24 00×8 01 AA×3", "01 06")
            try radio.ask("24 00×8 02 AA×6", "01 06")
            try radio.ask("24 00×8 03 AA×12", "01 06")
            try radio.ask("24 44332211 00×4 00 AA×64", "06 00 44332211 ?4")
            try radio.ask("24 44332212 00×4 01 AA×4", "06 00 44332212 ?4")
        },
        Statement(188, "A trace that is complete is pushed with hashes and SNRs", needs: .packets) { radio in
            let short = AirPacket(.trace, .direct, path: [0x28, 0xD8], payload: try payload("00 AABB", radio))
            try radio.hear(short, snr: 5)
            try radio.expect("89 00 02 00 \(radio.nonce) 07000000 AABB 28D8 \(radio.snr(5))")
            let long = AirPacket(.trace, .direct, path: [0x28, 0xD8], payload: try payload("01 AA01 BB02", radio))
            try radio.hear(long, snr: -2)
            try radio.expect("89 00 04 01 \(radio.nonce) 07000000 AA01BB02 28D8 \(radio.snr(-2))")
            let early = AirPacket(.trace, .direct, path: [0x28], payload: try payload("00 AABB", radio))
            try radio.hear(early)
            try radio.expectSilence()
        },
    ]

    private static let receiveLog: [Statement] = [
        Statement(192, "Packets up to 173 bytes are logged before what they cause", needs: .packets) { radio in
            let advert = Peer.bob.advert(radio.sentAt).by(.direct)
            try radio.hear(advert, snr: 6.25, rssi: -90)
            try radio.expect("88 \(radio.signal()) \(advert.bytes)")
            try radio.expect("80 \(Peer.bob.key)")
            let longest = AirPacket(
                .reserved12, .flood, payload: radio.nonce + bytes(0x11, radio.switches.frameLimit - 9))
            try radio.hear(longest)
            try radio.expect("88 \(radio.signal()) \(longest.bytes)")
            try radio.hear(
                AirPacket(.reserved12, .flood, payload: radio.nonce + bytes(0x11, radio.switches.frameLimit - 8)))
            try requireNoLog(radio)
        },
        Statement(193, "What cannot be decoded is logged too; RSSI wraps below −128", needs: .air) { radio in
            try radio.hear([0xFF, 0xFF, 0xFF], snr: -20.25, rssi: -130)
            try radio.expect("88 AF 7E FF FF FF")
            try radio.expectSilence()
        },
        Statement(194, "Pushes about the air are not kept for the next client", needs: [.air, .link]) { radio in
            let me = try radio.me()
            try radio.disconnect()
            try radio.hear(AirPacket(.raw, .direct, payload: [1, 2, 3, 4, 5]))
            try radio.hear(AirPacket(.control, .direct, payload: [0x92, 1, 2]))
            try radio.hear(AirPacket(.trace, .direct, path: [0x28, 0xD8], payload: try payload("00 AABB", radio)))
            try radio.hear(Peer.bob.advert(radio.sentAt))
            try radio.wait(.seconds(2))
            try radio.connect()
            try radio.expectSilence()
            try requireNoLog(radio)
            try radio.ask("38 02", "18 02 04000000 …")
            try radio.require("key", try radio.me(), is: me)
        },
    ]

    /// Tag, auth code, then flags and hashes.
    private static func payload(_ end: Pattern, _ radio: Probe) throws -> [UInt8] {
        try Pattern("\(radio.nonce) 07000000 \(end)").bytes()
    }

    /// Fails when a LOG_RX_DATA is waiting.
    private static func requireNoLog(_ radio: Probe) throws {
        try radio.send("3B")
        let frame = try radio.expectAny().frame
        try radio.require("next frame", frame.prefix(1) + [], is: [0x19])
    }

    /// Requires the next packet to have these bytes, where the air can be watched.
    private static func requireOnAir(_ packet: Pattern, _ radio: Probe) throws {
        guard radio.seesAir else { return }
        _ = try radio.require(try radio.expectAir().bytes, packet)
    }
}
