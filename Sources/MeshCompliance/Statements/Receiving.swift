import MeshBoards
import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshTime
import MeshWire

// Everything here comes from the air.
extension Section {
    static let receiving = Section(
        letter: "I", title: "Receiving messages",
        statements: (delivery + queueing + filtering).sorted { $0.number < $1.number })

    private static let delivery: [Statement] = [
        Statement(136, "A text is announced by MSG_WAITING and fetched as CONTACT_MSG_RECV_V3", needs: .packets) {
            radio in
            try radio.deviceInfo()
            try radio.add(.bob)
            try radio.hear(Peer.bob.text("hello", at: radio.sentAt, to: try radio.me()), snr: -3.5)
            try radio.expect("83")
            try radio.ask("0A", "10 \(radio.snr(-3.5)) 00 00 \(Peer.bob.prefix) 00 00 \(radio.sentAt) 'hello'")
            try radio.ask("0A", "0A")
        },
        Statement(137, "A message carries the path length of its flood, or FF", needs: .packets) { radio in
            try radio.deviceInfo()
            try radio.add(.bob)
            let me = try radio.me()
            let flood = Peer.bob.text("a", at: radio.sentAt, to: me).by(.flood, path: [1, 2, 3, 4], hashSize: 2)
            try radio.hear(flood)
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.bob.prefix) 42 00 \(radio.sentAt) 'a'")
            try radio.hear(Peer.bob.text("b", at: radio.sentAt, to: me).by(.direct))
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.bob.prefix) FF 00 \(radio.sentAt) 'b'")
        },
        Statement(138, "CLI replies have type 1, signed texts type 2 and their author", needs: .packets) { radio in
            try radio.deviceInfo()
            try radio.add(.room, type: 3)
            let me = try radio.me()
            try radio.hear(Peer.room.text([UInt8]("v1".utf8), at: radio.sentAt, type: 1, to: me).by(.direct))
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.room.prefix) FF 01 \(radio.sentAt) 'v1'")
            let author = [UInt8](Peer.carol.key.prefix(4))
            let post = Peer.room.text(author + [UInt8]("post".utf8), at: radio.sentAt, type: 2, to: me)
            try radio.hear(post.by(.direct))
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.room.prefix) FF 02 \(radio.sentAt) \(author) 'post'")
        },
        Statement(139, "Channel messages come as code 11 or 08 with the channel's index", needs: .packets) { radio in
            try useChannel(radio)
            try radio.ask("16 02", "0D …")
            try radio.hear(testChannel.text("Bob: old", at: radio.sentAt).by(.flood, path: [7]))
            try radio.expect("83")
            try radio.deviceInfo()
            try radio.hear(testChannel.text("Bob: new", at: radio.sentAt).by(.flood, path: [7]))
            try radio.expect("83")
            try radio.ask("0A", "08 01 01 00 \(radio.sentAt) 'Bob: old'")
            try radio.ask("0A", "11 \(radio.snr()) 00 00 01 01 00 \(radio.sentAt) 'Bob: new'")
        },
        Statement(140, "Channel datagrams have one layout for every version", needs: .packets) { radio in
            try useChannel(radio)
            for version in ["16 01", "16 03"] as [Pattern] {
                try radio.ask(version, "0D …")
                let data = try version.bytes() + radio.nonce
                try radio.hear(testChannel.data(0xFF00, data))
                try radio.expect("83")
                try radio.ask("0A", "1B \(radio.snr()) 00 00 01 00 00FF 06 \(data)")
            }
        },
        Statement(145, "A message frame is cut at 176 bytes", needs: .air) { radio in
            try radio.deviceInfo()
            try radio.add(.room, type: 3)
            let me = try radio.me()
            // A contact's text comes behind 16 bytes, a channel's behind 11.
            let limit = radio.switches.frameLimit
            try radio.hear(Peer.room.text(bytes(0x61, 162), at: radio.sentAt, to: me).by(.direct))
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.room.prefix) FF 00 \(radio.sentAt) \(bytes(0x61, limit - 16))")
            try radio.hear(Peer.room.text(bytes(0x62, 162), at: radio.sentAt, type: 2, to: me).by(.direct))
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(Peer.room.prefix) FF 02 \(radio.sentAt) \(bytes(0x62, limit - 16))")
            let channel = Channel.everyone.seal(.groupText, radio.sentAt.wireBytes + [0] + bytes(0x63, 163))
            try radio.hear(channel)
            try radio.expect("83")
            try radio.ask("0A", "11 ?3 00 00 00 \(radio.sentAt) \(bytes(0x63, min(163, limit - 11)))")
        },
    ]

    private static let queueing: [Statement] = [
        Statement(141, "A full queue drops its oldest channel frame", needs: .air, board: fourMessages) { radio in
            try radio.deviceInfo()
            try radio.add(.bob, path: [])
            try hearText("one", radio)
            try radio.hear(Channel.everyone.text("Bob: two", at: radio.sentAt))
            try radio.expect("83")
            try hearText("three", radio)
            try radio.hear(Channel.everyone.data(0xFF00, [4]))
            try radio.expect("83")
            try hearText("five", radio)
            try hearText("six", radio)
            for text in ["one", "three", "five", "six"] { try requireText(text, radio) }
            try radio.ask("0A", "0A")
        },
        Statement(142, "A queue full of direct messages takes no more, and says so", needs: .air, board: fourMessages) {
            radio in
            try radio.deviceInfo()
            try radio.add(.bob, path: [])
            for text in ["one", "two", "three", "four", "five"] { try hearText(text, radio) }
            for text in ["one", "two", "three", "four"] { try requireText(text, radio) }
            try radio.ask("0A", "0A")
        },
        Statement(143, "Messages wait for the next client, who is not told", needs: [.packets, .link]) { radio in
            try radio.deviceInfo()
            try radio.add(.bob)
            let me = try radio.me()
            try radio.disconnect()
            try radio.hear(Peer.bob.text("hi", at: radio.sentAt, to: me).by(.direct))
            try radio.wait(.seconds(2))
            try radio.connect()
            try radio.expectSilence()
            _ = try radio.selfInfo()
            try radio.expectSilence()
            try requireText("hi", radio)
        },
        Statement(
            144, "A fetched message is gone, whether its reply arrives or not", needs: [.air, .link, .time]
        ) { radio in
            try radio.deviceInfo()
            try radio.add(.bob)
            try hearText("hi", radio)
            try radio.send("0A")
            try radio.reconnect()
            try radio.drain()
            try radio.ask("0A", "0A")
        },
    ]

    private static let filtering: [Statement] = [
        Statement(146, "A channel datagram above 167 bytes is dropped", needs: .air) { radio in
            for count in [168, 170] { try radio.hear(Channel.everyone.data(0xFF00, bytes(0xA1, count))) }
            try radio.expectSilence()
            try radio.hear(Channel.everyone.data(0xFF00, bytes(0xA1, 167)))
            try radio.expect("83")
            try radio.ask("0A", "1B 19 00 00 00 00 00FF A7 A1×167")
            try radio.ask("0A", "0A")
        },
        Statement(147, "A second copy of a packet is not delivered again", needs: .packets) { radio in
            try radio.deviceInfo()
            try radio.add(.bob)
            let text = Peer.bob.text("hi", at: radio.sentAt, to: try radio.me())
            try radio.hear(text.by(.flood, path: [1]))
            try radio.expect("83")
            try radio.hear(text.by(.flood, path: [2, 3]))
            try radio.hear(text.by(.direct))
            try radio.expectSilence()
            try radio.ask("0A", "10 ?3 \(Peer.bob.prefix) 01 00 \(radio.sentAt) 'hi'")
            try radio.ask("0A", "0A")
        },
        Statement(148, "A plain or signed message sets the sender's lastmod", needs: .packets) { radio in
            let me = try radio.me()
            for (type, peer) in [(0, Peer.bob), (2, .room)] as [(UInt8, Peer)] {
                try radio.add(peer, type: type == 2 ? 3 : 1, lastmod: 1000)
                let since = try radio.now() - 1
                try radio.hear(
                    peer.text([0x61, 0x62, 0x63, 0x64, 0x65], at: radio.sentAt, type: type, to: me).by(.direct))
                try radio.expect("83")
                try radio.requireNow("lastmod", try radio.contact(peer.key).number("mod"))
                try radio.require(
                    "changed contacts", try radio.contacts(since: since).keys.contains(peer.key) ? 1 : 0, is: 1)
            }
        },
        Statement(149, "A message from a node that is no contact is ignored", needs: .packets) { radio in
            try radio.hear(Peer.carol.text("hi", at: radio.sentAt, to: try radio.me()))
            try radio.expect("88 …")
            try radio.expectSilence()
            try radio.ask("0A", "0A")
            try radio.expectQuietAir()
        },
        Statement(150, "With one secret in two slots the lower index is reported", needs: .packets) { radio in
            try radio.deviceInfo()
            try useChannel(radio)
            try radio.ask("20 03 'copy' 00×28 \(testChannel.key)", "00")
            try radio.hear(testChannel.text("Bob: hi", at: radio.sentAt))
            try radio.expect("83")
            try radio.ask("0A", "11 ?3 01 00 00 \(radio.sentAt) 'Bob: hi'")
        },
        Statement(151, "A text is acknowledged by the radio: floods by a path, direct ones by an ack", needs: .packets)
        {
            radio in
            try radio.add(.bob)
            let me = try radio.me()
            let ack = ackOfReceived("flood", by: .bob, radio)
            try radio.hear(Peer.bob.text("flood", at: radio.sentAt, to: me).by(.flood, path: [0xAA, 0xBB]))
            try radio.expect("83")
            let path = try radio.expectAir(.path, .flood, within: .milliseconds(1000))
            try radio.require(
                try radio.open(path, by: .bob),
                "02 AABB 03 \(ack) \(ackTail(0, radio)) \(bytes(0x00, 12 - radio.switches.ackLength))")
            let direct = ackOfReceived("direct", by: .bob, radio)
            try radio.hear(Peer.bob.text("direct", at: radio.sentAt, to: me).by(.direct))
            try radio.expect("83")
            let plain = try radio.expectAir(.ack, .flood, within: .milliseconds(2000))
            try radio.require(plain.payload, "\(direct) \(ackTail(0, radio))")
            // An attempt above 3 rides behind the text's NUL and comes back in the acknowledgement.
            let again = [UInt8]("again".utf8)
            let fifth = SHA256.hash(radio.sentAt.wireBytes + [1] + again + Peer.bob.key).prefix(4)
            let retry = Peer.bob.text(again + [0, 5], at: radio.sentAt, attempt: 5, to: me)
            try radio.hear(retry.by(.direct))
            try radio.expect("83")
            try radio.require(
                try radio.expectAir(.ack, .flood, within: .milliseconds(2000)).payload, "\(fifth) \(ackTail(5, radio))")
        },
    ]

    /// Returns the pattern behind the sum in an acknowledgement: the attempt and a random byte, or nothing.
    static func ackTail(_ attempt: UInt8, _ radio: Probe) -> Pattern {
        radio.switches.ackLength > 4 ? "\(attempt) ?1" : ""
    }

    /// A build that keeps four messages for the app.
    static let fourMessages: @Sendable (inout BoardProfile) -> Void = { $0.offlineQueueSize = 4 }

    /// Has Bob send a text directly; its announcement must follow.
    static func hearText(_ text: String, _ radio: Probe) throws {
        try radio.hear(Peer.bob.text(text, at: radio.sentAt, to: try radio.me()).by(.direct))
        try radio.expect("83")
    }

    /// The next message must be this text of Bob's.
    static func requireText(_ text: String, _ radio: Probe) throws {
        try radio.ask("0A", "10 ?3 \(Peer.bob.prefix) FF 00 \(radio.sentAt) \([UInt8](text.utf8))")
    }

    /// Returns the checksum with which the radio acknowledges a plain text.
    static func ackOfReceived(_ text: String, by peer: Peer, _ radio: Probe) -> [UInt8] {
        [UInt8](SHA256.hash(radio.sentAt.wireBytes + [0] + [UInt8](text.utf8) + peer.key).prefix(4))
    }
}
