import MeshBoards
import MeshTime

extension Section {
    /// Path discovery, requests to nodes that are no contacts, and what is refused.
    static let discovery: [Statement] = [
        Statement(168, "A discovered path is reported in both directions and not stored", needs: .packets) { radio in
            let before = try discover(radio, path: nil)
            try radio.expectQuietAir()
            try radio.require("contact", try radio.contact(Peer.rep.key).frame, is: before)
        },
        Statement(169, "Path discovery floods and keeps the stored path", needs: .packets) { radio in
            let before = try discover(radio, path: [0x11, 0x22])
            try radio.require("contact", try radio.contact(Peer.rep.key).frame, is: before)
            try radio.ask("34 01 \(Peer.rep.key)", "01 01")
        },
        Statement(172, "An anonymous request reaches a node that is no contact", needs: [.packets, .emptyContacts]) {
            radio in
            // A node that no other statement takes for a stranger: such a contact stays until the next boot.
            let carol = Peer(number: 172)
            let tag = try radio.ask("39 \(carol.key) 01 00", "06 00 tag4 timeout4")["tag"]
            let request = try radio.expectAir(.anonymous, .direct)
            try radio.require("path_len", [request.pathLength], is: [0])
            try radio.require(try radio.open(request, by: carol), "\(tag) 01 00 00×10")
            try radio.hear(carol.response(tag + [1, 2], to: try radio.me()).by(.direct))
            try radio.expect("8C 00 \(tag) 0102 00×10")
            try radio.ask("04", "02 00000000", "04 00000000")
        },
        Statement(174, "There are eight transient contacts; a ninth replaces the oldest", needs: .air) { radio in
            let peers = (0..<9).map { Peer(number: $0) }
            for peer in peers {
                try radio.ask("39 \(peer.key) 01", "06 00 ?8")
                try radio.wait(.seconds(2))
            }
            try radio.ask("1E \(peers[0].key)", "01 02")
            for peer in peers.dropFirst() { _ = try radio.contact(peer.key) }
        },
    ]

    static let refusals: [Statement] = [
        Statement(171, "Requests to unknown keys are NOT_FOUND") { radio in
            let key = Peer.carol.key
            let commands: [Pattern] = [
                "1A \(key) 'pw'", "1B \(key)", "27 00 00 00 \(key)", "32 \(key) 01", "34 00 \(key)",
            ]
            for command in commands { try radio.ask(command, "01 02") }
        },
        Statement(173, "An anonymous request has 1 to 132 bytes") { radio in
            try radio.add(.rep, type: 2)
            try radio.ask("39 \(Peer.rep.key)", "01 01")
            try radio.ask("39 \(Peer.rep.key) 01", "06 01 ?8")
            try radio.ask("39 \(Peer.rep.key) 01×132", "06 01 ?8")
            try radio.ask("39 \(Peer.rep.key) 01×133", "01 03")
        },
    ]

    /// Discovers the way to the repeater; returns the contact as it was before.
    private static func discover(_ radio: Probe, path: [UInt8]?) throws -> [UInt8] {
        try radio.add(.rep, type: 2, path: path, lastmod: 1000)
        let before = try radio.contact(Peer.rep.key).frame
        let tag = try radio.ask("34 00 \(Peer.rep.key)", "06 01 tag4 timeout4")["tag"]
        let request = try radio.expectAir(.request, .flood)
        try radio.require(try radio.open(request, by: .rep), "\(tag) 03 FE 000000 ?4 00×3")
        let answer = Peer.rep.returnedPath([0xAA, 0xBB], extra: .response, tag + [1, 2, 3], to: try radio.me())
        try radio.hear(answer.by(.flood, path: [0xCC]))
        try radio.expect("8D 00 \(Peer.rep.prefix) 02 AABB 01 CC")
        try radio.expectSilence()
        return before
    }
}
