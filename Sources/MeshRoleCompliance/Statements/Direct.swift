import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// Direct packets and acknowledgements on their way.
    static let direct = RoleTopic("Direct forwarding", packets + acknowledgements)

    private static let packets: [Row] = [
        Row("INF-123", "OTA-040", about: "The next hop sends a packet on without its own hash", of: .repeater) { node in
            let (key, other, third) = (try node.key(), try node.hop(0), try node.hop(1))
            let packet = node.alien().by(.direct, path: [key[0], other, third])
            let sent = try node.one(try node.hear(packet)).packet
            try node.require("the path", sent.path, is: [other, third])
            try node.require("the payload", sent.payload, is: packet.payload)
            try node.silence(try node.hear(node.alien().by(.direct, path: [other, key[0]])))
        },
        Row("OTA-041", about: "Hashes of several bytes match as a whole", of: .repeater) { node in
            let (key, other) = (try node.key(), try node.hop(0))
            let own = node.alien().by(.direct, path: [key[0], key[1], other, other], hashSize: 2)
            try node.require("the path", try node.one(try node.hear(own)).packet.path, is: [other, other])
            let near = node.alien().by(.direct, path: [key[0], key[1] &+ 1, other, other], hashSize: 2)
            try node.silence(try node.hear(near))
        },
        Row("INF-124", about: "The last hop leaves no hash, and the size as it was", of: .repeater) { node in
            let key = try node.key()
            let packet = node.alien().by(.direct, path: [key[0], key[1]], hashSize: 2)
            let sent = try node.one(try node.hear(packet))
            try node.require("the packet", sent.bytes, is: [0x16, 0x40] + packet.payload)
        },
        Row(
            "INF-125", about: "Codes of direct packets stay, but for acknowledgements", of: .repeater,
            afterRestart: true
        ) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            var packet = node.alien().by(.scopedDirect, path: [own, other])
            packet.codes = [0x11, 0x11, 0x22, 0x22]
            let sent = try node.one(try node.hear(packet)).packet
            try node.require("the route", sent.route, is: .scopedDirect)
            try node.require("the codes", sent.codes, is: packet.codes)
            let ack = try node.one(try node.hear([0x0F, 1, 0, 2, 0, 2, own, other, 0x5C, 0xB9, 0xA7, 0xE9]))
            try node.require("the acknowledgement", ack.bytes, is: [0x0E, 1, other, 0x5C, 0xB9, 0xA7, 0xE9])
        },
        Row("OTA-023", about: "A packet for another next hop is not remembered", of: .repeater) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            let packet = node.alien()
            try node.silence(try node.hear(packet.by(.direct, path: [other, own])))
            let sent = try node.one(try node.hear(packet.by(.direct, path: [own, other])))
            try node.require("the path", sent.packet.path, is: [other])
        },
        Row("OTA-046", about: "Reserved types and raw packets go on along a path", of: .repeater) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            for kind in [.reserved12, .reserved13, .reserved14, .raw] as [AirPacket.Kind] {
                let packet = node.alien(kind)
                let sent = try node.one(try node.hear(packet.by(.direct, path: [own, other])))
                try node.require("the packet", sent.bytes, is: packet.by(.direct, path: [other]).bytes)
            }
        },
        Row("OTA-047", about: "Control packets with a path and the top bit are dropped", of: .repeater) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            var packet = node.alien(.control)
            packet.payload[0] = 0x91
            try node.silence(try node.hear(packet.by(.direct, path: [own, other])))
            packet.payload[0] = 0x11
            try node.one(try node.hear(packet.by(.direct, path: [own, other])))
        },
    ]

    private static let acknowledgements: [Row] = [
        Row(
            "INF-126", "OTA-042", about: "A direct acknowledgement goes on at once and whole", of: .repeater,
            afterRestart: true
        ) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            let ack: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66]
            let sent = try node.one(try node.hear([0x0E, 2, own, other] + ack))
            try node.require("the packet", sent.bytes, is: [0x0E, 1, other] + kept(ack, node))
            try node.after(0, sent)
        },
        Row(
            "INF-127", "OTA-043", about: "With multi.acks a copy goes before the acknowledgement", of: .repeater,
            afterRestart: true
        ) { node in
            try node.type("set multi.acks 1", "OK")
            let (own, other) = (try node.key()[0], try node.hop(0))
            let sent = try node.hear([0x0E, 2, own, other, 0x11, 0x22, 0x33, 0x44], for: .seconds(5))
            try node.require(
                "packets", sent.map(\.bytes),
                is: [[0x2A, 1, other, 0x13, 0x11, 0x22, 0x33, 0x44], [0x0E, 1, other, 0x11, 0x22, 0x33, 0x44]])
            let most = 300 + 5 * node.delayUnit(bytes: 6, factor: 0.3)
            try node.require(
                (300 - node.error...most + node.error).contains(sent[0].milliseconds), "a copy after 300 to \(most) ms",
                got: "after \(sent[0].milliseconds) ms")
        },
        Row(
            "INF-128", "OTA-044", about: "A copy becomes an acknowledgement that waits for those to come",
            of: .repeater, afterRestart: true
        ) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            for (number, head) in [0x13, 0x23, 0x03].enumerated() as EnumeratedSequence<[UInt8]> {
                let ack: [UInt8] = [0x94, 0x7F, 0x98, UInt8(number)]
                let sent = try node.one(try node.hear([0x2A, 2, own, other, head] + ack))
                try node.require("the packet", sent.bytes, is: [0x0E, 1, other] + ack)
                try node.after((Int64(head >> 4) + 1) * 300, sent)
                try node.silence(try node.hear([0x2A, 2, own, other, head ^ 0x40] + ack))
            }
        },
        Row(
            "INF-129", about: "The acknowledgement behind its copy is forwarded as well", of: .repeater,
            afterRestart: true
        ) { node in
            let (own, other) = (try node.key()[0], try node.hop(0))
            let ack: [UInt8] = [0x94, 0x7F, 0x98, 0xF9]
            try node.hear([0x2A, 2, own, other, 0x13] + ack, for: .zero)
            let sent = try node.hear([0x0E, 2, own, other] + ack)
            let packet = [0x0E, 1, other] + ack
            try node.require("packets", sent.map(\.bytes), is: [packet, packet])
        },
    ]

    /// The bytes of an acknowledgement that a relay of the version passes on.
    private static func kept(_ ack: [UInt8], _ node: RoleProbe) -> [UInt8] {
        node.switches.relaysWholeAcks ? ack : [UInt8](ack.prefix(4))
    }
}
