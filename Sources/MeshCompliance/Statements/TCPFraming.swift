import MeshBoards
import MeshCompanion
import MeshReports
import MeshSimulator

extension Section {
    static let tcpFraming = Section(
        letter: "B", title: "TCP framing",
        statements: [
            Statement(10, "Wi-Fi: the framing is that of the serial line", on: .wifi) { radio in
                try radio.sendRaw("3C 01 00 05")
                try radio.expectRaw("3E 05 00 09 time4", count: 8)
                try radio.expectSilence()
            },
            Statement(11, "Wi-Fi: a wrong marker swallows as many bytes as its length says", on: .wifi) { radio in
                try radio.sendRaw("41 04 00 3C 01 00 05")
                try radio.expectSilence()
                try radio.ask("3B", "19 mask1 hops1")
            },
            Statement(12, "Wi-Fi: a frame above 176 bytes is discarded", on: .wifi) { radio in
                try radio.sendRaw("3C C8 00 05×200")
                try radio.expectSilence()
                try radio.ask("3B", "19 mask1 hops1")
                guard radio.switches.frameLimit < 176 else { return }
                // What newer versions take whole.
                try radio.sendRaw("3C AD 00 05×173")
                try radio.expectSilence()
                try radio.ask("3B", "19 mask1 hops1")
            },
            Statement(13, "Wi-Fi: a header with marker 00 or length 0 is three lost bytes", on: .wifi) { radio in
                try radio.sendRaw("00 05 00 3C 01 00 05")
                try radio.expect("09 time4")
                try radio.sendRaw("3C 00 00 3C 01 00 05")
                try radio.expect("09 time4")
                try radio.expectSilence()
            },
            Statement(
                14, "Wi-Fi: a second connection replaces the first", needs: .secondClient, on: .wifi
            ) { radio in
                let wasClosed = try radio.connectSecondClient()
                try radio.require(wasClosed, "the first connection closed", got: "it is still open")
                try radio.ask("05", "09 time4")
            },
            Statement(
                15, "Wi-Fi: a reply still queued when the client vanishes goes to the next one",
                needs: [.link, .time], on: .wifi
            ) { radio in
                try radio.send("3B")
                try radio.reconnect()
                try radio.expect("19 mask1 hops1")
                try radio.expectSilence()
            },
            Statement(
                16, "Wi-Fi: a command sent behind GET_CONTACTS is executed after the listing", on: .wifi
            ) { radio in
                for peer in [Peer.bob, .rep, .carol] { try radio.add(peer) }
                try radio.sendRaw("3C 01 00 04 3C 01 00 05")
                try radio.expect("02 count4")
                let frames = try radio.collect { $0.first == 9 }
                let codes = frames.filter { ($0.first ?? 0) < 0x80 }.compactMap(\.first)
                try radio.require(
                    codes.count > 4 && codes.dropLast(2).allSatisfy { $0 == 3 } && codes.dropLast().last == 4,
                    "CONTACT frames, END_OF_CONTACTS, then CURR_TIME", got: FrameText.hex(codes))
            },
            Statement(
                17, "Wi-Fi: a header received in part is forgotten when a new client takes over",
                needs: .secondClient, on: .wifi
            ) { radio in
                try radio.sendRaw("3C 01 00")
                try radio.expectSilence()
                _ = try radio.connectSecondClient()
                try radio.ask("05", "09 time4")
                try radio.expectSilence()
            },
            Statement(18, "Ethernet: bytes are parsed as on a serial line", on: .ethernet) { radio in
                try radio.sendRaw("41 42 3C 01 00 05")
                try radio.expect("09 time4")
                try radio.sendRaw("3C C8 00 05 41×199")
                try radio.expect("09 time4")
                try radio.ask("21", "13 00 00200000")
                try radio.sendRaw("3C C8 00 22 61×199")
                try radio.expect("00")
                let signature = try radio.ask("23", "14 sig64")["sig"]
                try radio.requireSignature(signature, of: bytes(0x61, 175))
                try radio.sendRaw("3C 00 00 3E 01 00 05")
                try radio.expectSilence()
            },
        ])
}
