import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime

// The contact table, its listing and its storage; cards are in `Contacts+Cards`.
extension Section {
    static let contacts = Section(
        letter: "G", title: "Contacts", statements: (table + listing + storage + cards).sorted { $0.number < $1.number }
    )

    private static let table: [Statement] = [
        Statement(83, "An empty table is listed as START(0) and END(0)", needs: .emptyContacts) { radio in
            try radio.ask("04", "02 00000000", "04 00000000")
        },
        Statement(84, "A contact comes back as it was stored", needs: .emptyContacts) { radio in
            let path = (1...64).map { UInt8($0) }
            let fields: Pattern = """
                \(Peer.bob.key) 02 06 05 \(path) 'Bob' 00×29 \(UInt32(1_600_000_000)) \(Int32(1_000_000)) \(Int32(-2_000_000))
                \(UInt32(1_500_000_000))
                """
            try radio.ask("09 \(fields)", "00")
            try radio.ask("04", "02 01000000", "03 \(fields)", "04 \(UInt32(1_500_000_000))")
        },
        Statement(85, "Without the field a contact's lastmod is the clock") { radio in
            let name = [UInt8](repeating: 0x42, count: 32)
            try radio.ask("09 \(Peer.bob.key) 01 00 FF 00×64 \(name) 00000000 00000000 00000000", "00")
            try radio.requireNow("lastmod", try radio.contact(Peer.bob.key).number("mod"))
        },
        Statement(86, "A contact without position keeps the stored one") { radio in
            let place: (lat: Int32, lon: Int32) = (1_000_000, -2_000_000)
            try radio.ask(radio.contactFrame(.bob, position: place, lastmod: 1000), "00")
            try radio.ask("09 \(Peer.bob.key) 02 00 FF 00×64 'Bobby' 00×27 00000000", "00")
            let contact = try radio.contact(Peer.bob.key)
            try radio.require(
                "position", contact["lat"] + contact["lon"], is: place.lat.wireBytes + place.lon.wireBytes)
            try radio.require("type", contact["type"], is: [2])
        },
        Statement(87, "A name of 32 bytes comes back with 31 and a NUL") { radio in
            try radio.ask("09 \(Peer.bob.key) 01 00 FF 00×64 58×32 00000000", "00")
            try radio.require("name", try radio.contact(Peer.bob.key)["name"], is: bytes(0x58, 31) + [0])
        },
        Statement(95, "A full table refuses as TABLE_FULL", board: fourContacts) { radio in
            for number in 0..<4 { try radio.add(Peer(number: number)) }
            try radio.ask(radio.contactFrame(.bob, lastmod: 1000), "01 03")
            try radio.require("contacts", try radio.contacts().count, is: 4)
        },
        Statement(
            96, "A full table overwrites its oldest contact that is no favourite, in place", board: fourContacts
        ) { radio in
            let peers = (0..<4).map { Peer(number: $0) }
            for (peer, (flags, lastmod)) in zip(peers, [(1, 1000), (0, 3000), (0, 2000), (0, 4000)]) {
                try radio.add(peer, flags: UInt8(flags), lastmod: UInt32(lastmod))
            }
            try radio.ask("3A 01", "00")
            try radio.ask(radio.contactFrame(.bob, lastmod: 5000), "8F \(peers[2].key)", "00")
            let keys = try radio.contacts().keys
            try radio.require(
                "table", keys.flatMap(\.self), is: peers[0].key + peers[1].key + Peer.bob.key + peers[3].key)
        },
        Statement(97, "Favourites are never overwritten", board: fourContacts) { radio in
            for number in 0..<4 { try radio.add(Peer(number: number), flags: 1) }
            try radio.ask("3A 01", "00")
            try radio.ask(radio.contactFrame(.bob, lastmod: 5000), "01 03")
        },
        Statement(98, "REMOVE_CONTACT removes by the whole key") { radio in
            try radio.add(.bob)
            let other = Peer.bob.key.dropLast() + [Peer.bob.key[31] ^ 1]
            try radio.ask("0F \(other)", "01 02")
            try radio.ask("0F \(Peer.bob.key)", "00")
            try radio.ask("0F \(Peer.bob.key)", "01 02")
            try radio.ask("1E \(Peer.bob.key)", "01 02")
        },
        Statement(99, "RESET_PATH forgets the length only") { radio in
            try radio.add(.bob, path: [0xAA, 0xBB], lastmod: 1000)
            try radio.ask("0D \(Peer.bob.key)", "00")
            let contact = try radio.contact(Peer.bob.key)
            try radio.require("path_len", contact["plen"], is: [0xFF])
            try radio.require("path", contact["path"], is: ([0xAA, 0xBB] as [UInt8]).padded(to: 64))
            try radio.require("lastmod", contact.number("mod"), is: 1000)
            try radio.ask("0D \(Peer.carol.key)", "01 02")
        },
        Statement(100, "GET_CONTACT_BY_KEY returns one CONTACT or NOT_FOUND") { radio in
            try radio.add(.bob)
            try radio.require("key", try radio.contact(Peer.bob.key)["key"], is: Peer.bob.key)
            try radio.ask("1E \(Peer.carol.key)", "01 02")
            try radio.ask("1E \(Peer.bob.key.dropLast() + [Peer.bob.key[31] ^ 1])", "01 02")
            try radio.expectSilence()
        },
        Statement(101, "A key of zeros finds a hidden slot") { radio in
            try radio.ask("1E 00×32", "03 00×147")
        },
        Statement(104, "A new contact of type 0 is found by key and not listed", needs: .emptyContacts) { radio in
            // A node that no other statement knows: its hidden slot stays taken until the next boot.
            let hidden = Peer(number: 104)
            try radio.ask(radio.contactFrame(hidden, type: 0, lastmod: 1000), "00")
            try radio.require("key", try radio.contact(hidden.key)["key"], is: hidden.key)
            switch radio.switches.transientContacts {
            case .hidden: try radio.ask("04", "02 00000000", "04 00000000")
            case .inTable: try radio.ask("04", "02 01000000", "04 00000000")
            case .refused: try radio.ask("04", "02 01000000", "03 \(hidden.key) …", "04 \(UInt32(1000))")
            }
        },
    ]

    private static let listing: [Statement] = [
        Statement(88, "The filter is strict, START counts all, END is the newest sent", needs: .emptyContacts) {
            radio in
            for number in 1...4 { try radio.add(Peer(number: number), lastmod: UInt32(1000 * number)) }
            let list = try radio.contacts(since: 2000)
            try radio.require("count", list.count, is: 4)
            try radio.require("keys", list.keys.flatMap(\.self), is: Peer(number: 3).key + Peer(number: 4).key)
            try radio.require("END_OF_CONTACTS", list.end, is: 4000)
            try radio.require("END_OF_CONTACTS", try radio.contacts().end, is: 4000)
        },
        Statement(89, "END is 0 when nothing passes the filter", needs: .emptyContacts) { radio in
            try radio.add(.bob, lastmod: 1000)
            try radio.ask("04 \(UInt32(1000))", "02 01000000", "04 00000000")
        },
        Statement(90, "A filter of fewer than four bytes is none", needs: .emptyContacts) { radio in
            for number in 1...3 { try radio.add(Peer(number: number), lastmod: UInt32(1000 * number)) }
            for command in ["04 FF", "04 FF FF", "04 FF FF FF"] as [Pattern] {
                try radio.ask(command, "02 03000000", contactLayout, contactLayout, contactLayout, "04 \(UInt32(3000))")
            }
        },
        Statement(
            91, "GET_CONTACTS during a listing is BAD_STATE and does not disturb it",
            needs: [.time, .emptyContacts], on: .serial
        ) { radio in
            for number in 1...4 { try radio.add(Peer(number: number)) }
            try radio.ask("04", "02 04000000", contactLayout)
            try radio.ask("04", "01 04", contactLayout, contactLayout, contactLayout, "04 mod4")
            try radio.expectSilence()
        },
        Statement(
            92, "Other commands are answered between the contacts", needs: [.time, .emptyContacts], on: .serial
        ) { radio in
            for number in 1...3 { try radio.add(Peer(number: number)) }
            try radio.ask("04", "02 03000000", contactLayout)
            try radio.ask("05", "09 time4", contactLayout)
            try radio.ask("3B", "19 ?2", contactLayout, "04 mod4")
        },
        Statement(
            93, "A listing pauses while the transport is busy", needs: [.time, .emptyContacts], on: .paced
        ) { radio in
            let peers = (0..<12).map { Peer(number: $0) }
            for peer in peers { try radio.add(peer) }
            let list = try radio.contacts()
            try radio.require("count", list.count, is: 12)
            try radio.require("contacts that came", UInt32(list.keys.count), is: 12)
            try radio.require("keys", list.keys.flatMap(\.self), is: peers.flatMap(\.key))
        },
        Statement(
            94, "Removing a listed contact during a listing skips the next one",
            needs: [.time, .emptyContacts], on: .serial
        ) { radio in
            let peers = (0..<4).map { Peer(number: $0) }
            for peer in peers { try radio.add(peer) }
            try radio.ask("04", "02 04000000", "03 \(peers[0].key) …")
            try radio.ask("0F \(peers[0].key)", "00", "03 \(peers[2].key) …", "03 \(peers[3].key) …", "04 mod4")
        },
    ]

    private static let storage: [Statement] = [
        Statement(102, "Contacts are written five seconds after the last change", needs: [.power, .time]) { radio in
            try radio.add(.bob)
            try radio.wait(.milliseconds(4800))
            try radio.powerCycle()
            try radio.ask("1E \(Peer.bob.key)", "01 02")
            try radio.add(.bob)
            try radio.wait(.seconds(4))
            try radio.add(.carol)
            try radio.wait(.seconds(4))
            try radio.powerCycle()
            try radio.ask("1E \(Peer.bob.key)", "01 02")
            try radio.add(.bob)
            try radio.wait(.milliseconds(5200))
            try radio.powerCycle()
            try radio.require("key", try radio.contact(Peer.bob.key)["key"], is: Peer.bob.key)
        },
        Statement(103, "REBOOT writes contacts first and is not answered", needs: .restart) { radio in
            try radio.add(.bob)
            try radio.send("13 'reboot'")
            try radio.comeBack()
            try radio.require("key", try radio.contact(Peer.bob.key)["key"], is: Peer.bob.key)
        },
    ]
}

/// A build with a table of four contacts.
let fourContacts: @Sendable (inout BoardProfile) -> Void = { $0.maxContacts = 4 }
