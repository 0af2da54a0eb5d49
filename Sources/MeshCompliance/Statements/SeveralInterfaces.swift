import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshTime
import MeshWire

// Two apps at two interfaces of one radio: what was read in source text, and is not verified.
extension Section {
    static let severalInterfaces = Section(
        letter: "Q", title: "Several interfaces, not verified", statements: shares + states + turns)

    private static let shares: [Statement] = [
        Statement(250, "Responses go to the apps at all interfaces", further: .ethernet) { radio in
            let other = try radio.secondApp()
            try other.ask("05", "09 time4")
            try radio.expect("09 time4")
            try radio.ask("FF", "01 01")
            try other.expect("01 01")
            try other.expectSilence()
        },
        Statement(251, "Pushes go to the apps at all interfaces", needs: .packets, further: .ethernet) { radio in
            let other = try radio.secondApp()
            try hearText("one", radio, other)
            try other.expectSilence()
        },
        Statement(
            252, "A message goes to all apps, whichever fetches it", needs: .packets, further: .ethernet
        ) { radio in
            let other = try radio.secondApp()
            try hearText("one", radio, other)
            try other.ask("0A", "10 ?3 \(Peer.bob.prefix) FF 00 \(radio.sentAt) 'one'")
            try radio.expect("10 ?3 \(Peer.bob.prefix) FF 00 \(radio.sentAt) 'one'")
            try radio.ask("0A", "0A")
            try other.expect("0A")
        },
    ]

    private static let states: [Statement] = [
        Statement(
            253, "Messages have the layout of the app that sent DEVICE_QUERY last", needs: .packets,
            further: .ethernet
        ) { radio in
            let other = try radio.secondApp()
            try radio.ask("16 03", "0D …")
            try other.expect("0D …")
            try other.ask("16 01", "0D …")
            try radio.expect("0D …")
            try hearText("one", radio, other, isAsked: false)
            try radio.ask("0A", "07 \(Peer.bob.prefix) FF 00 \(radio.sentAt) 'one'")
        },
        Statement(
            254, "During a listing another GET_CONTACTS is BAD_STATE, and all apps have the contacts",
            needs: [.time, .freshRadio], on: .serial, further: .paced
        ) { radio in
            let other = try secondAppOfListing(radio)
            try radio.ask("04", "02 03000000")
            try other.expect("02 03000000")
            try other.send("04")
            for app in [radio, other] {
                let rest = try app.collect { $0.first == 4 }
                let codes = rest.compactMap(\.first)
                try app.require(
                    codes.filter { $0 != 1 } == [3, 3, 3, 4] && rest.filter { $0.first == 1 } == [[1, 4]],
                    "BAD_STATE among three contacts and END_OF_CONTACTS", got: FrameText.hex(codes))
            }
        },
        Statement(
            255, "APP_START ends the contact listing of another app", needs: [.time, .freshRadio], on: .serial,
            further: .paced
        ) { radio in
            let other = try secondAppOfListing(radio)
            try radio.ask("04", "02 03000000")
            try other.expect("02 03000000")
            try other.send("01 00×7")
            let frames = try radio.collect { $0.first == 5 }
            try radio.require(
                frames.count < 5, "SELF_INFO in place of the rest", got: FrameText.hex(frames.compactMap(\.first)))
            try radio.expectSilence()
        },
        Statement(256, "Apps sign with one buffer, which SIGN_START of each empties", further: .ethernet) { radio in
            _ = try radio.me()
            let other = try radio.secondApp()
            try radio.ask("21", "13 00 00200000")
            try radio.ask("22 61×10", "00")
            try other.drain()
            try other.ask("22 62×10", "00")
            try radio.expect("00")
            let signature = try radio.ask("23", "14 sig64")["sig"]
            try radio.requireSignature(signature, of: bytes(0x61, 10) + bytes(0x62, 10))
            try radio.ask("21", "13 00 00200000")
            try radio.ask("22 61×10", "00")
            try other.drain()
            try other.ask("21", "13 00 00200000")
            try other.ask("22 62×10", "00")
            try radio.drain()
            try radio.requireSignature(try radio.ask("23", "14 sig64")["sig"], of: bytes(0x62, 10))
        },
        Statement(
            257, "The flood scope of one app is that of another's texts", needs: .packets, further: .ethernet
        ) { radio in
            let other = try radio.secondApp()
            try radio.ask("36 00 55×16", "00")
            try other.expect("00")
            try other.ask("03 00 00 \(radio.sentAt) 'hi'", "00")
            try radio.expect("00")
            _ = try radio.expectAir(.groupText, .scopedFlood)
        },
    ]

    private static let turns: [Statement] = [
        Statement(
            258, "Commands are executed one a pass, those of Bluetooth before those of USB", needs: .time, on: .serial,
            further: .paced
        ) { radio in
            let other = try radio.secondApp()
            // The first is executed as it comes; behind it two wait.
            try radio.sendRaw("3C 01 00 05 3C 01 00 3B 3C 01 00 28")
            try other.send("2B")
            for reply in ["09 time4", "17 …", "19 mask1 hops1", "15 …"] as [Pattern] { try radio.expect(reply) }
        },
        Statement(
            259, "A frame that finds the queue of an interface full is lost there alone", needs: .time, on: .serial,
            further: .paced
        ) { radio in
            let other = try radio.secondApp()
            try radio.sendRaw("3C 01 00 3B 3C 01 00 3B 3C 01 00 3B 3C 01 00 3B 3C 01 00 3B 3C 01 00 3B 3C 01 00 3B")
            for _ in 0..<7 { try radio.expect("19 mask1 hops1") }
            // One has left at once, and four may wait.
            for _ in 0..<5 { try other.expect("19 mask1 hops1") }
            try other.expectSilence()
        },
        Statement(
            260, "A contact listing pauses while any interface is busy", needs: [.time, .freshRadio], on: .serial,
            further: .paced
        ) { radio in
            let other = try secondAppOfListing(radio)
            let before = radio.moment
            try radio.ask("04", "02 03000000")
            _ = try radio.collect { $0.first == 4 }
            // The three contacts and the end, 60 ms apart.
            let span = radio.moment - before
            try radio.require(span >= .milliseconds(180), "180 ms or more", got: "\(span.milliseconds) ms")
            try radio.require(
                try other.collect { $0.first == 4 }.compactMap(\.first) == [2, 3, 3, 3, 4], "all of it at the other app"
            )
        },
        Statement(
            261, "An app that leaves ends nothing of another's", needs: [.time, .freshRadio], further: .ethernet
        ) { radio in
            let other = try secondAppOfListing(radio)
            try other.send("04")
            try other.disconnect()
            let frames = try radio.collect { $0.first == 4 }
            try radio.require(
                frames.compactMap(\.first) == [2, 3, 3, 3, 4], "the whole listing",
                got: FrameText.hex(frames.compactMap(\.first)))
            try radio.hear(Peer.carol.text("one", at: radio.sentAt, to: try radio.me()).by(.direct))
            try radio.expect("83")
        },
    ]

    /// Has both apps be told of a text of Bob.
    private static func hearText(_ text: String, _ radio: Probe, _ other: Probe, isAsked: Bool = true) throws {
        if isAsked { try radio.deviceInfo() }
        try radio.add(.bob)
        let me = try radio.me()
        try other.drain()
        try radio.hear(Peer.bob.text(text, at: radio.sentAt, to: me).by(.direct))
        try radio.expect("83")
        try other.expect("83")
    }

    /// A second app of a radio with three contacts.
    private static func secondAppOfListing(_ radio: Probe) throws -> Probe {
        for peer in [Peer.bob, .rep, .carol] { try radio.add(peer) }
        _ = try radio.me()
        return try radio.secondApp()
    }
}
