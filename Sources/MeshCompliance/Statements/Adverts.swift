import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshTime

extension Section {
    static let adverts = Section(
        letter: "O", title: "Adverts", statements: (adding + fullTable + other).sorted { $0.number < $1.number })

    private static let adding: [Statement] = [
        Statement(218, "A new node is added and announced by ADVERT", needs: .packets) { radio in
            try radio.hear(Peer.bob.advert(radio.sentAt, position: (1_000_000, -2_000_000)))
            try radio.expect("80 \(Peer.bob.key)")
            try radio.expectSilence()
            let contact = try radio.contact(Peer.bob.key)
            let name = [UInt8]("Bob".utf8).padded(to: 32)
            try radio.require("contact", contact["type"] + contact["flags"] + contact["plen"], is: [1, 0, 0xFF])
            try radio.require("name", contact["name"], is: name)
            try radio.require("last advert", contact.number("adv"), is: radio.sentAt)
            try radio.requireNow("lastmod", contact.number("mod"))
        },
        Statement(219, "Only a newer advert changes a contact", needs: .packets) { radio in
            let bob = Peer.bob
            try radio.hear(bob.advert(radio.sentAt))
            try radio.expect("80 \(bob.key)")
            let before = try radio.contact(bob.key).frame
            try radio.hear(bob.advert(radio.sentAt, name: "same time"))
            try radio.hear(bob.advert(radio.sentAt - 1, name: "older"))
            try radio.expectSilence()
            try radio.require("contact", try radio.contact(bob.key).frame, is: before)
            try radio.wait(.seconds(4))
            try radio.hear(bob.advert(radio.sentAt + 1, type: 2, name: "newer", position: (3, 4)))
            try radio.expect("80 \(bob.key)")
            let contact = try radio.contact(bob.key)
            try radio.require("name", contact["name"], is: [UInt8]("newer".utf8).padded(to: 32))
            try radio.require("type", contact["type"], is: [2])
            try radio.require("last advert", contact.number("adv"), is: radio.sentAt + 1)
            try radio.requireNow("lastmod", contact.number("mod"))
        },
        Statement(220, "In manual mode an unknown node is shown, not stored", needs: .packets) { radio in
            let bob = Peer.bob
            try radio.ask("26 01", "00")
            try radio.hear(bob.advert(radio.sentAt, type: 4, position: (1_000_000, -2_000_000)))
            let advert = try radio.expect(
                "8A \(bob.key) 04 00 FF 00×64 'Bob' 00×29 \(radio.sentAt) lat4 lon4 mod4")
            try radio.require("latitude", advert.number("lat"), is: 1_000_000)
            try radio.requireNow("lastmod", advert.number("mod"))
            try radio.ask("1E \(bob.key)", "01 02")
        },
        Statement(221, "In manual mode the mask chooses types that are added", needs: .packets) { radio in
            try radio.ask("26 01", "00")
            for (type, bit) in [(1, 0x02), (2, 0x04), (3, 0x08), (4, 0x10)] as [(UInt8, UInt8)] {
                let (refused, added) = (Peer(number: Int(type)), Peer(number: 10 + Int(type)))
                try radio.ask("3A \(~bit)", "00")
                try radio.hear(refused.advert(radio.sentAt, type: type))
                try radio.expect("8A \(refused.key) …")
                try radio.ask("3A \(bit)", "00")
                try radio.hear(added.advert(radio.sentAt, type: type))
                try radio.expect("80 \(added.key)")
            }
            try radio.ask("3A FF", "00")
            try radio.hear(Peer.bob.advert(radio.sentAt, type: 5))
            try radio.expect("8A \(Peer.bob.key) …")
        },
        Statement(222, "A hop limit of N adds nodes fewer than N hops away", needs: .air) { radio in
            for (manual, mask) in [(0, 0), (1, 0x02)] as [(UInt8, UInt8)] {
                let first = 20 * Int(manual)
                try radio.ask("26 \(manual)", "00")
                try radio.ask("3A \(mask) 02", "00")
                for hops in 0..<4 {
                    let peer = Peer(number: first + hops)
                    try radio.hear(peer.advert(radio.sentAt).by(.flood, path: bytes(0xAA, hops)))
                    try radio.expect(hops < 2 ? "80 \(peer.key)" : "8A \(peer.key) …")
                }
                try radio.ask("3A \(mask) 00", "00")
                let far = Peer(number: first + 10)
                try radio.hear(far.advert(radio.sentAt).by(.flood, path: bytes(0xAA, 30)))
                try radio.expect("80 \(far.key)")
            }
        },
    ]

    private static let fullTable: [Statement] = [
        Statement(223, "With a full table a node is shown, then CONTACTS_FULL", needs: .air, board: fourContacts) {
            radio in
            for number in 0..<4 { try radio.add(Peer(number: number)) }
            try radio.hear(Peer.bob.advert(radio.sentAt))
            try radio.expect("8A \(Peer.bob.key) …")
            try radio.expect("90")
            try radio.ask("1E \(Peer.bob.key)", "01 02")
        },
        Statement(224, "Overwriting a contact is announced before the new node", needs: .air, board: fourContacts) {
            radio in
            for number in 0..<4 { try radio.add(Peer(number: number), lastmod: UInt32(9000 - 1000 * number)) }
            try radio.ask("3A 01", "00")
            try radio.hear(Peer.bob.advert(radio.sentAt))
            try radio.expect("8F \(Peer(number: 3).key)")
            try radio.expect("80 \(Peer.bob.key)")
            try radio.require("contacts", try radio.contacts().count, is: 4)
        },
    ]

    private static let other: [Statement] = [
        Statement(225, "Adverts without name or with a bad signature are ignored", needs: .packets) { radio in
            try radio.hear(Peer.bob.advert(radio.sentAt, isNameless: true))
            try radio.expect("88 …")
            try radio.hear(Peer.carol.advert(radio.sentAt, isForged: true))
            try radio.expect("88 …")
            try radio.expectSilence()
            try radio.ask("1E \(Peer.bob.key)", "01 02")
            try radio.ask("1E \(Peer.carol.key)", "01 02")
        },
        Statement(226, "The advert of a transient contact makes it a regular one", needs: [.packets, .emptyContacts]) {
            radio in
            let carol = Peer(number: 226)
            try radio.ask("39 \(carol.key) 01", "06 00 ?8")
            try radio.ask("04", "02 00000000", "04 00000000")
            try radio.hear(carol.advert(radio.sentAt))
            try radio.expect("80 \(carol.key)")
            try radio.require("listed", try radio.contacts().keys.flatMap(\.self), is: carol.key)
        },
        Statement(227, "Changes while nobody is connected show in the next listing", needs: [.packets, .link]) {
            radio in
            try radio.add(.bob, lastmod: 1000)
            try radio.add(.carol, lastmod: 1000)
            let since = try radio.now() - 1
            try radio.disconnect()
            try radio.hear(Peer.bob.advert(radio.sentAt))
            try radio.wait(.seconds(2))
            try radio.connect()
            try radio.expectSilence()
            try radio.require("changed", try radio.contacts(since: since).keys.flatMap(\.self), is: Peer.bob.key)
        },
        Statement(228, "A returned path replaces the contact's and is announced", needs: .packets) { radio in
            try radio.add(.bob, path: [0x11], lastmod: 1000)
            let returned = Peer.bob.returnedPath([0xAA, 0xBB], extra: nil, radio.nonce, to: try radio.me())
            try radio.hear(returned.by(.direct))
            try radio.expect("81 \(Peer.bob.key)")
            let contact = try radio.contact(Peer.bob.key)
            try radio.require("path", contact["plen"] + contact["path"].prefix(2), is: [2, 0xAA, 0xBB])
            try radio.requireNow("lastmod", contact.number("mod"))
        },
        Statement(229, "The node's own advert is ignored", needs: .packets) { radio in
            let own = try radio.ask("11", "0B packet…")["packet"]
            try radio.hear(own)
            try radio.expect("88 …")
            try radio.expectSilence()
            try radio.expectQuietAir()
            try radio.ask("1E \(try radio.me())", "01 02")
        },
        Statement(230, "Telemetry requests of contacts are answered as the mode allows", needs: .packets) { radio in
            let me = try radio.me()
            func request(_ tag: UInt32) throws {
                let data = tag.wireBytes + [3, 0, 0, 0, 0] + radio.nonce
                try radio.hear(Peer.bob.seal(.request, data, to: me).by(.direct))
            }
            try radio.add(.bob, path: [])
            try request(1)
            try radio.expectQuietAir()
            try radio.ask("26 00 01", "00")
            try request(2)
            try radio.expectQuietAir()
            try radio.add(.bob, flags: 0x02, path: [])
            try request(3)
            let answer = try radio.expectAir(.response, .direct)
            try requireTelemetry(try radio.open(answer, by: .bob), UInt32(3), radio)
            try radio.ask("26 00 02", "00")
            try radio.add(.bob, path: [])
            try request(4)
            let other = try radio.expectAir(.response, .direct)
            try requireTelemetry(try radio.open(other, by: .bob), UInt32(4), radio)
            try radio.expectSilence()
        },
    ]

    /// The voltage, then what the board measures besides: its processor's temperature, which only some know.
    private static func requireTelemetry(_ plaintext: [UInt8], _ tag: UInt32, _ radio: Probe) throws {
        guard let board = radio.target.board else { return _ = try radio.require(plaintext, "\(tag) 01 74 ?2 …") }
        let rest: Pattern = board.knowsTemperature(in: radio) ? "01 67 ?2 00×4" : "00×8"
        try radio.require(plaintext, "\(tag) 01 74 \(board.volts) \(rest)")
    }
}
