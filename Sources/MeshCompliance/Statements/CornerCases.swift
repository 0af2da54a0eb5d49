import MeshBoards
import MeshFirmware
import MeshReports
import MeshTime

extension Section {
    static let cornerCases = Section(
        letter: "P", title: "Corner cases",
        statements: (cornersOfContacts + cornersOfMessages + cornersOfSettings)
            .sorted { $0.number < $1.number })

    private static let cornersOfContacts: [Statement] = [
        Statement(231, "A contact with an impossible path is sent to, and nothing is transmitted", needs: .packets) {
            radio in
            for length in [0xC1, 0x61, 0x96] as [UInt8] {
                try radio.ask(radio.contactFrame(.bob, pathLength: length, lastmod: 1000), "00")
                let ack = try radio.ack("hey")
                try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 'hey'", "06 00 \(ack) ?4")
                try radio.expectQuietAir()
            }
        },
        Statement(232, "Exporting an advert above 175 bytes gives no reply", needs: .air) { radio in
            let bob = Peer.bob
            let advert = bob.advert(radio.sentAt, name: "Bob's long name").by(.flood, path: bytes(0xAA, 63))
            try radio.require(advert.bytes.count > 175, "a long packet")
            try radio.hear(advert)
            try radio.expect("80 \(bob.key)")
            try radio.send("11 \(bob.key)")
            try radio.expectSilence()
            try radio.ask("05", "09 time4")
        },
        Statement(233, "A contact changed to type 0 is listed until the next boot", needs: [.restart, .emptyContacts]) {
            radio in
            try radio.add(.bob)
            try radio.ask(radio.contactFrame(.bob, type: 0, lastmod: 1000), "00")
            try radio.require("listed", try radio.contacts().count, is: 1)
            try radio.reboot()
            try radio.require("listed", try radio.contacts().count, is: 0)
        },
        Statement(234, "Removing the key of zeros hides the first contact", needs: .freshRadio) { radio in
            try radio.add(.bob)
            try radio.add(.carol)
            try radio.ask("0F 00×32", "00")
            let list = try radio.contacts()
            try radio.require("count", list.count, is: 1)
            try radio.require("listed", list.keys.flatMap(\.self), is: Peer.carol.key)
            _ = try radio.contact(Peer.bob.key)
        },
        Statement(237, "A packet that finds no free buffer is logged and lost", needs: .air) { radio in
            for _ in 0..<16 { try radio.ask("41 FF 11 00 AA", "00") }
            let advert = Peer.bob.advert(radio.sentAt)
            try radio.hear(advert)
            try radio.expect("88 19 A6 \(advert.bytes)")
            try radio.expectSilence()
            try radio.ask("1E \(Peer.bob.key)", "01 02")
        },
        Statement(242, "A contact with lastmod 0 is counted and never listed", needs: .emptyContacts) { radio in
            try radio.add(.bob, lastmod: 0)
            try radio.add(.carol, lastmod: 1000)
            try radio.ask("04", "02 02000000", "03 \(Peer.carol.key) …", "04 \(UInt32(1000))")
        },
        Statement(244, "An advert without position keeps the stored one", needs: .packets) { radio in
            let bob = Peer.bob
            try radio.hear(bob.advert(radio.sentAt, position: (1_000_000, -2_000_000)))
            try radio.expect("80 \(bob.key)")
            try radio.hear(bob.advert(radio.sentAt + 1))
            try radio.expect("80 \(bob.key)")
            let contact = try radio.contact(bob.key)
            let place = Int32(1_000_000).wireBytes + Int32(-2_000_000).wireBytes
            try radio.require("position", contact["lat"] + contact["lon"], is: place)
        },
    ]

    private static let cornersOfMessages: [Statement] = [
        Statement(235, "While a login is pending every answer of the node is taken for it", needs: .packets) { radio in
            try logIn(radio)
            try answer("\(radio.nonce) AABBCC", radio)
            try radio.expect("86 00 \(Peer.rep.prefix)")
            try answer("\(radio.sentAt) 00 00 01 03 DEADBEEF 02", radio)
            try radio.expectSilence()
        },
        Statement(236, "SEND_RAW_DATA skips as many bytes as its path_len says, literally") { radio in
            let skipped = (1...66).map { UInt8($0) }
            try radio.ask("19 42 \(skipped) DEADBEEF", "00")
            guard radio.seesAir else { return }
            try radio.require(try radio.expectAir().bytes, "3E 42 01020304 DEADBEEF")
        },
        Statement(240, "A text may be empty; an attempt above 3 takes two bytes") { radio in
            try radio.add(.bob)
            let ack = try radio.ack("")
            try radio.ask("02 00 00 \(radio.sentAt) \(Peer.bob.prefix) 00", "06 01 \(ack) ?4")
            try radio.ask("02 00 04 \(radio.sentAt) \(Peer.bob.prefix) 61×159", "01 03")
            try radio.ask("02 00 FF \(radio.sentAt) \(Peer.bob.prefix) 61×159", "01 03")
            try radio.ask("02 00 FF \(radio.sentAt) \(Peer.bob.prefix) 61×158", "06 01 ?8")
        },
        Statement(241, "A channel text of no bytes is name and colon") { radio in
            try useChannel(radio)
            try radio.ask("08 'Me'", "00")
            try radio.ask("03 00 01 \(radio.sentAt)", "00")
            guard radio.seesAir else { return }
            let packet = try radio.expectAir(.groupText, .flood)
            try radio.require(try radio.open(packet, on: testChannel), "\(radio.sentAt) 00 'Me: ' 00×7")
        },
        Statement(245, "CLI texts and requests share one clock that never repeats", needs: .packets) { radio in
            try radio.add(.rep, type: 2)
            try radio.ask("02 01 00 \(radio.sentAt) \(Peer.rep.prefix) 'ver'", "06 01 00000000 ?4")
            let tag = try radio.ask("1B \(Peer.rep.key)", "06 01 tag4 ?4").number("tag")
            let packet = try radio.expectAir(.text, .flood)
            let text = try radio.require(try radio.open(packet, by: .rep), "time4 04 'ver' 00×8")
            try radio.require("tag", tag, is: text.number("time") + 1)
        },
        Statement(247, "Path discovery reports a flood even when a path is stored") { radio in
            try radio.add(.rep, type: 2, path: [0xAA])
            try radio.ask("34 00 \(Peer.rep.key)", "06 01 ?8")
        },
        Statement(248, "A received text ends at its first NUL", needs: .packets) { radio in
            try radio.deviceInfo()
            try radio.add(.bob)
            try radio.hear(Peer.bob.text([0x61, 0, 0x62], at: radio.sentAt, to: try radio.me()).by(.direct))
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.bob.prefix) FF 00 \(radio.sentAt) 'a'")
        },
        Statement(
            249, "A message that finds the queue full is acknowledged all the same", needs: .air, board: fourMessages
        ) {
            radio in
            try radio.deviceInfo()
            try radio.add(.bob, path: [])
            for text in ["one", "two", "three", "four"] { try hearText(text, radio) }
            try radio.skipAir()
            try hearText("five", radio)
            let ack = try radio.expectAir(.ack, .direct)
            try radio.require(ack.payload, "\(ackOfReceived("five", by: .bob, radio)) \(ackTail(0, radio))")
            for text in ["one", "two", "three", "four"] { try requireText(text, radio) }
            try radio.ask("0A", "0A")
        },
    ]

    private static let cornersOfSettings: [Statement] = [
        Statement(238, "Only bit 0 of manual_add counts", needs: .packets) { radio in
            try radio.ask("26 FE", "00")
            try radio.hear(Peer.bob.advert(radio.sentAt))
            try radio.expect("80 \(Peer.bob.key)")
            try radio.require("manual_add", try radio.selfInfo()["manual"], is: [0xFE])
        },
        Statement(239, "A GPS receiver is a variable; its interval is set and not listed", board: { $0.hasGPS = true })
        {
            radio in
            try radio.ask("28", "15 'gps:0'")
            try radio.ask("29 'gps:1'", "00")
            try radio.ask("28", "15 'gps:1'")
            try radio.ask("29 'gps_interval:30'", "00")
            try radio.ask("28", "15 'gps:1'")
            try radio.ask("29 'gps:0'", "00")
            try radio.ask("28", "15 'gps:0'")
            try radio.useBoard { $0.hasGPS = false }
            try radio.ask("29 'gps:1'", "01 06")
        },
        Statement(243, "After a factory reset the node is another one", needs: [.identity, .power]) { radio in
            let me = try radio.me()
            try radio.add(.bob)
            let changes: [Pattern] = [
                "08 'Old'", "26 01 15 01 02", "0E \(Int32(1)) \(Int32(2))", "3A FF 07", "20 02 'Old' 00×29 22×16",
                "20 00 00×48",
            ]
            for change in changes { try radio.ask(change, "00") }
            try radio.wait(.seconds(6))
            try radio.factoryReset()
            let info = try radio.selfInfo()
            try radio.require(info["key"] != me, "another key", got: FrameText.hex(me))
            let name = Pattern("\(info["key"].prefix(4))").source
            try radio.require("name", info["name"], is: [UInt8](name.utf8))
            let settings = ["lat", "lon", "acks", "policy", "telemetry", "manual"].flatMap { info[$0] }
            try radio.require("settings", settings, is: bytes(0, 12))
            try radio.ask("3B", "19 00 00")
            try radio.ask("04", "02 00000000", "04 00000000")
            try radio.ask("1F 00", "12 00 'Public' 00 ?25 \(Channel.publicKey)")
            try radio.ask("1F 02", "12 02 00 ?31 00×16")
        },
        Statement(246, "A scope name of 31 bytes is refused") { radio in
            try radio.ask("3F 41×31 55×16", "01 06")
            try radio.ask("40", "1C")
            try radio.ask("3F 41×30 00 55×16", "00")
            try radio.ask("40", "1C 41×30 00 55×16")
        },
    ]
}
