import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// Floods that are sent on, and their bytes then.
    static let forwarding = RoleTopic("Flood forwarding", paths + limits + rules + addressees)

    /// A time in which any flood of these statements leaves.
    static let whole = TimeSpan.seconds(9)

    private static let paths: [Row] = [
        Row("INF-102", "OTA-030", about: "A forwarded flood gains the own hash in the packet's size", of: .repeater) {
            node in
            for size in [1, 2, 3] as [UInt8] {
                let path = try (0..<2 * size).map { try node.hop($0) }
                let packet = node.alien(path: path, size: size)
                let sent = try node.one(try node.hear(packet)).packet
                try node.require("the path", sent.path, is: path + node.key().prefix(Int(size)))
                try node.require("the path length", sent.pathLength, is: (size - 1) << 6 | 3)
                try node.require("the payload", sent.payload, is: packet.payload)
            }
        },
        Row("INF-105", "OTA-020", about: "A copy that came another way is not forwarded", of: .repeater) { node in
            let packet = node.alien(path: [try node.hop(0)])
            try node.one(try node.hear(packet))
            try node.silence(try node.hear(packet.by(.flood, path: [try node.hop(1), try node.hop(2)])))
            try node.silence(
                try node.hear(packet.by(.flood, path: [try node.hop(1), try node.hop(2)], hashSize: 2)))
            try node.silence(try node.hear(packet.by(.direct)))
        },
        Row("INF-106", "OTA-031", about: "A path without room for another hash ends here", of: .repeater) { node in
            let hop = try node.hop(0)
            for (count, size, isSent) in [(63, 3, false), (64, 2, false), (60, 3, true), (62, 2, true)] {
                let path = [UInt8](repeating: hop, count: count)
                let sent = try node.hear(node.alien(path: path, size: UInt8(size)), for: whole)
                try node.require(
                    sent.count == (isSent ? 1 : 0), "\(isSent ? "a packet" : "silence") after \(count) bytes of path",
                    got: NodeReply.list(sent))
            }
        },
        Row("INF-134", "OTA-032", about: "After 63 hops of one byte the count wraps into the size", of: .repeater) {
            node in
            let packet = node.alien(path: [UInt8](repeating: try node.hop(0), count: 63))
            let sent = try node.one(try node.hear(packet, for: whole))
            try node.require("the packet", sent.bytes, is: [0x15, 0x40] + packet.payload)
        },
        Row("INF-112", "OTA-007", about: "Both transport codes are kept", of: .repeater) { node in
            try node.putRegion("eu")
            var packet = node.alien(path: [try node.hop(0)]).scoped(regionKey("eu"))
            packet.codes[2] = 0x34
            packet.codes[3] = 0x12
            let sent = try node.one(try node.hear(packet)).packet
            try node.require("the route", sent.route, is: .scopedFlood)
            try node.require("the codes", sent.codes, is: packet.codes)
        },
    ]

    private static let limits: [Row] = [
        Row(
            "INF-107", about: "Hop limits hold for all floods, for un-scoped ones and for adverts", of: .repeaterAndRoom
        ) {
            node in
            try node.type("set repeat on", "OK - repeat is now ON")
            try node.putRegion("eu")
            for (all, unscoped, advert, hops, isScoped, isAdvert, isSent) in [
                (64, 0, 8, 0, false, false, false), (64, 0, 8, 0, true, false, true),
                (64, 3, 8, 2, false, false, true), (64, 3, 8, 3, false, false, false),
                (5, 64, 8, 5, true, false, false), (64, 64, 8, 8, true, true, false),
                (64, 64, 8, 7, true, true, true), (64, 64, 8, 63, false, false, true),
                (0, 64, 8, 0, false, false, false),
            ] {
                for (name, value) in [("", all), (".unscoped", unscoped), (".advert", advert)] {
                    try node.type("set flood.max\(name) \(value)", "OK")
                }
                let packet = isAdvert ? Peer.carol.advert(node.nextStamp()) : node.alien()
                var sent = packet.by(.flood, path: [UInt8](repeating: try node.hop(0), count: hops))
                if isScoped { sent = sent.scoped(regionKey("eu")) }
                let replies = try node.hear(sent, for: whole)
                try node.require(
                    replies.count == (isSent ? 1 : 0),
                    "\(isSent ? "a packet" : "silence") after \(hops) hops within \(all), \(unscoped) and \(advert)",
                    got: NodeReply.list(replies))
            }
        },
        Row("INF-108", "OTA-036", about: "Adverts are forwarded after seven hops and not after eight", of: .repeater) {
            node in
            for (hops, isSent) in [(7, true), (8, false)] {
                let path = [UInt8](repeating: try node.hop(0), count: hops)
                let replies = try node.hear(Peer.carol.advert(node.nextStamp()).by(.flood, path: path), for: whole)
                try node.require(
                    replies.count == (isSent ? 1 : 0), "\(isSent ? "a packet" : "silence") after \(hops) hops",
                    got: NodeReply.list(replies))
            }
        },
        Row("INF-115", "OTA-039", about: "Own hashes in the path stop a flood at the limit that is set", of: .repeater)
        {
            node in
            try node.type("get loop.detect", "> off")
            for (mode, limits) in [
                ("off", [9, 9, 9]), ("minimal", [4, 2, 1]), ("moderate", [2, 1, 1]), ("strict", [1, 1, 1]),
            ] {
                try node.type("set loop.detect \(mode)", "OK")
                for size in 1...3 {
                    // The last that passes, and the first that does not.
                    for count in Set([0, max(0, limits[size - 1] - 1), min(limits[size - 1], 5)]).sorted() {
                        try loop(count, UInt8(size), isStopped: count >= limits[size - 1], mode, node)
                    }
                }
            }
        },
        Row("INF-117", about: "A node that does not repeat forwards nothing", of: .repeater) { node in
            try node.type("set repeat off", "OK - repeat is now OFF")
            let (own, other) = (try node.key()[0], try node.hop(0))
            try node.silence(try node.hear(node.alien()))
            try node.silence(try node.hear(node.alien().by(.direct, path: [own, other])))
            try node.silence(try node.hear([0x0E, 0x02, own, other, 0x11, 0x22, 0x33, 0x44]))
            try node.silence(try node.hear([0x26, 0x00, 4, 3, 2, 1, 0, 0, 0, 0, 0, own, other]))
            try node.silence(try node.hear([0x2A, 0x02, own, other, 0x13, 0x94, 0x7F, 0x98, 0xF9]))
        },
    ]

    private static let rules: [Row] = [
        Row("INF-109", about: "A forged advert is not forwarded") { node in
            try node.type("set repeat on")
            try node.silence(try node.hear(Peer.carol.advert(node.nextStamp(), isForged: true), for: whole))
            try node.one(try node.hear(Peer.carol.advert(node.nextStamp()), for: whole))
        },
        Row("OTA-024", about: "A forged advert is dropped, and remembered", of: .repeater) { node in
            let forged = Peer.carol.advert(node.nextStamp(), isForged: true)
            try node.silence(try node.hear(forged, for: whole))
            try node.admit(RoleProbe.alice)
            let before = try node.answer(RoleProbe.alice, status) ?? []
            try node.silence(try node.hear(forged, for: whole))
            let after = try node.answer(RoleProbe.alice, status) ?? []
            let counts = [before, after].map { UInt16($0.dropFirst(46).littleEndian & 0xFFFF) }
            try node.require("one more duplicate by flood", counts[1] &- counts[0], is: 1)
        },
        Row("INF-110", "OTA-022", about: "What the node sent itself is not forwarded", of: .repeater) { node in
            try node.type("advert", "OK - Advert sent")
            let advert = try node.one(try node.listen(for: .seconds(5)))
            let echo = advert.packet.by(.flood, path: [try node.hop(0)])
            try node.silence(try node.hear(echo, for: whole))
        },
        Row("INF-111", "OTA-037", about: "A flood in an unknown region is dropped", of: .repeater) { node in
            try node.putRegion("eu")
            try node.one(try node.hear(node.alien().scoped(regionKey("eu"))))
            try node.silence(try node.hear(node.alien().scoped(regionKey("nowhere"))))
        },
        Row("INF-113", "OTA-038", about: "Where the wildcard denies floods, un-scoped ones end", of: .repeater) {
            node in
            try node.putRegion("eu")
            try node.one(try node.hear(node.alien()))
            try node.type("region denyf *", "OK")
            try node.silence(try node.hear(node.alien()))
            try node.one(try node.hear(node.alien().scoped(regionKey("eu"))))
            try node.type("region allowf *", "OK")
            try node.one(try node.hear(node.alien()))
        },
        Row("INF-114", about: "A region that denies floods matches nothing", of: .repeater) { node in
            try node.putRegion("eu")
            try node.type("region denyf eu", "OK")
            try node.silence(try node.hear(node.alien().scoped(regionKey("eu"))))
        },
        Row("INF-116", "OTA-034", about: "Some types are never forwarded by flood") { node in
            try node.type("set repeat on")
            for kind in [.trace, .multipart, .control, .reserved12, .reserved13, .reserved14, .raw]
                as [AirPacket.Kind]
            {
                try node.silence(try node.hear(node.alien(kind, path: [try node.hop(0)])))
            }
            try node.one(try node.hear(node.alien()))
        },
        Row("INF-135", about: "Regions and loops do not matter", of: .roomAndSensor) { node in
            try node.type("set repeat on", "OK - repeat is now ON")
            try node.type("set loop.detect strict")
            try node.type("region denyf *")
            let own = try node.key()[0]
            try node.one(try node.hear(node.alien().scoped(regionKey("nowhere"))))
            try node.one(try node.hear(node.alien(path: [own, own, own])))
        },
        Row("INF-137", about: "Limits of un-scoped floods and adverts do not matter", of: .sensor) { node in
            try node.type("set repeat on", "OK - repeat is now ON")
            let hop = try node.hop(0)
            try node.one(try node.hear(node.alien(path: [hop, hop, hop]), for: whole))
            let path = [UInt8](repeating: hop, count: 20)
            try node.one(try node.hear(Peer.carol.advert(node.nextStamp()).by(.flood, path: path), for: whole))
            try node.type("set flood.max 3", "OK")
            try node.silence(try node.hear(node.alien(path: [hop, hop, hop]), for: whole))
        },
        Row("OTA-077", about: "Application data beyond 32 bytes is kept when an advert is forwarded", of: .repeater) {
            node in
            var advert = Peer.carol.advert(node.nextStamp(), name: String(repeating: "n", count: 31))
            advert.payload += [UInt8](repeating: 0x55, count: 8)
            let sent = try node.one(try node.hear(advert, for: whole)).packet
            try node.require("the payload", sent.payload, is: advert.payload)
            let all = Peer.carol.advert(node.nextStamp(), name: String(repeating: "n", count: 39))
            try node.silence(try node.hear(all, for: whole))
        },
        Row("OTA-078", about: "An advert without a name is forwarded", of: .repeater) { node in
            try node.one(try node.hear(Peer.carol.advert(node.nextStamp(), type: 3, isNameless: true), for: whole))
        },
    ]

    private static let addressees: [Row] = [
        Row("INF-118", "OTA-013", about: "What the node cannot open goes on", of: .repeater, afterRestart: true) {
            node in
            let payload = [try node.key()[0], Peer.bob.hash] + [UInt8](repeating: 0x55, count: 18)
            let sent = try node.one(try node.hear(AirPacket(.request, .flood, payload: payload)))
            try node.require("the path", sent.packet.path, is: [try node.key()[0]])
        },
        Row("INF-119", "OTA-033", about: "What the node can open ends here, answered or not", of: .repeater) { node in
            try node.silence(try node.sendLogin(RoleProbe.alice, "nope"))
            try node.silence(
                try node.sendLogin(RoleProbe.alice, "nope", by: .floodAlong([try node.hop(0), try node.hop(1)])))
        },
        Row("OTA-069", about: "A path whose length cannot be changes nothing and goes on", of: .repeater) { node in
            try node.admit(RoleProbe.alice)
            try node.teach(RoleProbe.alice, [0xA1])
            let wrong = RoleProbe.alice.returnedPath([], length: 0xC1, to: try node.key())
            let sent = try node.one(try node.hear(wrong))
            try node.require("the path", sent.packet.path, is: [try node.key()[0]])
            let reply = try node.one(try node.request(RoleProbe.alice, telemetry))
            try node.require("the stored path", reply.packet.path, is: [0xA1])
        },
        Row("OTA-086", about: "Group packets that their channel drops go on as they came", of: .repeater) { node in
            let time = node.nextStamp().wireBytes
            // A type that is not 0; a length beyond the data.
            let (text, data) = (time + [4] + [UInt8]("Ann: hello".utf8), [0x01, 0xFF, 200] + time)
            for (kind, plaintext) in [(.groupText, text), (.groupData, data)] as [(AirPacket.Kind, [UInt8])] {
                let packet = Channel.everyone.seal(kind, plaintext)
                let sent = try node.one(try node.hear(packet, for: whole)).packet
                try node.require("the type", sent.kind, is: kind)
                try node.require("the payload", sent.payload, is: packet.payload)
            }
        },
        Row("OTA-001", about: "A frame of another version is discarded", of: .repeater, needs: .frames) { node in
            var packet = node.alien()
            packet.version = 1
            try node.silence(try node.hear(packet))
            packet.version = 0
            try node.one(try node.hear(packet))
        },
        Row(
            "OTA-002", about: "Hash sizes of four bytes and paths of more than 64 are refused", of: .repeater,
            needs: .frames
        ) { node in
            let own = try node.key()[0]
            for (length, count, isSent) in [(0xC0, 0, false), (0x61, 66, false), (0x96, 66, false), (0x3F, 63, true)] {
                let path = [UInt8](repeating: own, count: count)
                let body = node.alien().payload
                let sent = try node.hear([0x16, UInt8(length)] + path + body)
                try node.require(
                    sent.count == (isSent ? 1 : 0), "\(isSent ? "a packet" : "silence") upon length \(length)",
                    got: NodeReply.list(sent))
            }
        },
        Row("OTA-003", about: "A frame that ends too early is refused", of: .repeater, needs: .frames) { node in
            let own = try node.key()[0]
            for frame in [[0x15], [0x14, 0x01, 0x02], [0x14, 1, 2, 3, 4], [0x16, 0x02, own]] as [[UInt8]] {
                try node.silence(try node.hear(frame))
            }
            try node.one(try node.hear(node.alien()))
        },
        Row("OTA-004", about: "184 bytes of payload are accepted, 185 are not", of: .repeater, needs: .frames) { node in
            try node.one(try node.hear(node.alien(count: 184), for: whole))
            try node.silence(try node.hear(node.alien(count: 185), for: whole))
        },
        Row("OTA-005", about: "A direct packet without payload goes on", of: .repeater, afterRestart: true) { node in
            let own = try node.key()[0]
            let sent = try node.one(try node.hear([0x0A, 0x01, own]))
            try node.require("the packet", sent.bytes, is: [0x0A, 0x00])
        },
        Row("OTA-021", about: "The oldest of the packets that were seen is forgotten", of: .repeater, needs: .time) {
            node in
            try node.type("set txdelay 0", "OK")
            let packets = (0...node.switches.seenPackets).map { _ in node.alien() }
            for packet in packets { try node.one(try node.hear(packet, for: .seconds(1))) }
            try node.silence(try node.hear(packets[1]))
            try node.one(try node.hear(packets[0]))
        },
        Row("OTA-008", about: "The type of a packet is part of what makes it another one", of: .repeater) { node in
            let packet = node.alien()
            try node.one(try node.hear(packet))
            try node.one(try node.hear(AirPacket(.groupData, .flood, payload: packet.payload)))
            try node.silence(try node.hear(packet))
        },
        Row("OTA-025", about: "Duplicates are counted by the route of the copy", of: .repeater) { node in
            try node.admit(RoleProbe.alice)
            let before = try node.answer(RoleProbe.alice, status) ?? []
            let packet = node.alien()
            try node.one(try node.hear(packet))
            try node.silence(try node.hear(packet.by(.direct)))
            try node.silence(try node.hear(packet))
            let after = try node.answer(RoleProbe.alice, status) ?? []
            for (place, route) in [(44, "direct"), (46, "flood")] {
                let counts = [before, after].map { $0.dropFirst(place).littleEndian & 0xFFFF }
                try node.require("more duplicates, \(route):", counts[1] &- counts[0], is: 1)
            }
        },
    ]

    private static func loop(
        _ count: Int, _ size: UInt8, isStopped: Bool, _ mode: String, _ node: RoleProbe
    ) throws {
        let other = try [UInt8](repeating: node.hop(0), count: Int(size))
        let own = [UInt8](try node.key().prefix(Int(size)))
        let path = (0..<count).flatMap { _ in other + own }
        let replies = try node.hear(node.alien(path: path, size: size), for: whole)
        try node.require(
            replies.count == (isStopped ? 0 : 1),
            "\(isStopped ? "silence" : "a packet") after \(count) hashes of \(size) bytes with \(mode)",
            got: NodeReply.list(replies))
    }
}
