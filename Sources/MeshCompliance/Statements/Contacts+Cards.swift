import MeshBoards
import MeshTime

extension Section {
    /// Importing, exporting and sharing adverts.
    static let cards: [Statement] = [
        Statement(105, "IMPORT_CONTACT says OK first, the advert is processed afterwards") { radio in
            let bob = Peer.bob
            try radio.ask("12 \(bob.advert(radio.sentAt).bytes)", "00", "80 \(bob.key)")
            let contact = try radio.contact(bob.key)
            try radio.require("name", contact["name"], is: [UInt8]("Bob".utf8).padded(to: 32))
            try radio.require("last advert", contact.number("adv"), is: radio.sentAt)
        },
        Statement(106, "Importing a stale, forged, nameless or own advert says OK and no more") { radio in
            let (bob, carol) = (Peer.bob, Peer.carol)
            try radio.ask("12 \(bob.advert(radio.sentAt).bytes)", "00", "80 \(bob.key)")
            let own = try radio.ask("11", "0B packet…")["packet"]
            let refused = [
                bob.advert(radio.sentAt).bytes, bob.advert(radio.sentAt - 1).bytes,
                carol.advert(radio.sentAt, isForged: true).bytes, carol.advert(radio.sentAt, isNameless: true).bytes,
                own,
            ]
            for packet in refused {
                try radio.ask("12 \(packet)", "00")
                try radio.expectSilence()
            }
            try radio.ask("1E \(carol.key)", "01 02")
        },
        Statement(107, "Importing what is no advert packet is ILLEGAL_ARG") { radio in
            try radio.ask("12 00×98", "01 06")
            try radio.ask("12 11 C0 00×110", "01 06")
            try radio.ask("12 09 00 00×110", "01 06")
        },
        Statement(108, "In manual mode an imported advert is shown, not stored") { radio in
            let bob = Peer.bob
            try radio.ask("26 01", "00")
            try radio.ask("12 \(bob.advert(radio.sentAt).bytes)", "00", "8A \(bob.key) 01 00 FF 00×64 'Bob' 00×29 ?16")
            try radio.ask("1E \(bob.key)", "01 02")
        },
        Statement(109, "EXPORT_CONTACT without key is a fresh advert of the node, not sent") { radio in
            let me = try radio.me()
            let advert = try radio.ask("11", "0B 11 00 key32 time4 sig64 data…")
            try radio.require("key", advert["key"], is: me)
            try radio.requireSignature(advert["sig"], of: me + advert["time"] + advert["data"])
            try radio.requireNow("timestamp", advert.number("time"))
            if radio.seesAir { try radio.expectQuietAir() }
        },
        Statement(110, "EXPORT_CONTACT with a key is the last advert heard, as a flood with its path") { radio in
            let bob = Peer.bob
            let packet = bob.advert(radio.sentAt).by(.flood, path: [0xAA, 0xBB])
            try radio.ask("12 \(packet.bytes)", "00", "80 \(bob.key)")
            try radio.ask("11 \(bob.key)", "0B \(packet.bytes)")
            let newer = bob.advert(radio.sentAt + 1)
            try radio.ask("12 \(newer.bytes)", "00", "80 \(bob.key)")
            try radio.ask("11 \(bob.key)", "0B \(newer.bytes)")
            try radio.ask("11 \(Peer.carol.key)", "01 02")
            try radio.add(.rep)
            try radio.ask("11 \(Peer.rep.key)", "01 02")
        },
        Statement(111, "SHARE_CONTACT sends the stored advert to neighbours only", needs: .packets) { radio in
            let bob = Peer.bob
            let packet = bob.advert(radio.sentAt).by(.flood, path: [0xAA, 0xBB])
            try radio.ask("12 \(packet.bytes)", "00", "80 \(bob.key)")
            try radio.ask("10 \(bob.key)", "00")
            let shared = try radio.expectAir(.advert, .scopedDirect)
            try radio.require("packet", shared.bytes, is: packet.by(.scopedDirect).bytes)
            try radio.ask("10 \(Peer.carol.key)", "01 02")
            try radio.add(.rep)
            try radio.ask("10 \(Peer.rep.key)", "01 03")
        },
        Statement(112, "A self advert has the position exactly when the policy is not 0") { radio in
            let place: (lat: Int32, lon: Int32) = (1_000_000, -2_000_000)
            try radio.ask("08 'Here'", "00")
            try radio.ask("0E \(place.lat) \(place.lon)", "00")
            try radio.ask("26 00 00 00", "00")
            try radio.ask("11", "0B 11 00 ?100 81 'Here'")
            for policy in [1, 2] as [UInt8] {
                try radio.ask("26 00 00 \(policy)", "00")
                try radio.ask("11", "0B 11 00 ?100 91 \(place.lat) \(place.lon) 'Here'")
            }
        },
        Statement(113, "SEND_SELF_ADVERT floods for 1 only", needs: .packets) { radio in
            for (command, route) in [
                ("07", .direct), ("07 01", .flood), ("07 02", .direct), ("07 00", .direct),
            ] as [(Pattern, AirPacket.Route)] {
                try radio.ask(command, "00")
                let advert = try radio.expectAir(.advert, route)
                try radio.require("path_len", [advert.pathLength], is: [0])
                // The next one differs by its time.
                try radio.wait(.seconds(2))
            }
        },
    ]
}
