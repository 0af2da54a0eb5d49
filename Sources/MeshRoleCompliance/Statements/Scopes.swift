import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice

    /// In which region answers are flooded.
    static let scopes = RoleTopic(
        "Scope of replies",
        [
            Row("INF-097", "OTA-089", about: "What came in a region is answered in it", of: .repeaterAndRoom) { node in
                try regions(node)
                for replies in [
                    try node.sendLogin(alice, by: .scoped(regionKey("eu"))),
                    try node.request(alice, status, by: .scoped(regionKey("eu"))),
                ] {
                    try node.require("the scope", try scope(node.one(replies)), is: "eu")
                }
            },
            Row("INF-098", about: "A flood without scope is answered without one", of: .repeaterAndRoom) { node in
                try regions(node)
                try node.require("the scope", try scope(node.one(try node.sendLogin(alice))), is: "none")
            },
            Row("INF-099", about: "Everything else is answered in the default region", of: .repeaterAndRoom) { node in
                try regions(node)
                let unknown = try node.one(try node.sendLogin(alice, by: .scoped(regionKey("nowhere"))))
                try node.require("the scope after an unknown one", try scope(unknown), is: "uk")
                let direct = try node.one(try node.request(alice, status))
                try node.require("the scope after a direct request", try scope(direct), is: "uk")
                try node.type("region denyf *", "OK")
                let denied = try node.one(try node.request(alice, status, by: .flood))
                try node.require("the scope after a denied flood", try scope(denied), is: "uk")
            },
            Row("INF-100", about: "Names with and without # have one key", of: .repeater) { node in
                try node.putRegion("#eu")
                var packet = node.alien().scoped(regionKey("eu"))
                try node.one(try node.hear(packet))
                try node.type("region remove eu", "OK")
                try node.putRegion("eu")
                packet = node.alien().scoped(regionKey("#eu"))
                try node.one(try node.hear(packet))
            },
            Row("INF-101", "OTA-088", about: "The codes 0 and FFFF are 1 and FFFE", of: .repeater, afterRestart: true) {
                node in
                try node.putRegion("eu")
                // Payloads whose digests begin with 0000 and FFFF.
                for (start, code) in [([0x62, 0xF4], 1), ([0xEE, 0x6C, 0x01], 0xFFFE)] as [([UInt8], UInt16)] {
                    let payload = start + [UInt8](repeating: 0, count: 12 - start.count)
                    var packet = AirPacket(.groupText, .scopedFlood, payload: payload)
                    packet.codes = code.wireBytes + [0, 0]
                    try node.one(try node.hear(packet))
                }
            },
        ])

    /// A node that knows the region eu, and has uk for its default.
    private static func regions(_ node: RoleProbe) throws {
        try node.putRegion("eu")
        try node.type("region default uk", " default scope is now uk")
    }

    /// The region that a packet is scoped by; its second code must be 0.
    private static func scope(_ reply: NodeReply) throws -> String {
        let packet = reply.packet
        guard packet.route == .scopedFlood else { return packet.route == .flood ? "none" : "\(packet.route)" }
        guard packet.codes.suffix(2) == [0, 0] else { return "a second code" }
        let code = [UInt8](packet.codes.prefix(2))
        return ["eu", "uk"].first { packet.code(of: regionKey($0)).wireBytes == code } ?? "unknown"
    }
}
