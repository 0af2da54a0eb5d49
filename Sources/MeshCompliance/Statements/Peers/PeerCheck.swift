import MeshBoards
import MeshTime
import MeshWire

/// A check of two real radios with each other, each by its own firmware: nothing is sealed or signed by the suite.
struct PeerCheck: Sendable {
    let id: String
    let title: String
    let body: @Sendable (Probe) throws -> Void

    init(_ name: String, _ title: String, _ body: @escaping @Sendable (Probe) throws -> Void) {
        id = "PEER-" + name
        self.title = title
        self.body = body
    }

    static let all: [PeerCheck] = messages + packets + requests

    private static let messages: [PeerCheck] = [
        PeerCheck("text-received", "A text of the peer is announced, fetched and acknowledged") { radio in
            let (me, peer) = try meet(radio)
            try radio.deviceInfo()
            let ack = try radio.atPeer { bob in
                try bob.ask("02 00 00 \(radio.sentAt) \(me.prefix(6)) 'well met'", "06 01 ack4 ?4")["ack"]
            }
            try radio.expect("83")
            try radio.ask("0A", "10 ?3 \(peer.prefix(6)) 00 00 \(radio.sentAt) 'well met'")
            try radio.atPeer { bob in _ = try bob.expect("82 \(ack) ?4") }
        },
        PeerCheck("text-sent", "The peer acknowledges a text, and the way to it is learned") { radio in
            let (_, peer) = try meet(radio)
            try sendUntilConfirmed("\(peer.prefix(6)) 'well met'", "06 01 ack4 ?4", radio)
            try radio.expect("81 \(peer)")
            try radio.require("path_len", try radio.contact(peer)["plen"], is: [0])
            // The radio tells the peer the way, too, and does not hear it meanwhile.
            try radio.wait(.seconds(3))
            try sendUntilConfirmed("\(peer.prefix(6)) 'again'", "06 00 ack4 ?4", radio)
        },
        PeerCheck("channel", "A channel text of the peer comes under its name") { radio in
            try Section.useChannel(radio)
            try radio.deviceInfo()
            let name = try radio.atPeer { bob in
                try Section.useChannel(bob)
                try bob.ask("03 00 01 \(radio.sentAt) 'hi'", "00")
                return try bob.selfInfo()["name"]
            }
            try radio.expect("83")
            try radio.ask("0A", "11 ?3 01 00 00 \(radio.sentAt) \(name) ': hi'")
        },
        PeerCheck("channel-data", "A channel datagram of the peer comes whole") { radio in
            try Section.useChannel(radio)
            try radio.deviceInfo()
            try radio.atPeer { bob in
                try Section.useChannel(bob)
                try bob.ask("3E 01 FF 00FF \(radio.nonce)", "00")
            }
            try radio.expect("83")
            try radio.ask("0A", "1B ?3 01 00 00FF 04 \(radio.nonce)")
        },
    ]

    private static let packets: [PeerCheck] = [
        PeerCheck("advert", "The peer's advert makes it a contact with its name") { radio in
            let (_, peer) = try keys(radio)
            radio.keeper?.note(contact: peer[...])
            try radio.ask("0F \(peer)", "…")
            let name = try radio.atPeer { bob in
                try bob.ask("07", "00")
                return try bob.selfInfo()["name"]
            }
            try radio.expect("80 \(peer)")
            try radio.require("name", try radio.contact(peer)["name"], is: name.padded(to: 32))
        },
        PeerCheck("shared-contact", "A contact that the peer shares is added") { radio in
            // A node that no other statement takes for unheard of: the way of its advert is kept.
            let (carol, sentAt) = (Peer(number: 178), radio.sentAt)
            radio.keeper?.note(contact: carol.key[...])
            try radio.atPeer { bob in
                // A radio that adds nobody by itself shares only whom it was given a card of.
                try bob.ask("3A 02 00", "00")
                try bob.ask("12 \(carol.advert(sentAt).bytes)", "00", "80 \(carol.key)")
                try bob.ask("10 \(carol.key)", "00")
            }
            try radio.expect("80 \(carol.key)")
            let contact = try radio.contact(carol.key)
            try radio.require("last advert", contact.number("adv"), is: sentAt)
        },
        PeerCheck("raw-data", "Raw data of the peer is pushed") { radio in
            try radio.atPeer { bob in _ = try bob.ask("19 00 \(radio.nonce) 05", "00") }
            try radio.expect("84 ?2 FF \(radio.nonce) 05")
        },
        PeerCheck("control-data", "Control data of the peer is pushed") { radio in
            try radio.atPeer { bob in _ = try bob.ask("37 92 \(radio.nonce)", "00") }
            try radio.expect("8E ?2 00 92 \(radio.nonce)")
        },
    ]

    private static let requests: [PeerCheck] = [
        PeerCheck("telemetry-asked", "The peer answers a request for telemetry") { radio in
            let (_, peer) = try meet(radio)
            try radio.ask("27 00 00 00 \(peer)", "06 01 tag4 ?4")
            try radio.expect("8B 00 \(peer.prefix(6)) 01 74 …")
        },
        PeerCheck("telemetry-answered", "The peer's request for telemetry is answered by the radio") { radio in
            let (me, _) = try meet(radio)
            try radio.ask("26 00 02", "00")
            try radio.atPeer { bob in
                try bob.ask("27 00 00 00 \(me)", "06 01 tag4 ?4")
                try bob.expect("8B 00 \(me.prefix(6)) 01 74 …")
            }
        },
        PeerCheck("binary-request", "The answer of the peer to a binary request is pushed with its tag") { radio in
            let (_, peer) = try meet(radio)
            let tag = try radio.ask("32 \(peer) 03 00000000 \(radio.nonce)", "06 01 tag4 ?4")["tag"]
            try radio.expect("8C 00 \(tag) 01 74 …")
        },
        PeerCheck("path-discovery", "The way to the peer and back is discovered") { radio in
            let (_, peer) = try meet(radio)
            try radio.ask("34 00 \(peer)", "06 01 tag4 ?4")
            try radio.expect("8D 00 \(peer.prefix(6)) 00 00")
        },
    ]

    /// Sends a text as an app does: again while no acknowledgement comes. What it brought besides is left to be
    /// expected.
    private static func sendUntilConfirmed(_ text: Pattern, _ sent: Pattern, _ radio: Probe) throws {
        for attempt in 0..<3 as Range<UInt8> {
            // The way may be known by the second attempt.
            let reply = attempt == 0 ? sent : "06 ?1 ack4 ?4"
            let ack = try radio.ask("02 00 \(attempt) \(radio.sentAt) \(text)", reply)["ack"]
            if try radio.listen(for: radio.target.patience, until: { $0.starts(with: [0x82] + ack) }) { return }
        }
        throw radio.failure(expected: "82 and the ack of one of three attempts", got: "nothing")
    }

    private static func keys(_ radio: Probe) throws -> (mine: [UInt8], peer: [UInt8]) {
        (try radio.me(), try radio.atPeer { try $0.me() })
    }

    /// Has both know each other, without a path.
    private static func meet(_ radio: Probe) throws -> (mine: [UInt8], peer: [UInt8]) {
        let (me, peer) = try keys(radio)
        try radio.add(key: peer)
        try radio.atPeer { try $0.add(key: me) }
        return (me, peer)
    }
}
