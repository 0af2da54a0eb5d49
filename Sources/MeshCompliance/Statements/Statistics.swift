import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshTime

extension Section {
    static let statistics = Section(
        letter: "N", title: "Statistics, telemetry, variables, advert paths, clock",
        statements: counters + sensors + advertPaths)

    private static let counters: [Statement] = [
        Statement(207, "Battery and storage have 11 bytes") { radio in
            let state = try radio.ask("14", "0C mv2 used4 total4")
            guard let board = radio.target.board else { return }
            try radio.require("millivolts", state["mv"].littleEndian, is: UInt32(board.batteryMillivolts))
            try radio.require("KiB", state.number("total"), is: board.storageKiB)
        },
        Statement(208, "Statistics have 11, 14 and 30 bytes; there are no others") { radio in
            try radio.ask("38 00", "18 00 ?9")
            try radio.ask("38 01", "18 01 ?12")
            try radio.ask("38 02", "18 02 ?28")
            for type in [3, 0xFF] as [UInt8] { try radio.ask("38 \(type)", "01 06") }
        },
        Statement(209, "Packets are counted by route since boot", needs: .air) { radio in
            try radio.hear(Channel.everyone.text("Bob: hi", at: radio.sentAt))
            try radio.hear(Channel.everyone.text("Bob: hi", at: radio.sentAt + 1))
            try radio.hear(AirPacket(.raw, .direct, payload: [1, 2, 3, 4, 5]))
            try radio.ask("07", "83", "83", "84 …", "00")
            _ = try radio.expectAir()
            try radio.ask("07 01", "00")
            _ = try radio.expectAir()
            try radio.ask("03 00 00 \(radio.sentAt) 'hi'", "00")
            _ = try radio.expectAir()
            try radio.wait(.seconds(5))
            let numbers = [3, 3, 2, 1, 2, 1, 0] as [UInt32]
            try radio.ask("38 02", "18 02 \(numbers.flatMap(\.wireBytes))")
            try radio.hear([0xFF, 0xFF, 0xFF])
            try radio.ask("38 02", "18 02 04000000 …")
        },
    ]

    private static let sensors: [Statement] = [
        Statement(210, "The radio's own telemetry is the answer itself") { radio in
            let me = try radio.me()
            let answer = try radio.ask("27 00 00 00", "8B 00 \(me.prefix(6)) 01 74 volts2 rest…")
            guard let board = radio.target.board else { return }
            try radio.require("voltage", answer["volts"], is: board.volts)
            try radio.require(answer["rest"], board.knowsTemperature(in: radio) ? "01 67 ?2" : "")
        },
        Statement(211, "Variables are pairs joined by commas, or nothing") { radio in
            let pairs = try radio.ask("28", "15 pairs…")["pairs"]
            let parts = pairs.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            try radio.require(
                pairs.isEmpty || parts.allSatisfy { $0.contains(UInt8(ascii: ":")) }, "name:value pairs",
                got: FrameText.hex(pairs))
            guard radio.target.abilities.contains(.builds) else { return }
            try radio.useBoard { $0.hasGPS = false }
            try radio.ask("28", "15")
            try radio.useBoard { $0.hasGPS = true }
            try radio.ask("28", "15 'gps:0'")
        },
        Statement(212, "Unknown variables are ILLEGAL_ARG") { radio in
            try radio.ask("29 'abc'", "01 06")
            try radio.ask("29 'no such:1'", "01 06")
            try radio.ask("29 'ab'", "01 01")
        },
    ]

    private static let advertPaths: [Statement] = [
        Statement(213, "GET_ADVERT_PATH has time and path of the last advert, by seven key bytes") { radio in
            let (bob, carol) = (Peer.bob, Peer.carol)
            let heardAt = try radio.now()
            try radio.ask(
                "12 \(bob.advert(radio.sentAt).by(.flood, path: [0xAA, 0xBB]).bytes)", "00", "80 \(bob.key)")
            for reserved in [0, 0x7F] as [UInt8] {
                let near = bob.key.prefix(7) + bytes(0xEE, 25)
                let entry = try radio.ask("2A \(reserved) \(near)", "16 time4 02 AABB")
                try radio.require(
                    heardAt...(heardAt + 3) ~= entry.number("time"), "about \(heardAt)", got: "\(entry.number("time"))")
            }
            try radio.ask("2A 00 \(bob.key.prefix(6)) \(bytes(0xEE, 26))", "01 02")
            try radio.ask("2A 00 \(carol.key)", "01 02")
        },
        Statement(214, "Advert paths are kept for nodes that are no contacts") { radio in
            let bob = Peer.bob
            try radio.ask("26 01", "00")
            try radio.ask("12 \(bob.advert(radio.sentAt).by(.flood, path: [0xAA]).bytes)", "00", "8A …")
            try radio.ask("2A 00 \(bob.key)", "16 time4 01 AA")
        },
        Statement(215, "Sixteen advert paths are kept", needs: [.time, .freshRadio]) { radio in
            let peers = (0..<17).map { Peer(number: $0) }
            for peer in peers {
                try radio.ask("12 \(peer.advert(radio.sentAt).bytes)", "00", "80 \(peer.key)")
                try radio.wait(.seconds(2))
            }
            try radio.ask("2A 00 \(peers[0].key)", "01 02")
            for peer in peers.dropFirst() { try radio.ask("2A 00 \(peer.key)", "16 ?4 00") }
        },
        Statement(216, "A key of zeros finds an unused advert path", needs: .freshRadio) { radio in
            try radio.ask("2A 00 00×32", "16 00000000 00")
        },
        Statement(
            217, "At boot the clock is set from the newest contact, even backwards",
            needs: [.restart, .emptyContacts, .clock]
        ) { radio in
            for lastmod in [1_600_000_000, 1_900_000_000] as [UInt32] {
                try radio.add(.bob, lastmod: lastmod)
                try radio.reboot()
                let now = try radio.now()
                try radio.require(lastmod + 1...lastmod + 10 ~= now, "the clock at \(lastmod + 1)", got: "\(now)")
            }
        },
    ]
}
