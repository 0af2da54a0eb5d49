import MeshBoards
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// Adverts after boot, by timers and on command.
    static let adverts = RoleTopic(
        "Boot and adverts",
        [
            Row(
                "INF-001", about: "The first packet is a zero-hop advert 16 s after boot", needs: .freshRadio,
                setup: RoleSetup(isUntouched: true)
            ) { node in
                let advert = try node.one(try node.listen(for: .seconds(17)), "one advert")
                try node.after(16_000, advert)
                try isZeroHopAdvert(advert, node)
                let time = advert.packet.payload.dropFirst(32).prefix(4).littleEndian
                try node.require("the time of boot", time, is: 1_715_770_351)
            },
            Row(
                "INF-002", about: "An unconfigured node adverts every 120 s, without jitter", needs: .freshRadio,
                setup: RoleSetup(isUntouched: true)
            ) { node in
                let adverts = try node.listen(for: .seconds(600))
                for advert in adverts { try isZeroHopAdvert(advert, node) }
                try times(adverts, [16_000, 120_000, 240_000, 360_000, 480_000], node)
            },
            Row(
                "INF-003", about: "After the first saved setting local adverts end with one more",
                needs: .freshRadio, setup: RoleSetup(isUntouched: true)
            ) { node in
                try node.wait(.seconds(20))
                try node.type("set name X", "OK")
                try times(try node.listen(for: .seconds(340)), [100_000], node)
                try node.type("get advert.interval", "> 0")
            },
            Row(
                "INF-004", about: "Setting the radio leaves the adverts of two minutes on", needs: .freshRadio,
                setup: RoleSetup(isUntouched: true)
            ) { node in
                try node.wait(.seconds(20))
                try node.type("set radio 869.525,250,11,5", "OK - reboot to apply")
                try node.type("get advert.interval", "> 2")
                try times(try node.listen(for: .seconds(341)), [100_000, 220_000, 340_000], node)
            },
            Row("INF-005", about: "Adverts have a place, even 0, 0") { node in
                let data = try advertData(after: "advert.zerohop", node)
                try node.require("flags of place and name", data[0] & 0xF0, is: 0x90)
                try node.require("a place of", [UInt8](data.dropFirst().prefix(8)), is: [UInt8](repeating: 0, count: 8))
            },
            Row("INF-006", about: "Beside a place the name is cut to 23 bytes, between characters") { node in
                for (name, cut) in [
                    ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGHIJKLMNOPQRSTUVW"),
                    ("ABCDEFGHIJKLMNOPQRSTUV\u{E9}", "ABCDEFGHIJKLMNOPQRSTUV"),
                ] {
                    try node.type("set name \(name)", "OK")
                    let data = try advertData(after: "advert.zerohop", node)
                    try node.require("the name", data.dropFirst(9).text, is: cut)
                }
            },
            Row("INF-007", about: "Without a place the name has room for 31 bytes") { node in
                let answer = try node.type("gps advert none")
                guard answer != "Unknown command" else {
                    throw HiddenByBuild(reason: "needs a build with GPS, whose adverts can be without a place")
                }
                try node.require("an answer", answer, is: "ok")
                try node.type("set name ABCDEFGHIJKLMNOPQRSTUVWXYZ01234", "OK")
                let data = try advertData(after: "advert.zerohop", node)
                try node.require("the flag of a place", data[0] & 0x10, is: 0)
                try node.require("the name", data.dropFirst().text, is: "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234")
            },
            Row("INF-008", about: "Adverts tell the role") { node in
                let data = try advertData(after: "advert.zerohop", node)
                try node.require("the type", data[0] & 0x0F, is: node.role.rawValue)
            },
            Row("INF-009", about: "Commanded adverts leave after 1500 ms, floods in the hash size that is set") {
                node in
                try node.type("set path.hash.mode 1", "OK")
                try node.type("advert.zerohop", "OK - zerohop advert sent")
                let near = try node.one(try node.listen(for: .seconds(5)))
                try isZeroHopAdvert(near, node)
                try node.after(1500, near)
                try node.type("advert", "OK - Advert sent")
                let flood = try node.one(try node.listen(for: .seconds(5)))
                try node.after(1500, flood)
                try node.require("the route", flood.packet.route, is: .flood)
                try node.require("the path length", flood.packet.pathLength, is: 0x40)
            },
            Row("OTA-075", about: "An own advert is what key, time, role, place and name give, byte for byte") { node in
                let identity = try node.identity()
                // Places are cut to millionths of a degree, toward zero.
                for line in ["set lat 52.123456789", "set lon -4.987654321", "set name ABCDEFGHIJKLMNOPQRSTUV\u{E9}"] {
                    try node.type(line, "OK")
                }
                // The clock as it is, from which the statement began a few seconds ago.
                let (clock, start) = (node.target.clock, node.target.now)
                try node.type("advert.zerohop")
                let advert = try node.one(try node.listen(for: .seconds(5)), "one advert")
                let time = advert.packet.payload.dropFirst(32).littleEndian
                let age = Int64(time) - Int64(clock)
                let most = (advert.begin - start).milliseconds / 1000 + 30
                try node.require((0...most).contains(age), "the time of now", got: "\(age) s after the beginning")
                let place = Int32(52_123_456).wireBytes + Int32(-4_987_654).wireBytes
                let data = [0x90 | node.role.rawValue] + place + [UInt8]("ABCDEFGHIJKLMNOPQRSTUV".utf8)
                let head = identity.publicKey.array + time.wireBytes
                let payload = head + identity.sign(head + data).array + data
                try node.require("the packet", advert.bytes, is: [0x12, 0x00] + payload)
            },
            Row("INF-010", about: "Flooded adverts are scoped by the default region", of: .repeaterAndRoom) { node in
                try node.type("region default eu", " default scope is now eu")
                try node.type("advert", "OK - Advert sent")
                let advert = try node.one(try node.listen(for: .seconds(5)))
                try node.require("the route", advert.packet.route, is: .scopedFlood)
                let code = advert.packet.code(of: regionKey("eu"))
                try node.require("the codes", advert.packet.codes, is: code.wireBytes + [0, 0])
            },
            Row("INF-011", about: "Flooded adverts stay without scope", of: .sensor) { node in
                try node.type("region default eu", " default scope is now eu")
                try node.type("advert", "OK - Advert sent")
                let advert = try node.one(try node.listen(for: .seconds(5)))
                try node.require("the route", advert.packet.route, is: .flood)
            },
            Row("INF-012", about: "A flooded advert begins the local interval anew", needs: .time) { node in
                let hour = TimeSpan.seconds(3600)
                try node.type("set advert.interval 240", "OK")
                try node.type("set flood.advert.interval 3", "OK")
                let often = try node.listen(for: hour * 13)
                try node.require("routes", often.map(\.packet.route), is: [.flood, .flood, .flood, .flood])
                try node.type("set advert.interval 240", "OK")
                try node.type("set flood.advert.interval 5", "OK")
                let seldom = try node.listen(for: hour * 13)
                try node.require("routes", seldom.map(\.packet.route), is: [.direct, .flood, .direct, .flood])
            },
            Row(
                "INF-022", about: "Without a battery the clock begins on 2024-05-15", needs: .power,
                setup: RoleSetup(isUntouched: true)
            ) { node in
                try node.type("clock", "10:52 - 15/5/2024 UTC")
                try node.type("time 1767225600")
                try node.cyclePower()
                try node.type("clock", "10:52 - 15/5/2024 UTC")
            },
        ])

    /// The key of a public region.
    static func regionKey(_ name: String) -> [UInt8] { MeshHash.regionKey(name: [UInt8](name.utf8)).array }

    private static func isZeroHopAdvert(_ reply: NodeReply, _ node: RoleProbe) throws {
        let packet = reply.packet
        try node.require(
            packet.kind == .advert && packet.route == .direct && packet.pathLength == 0, "a zero-hop advert",
            got: "\(packet.kind) as \(packet.route)")
    }

    /// The application data of the advert that a command sends.
    private static func advertData(after command: String, _ node: RoleProbe) throws -> [UInt8] {
        try node.type(command)
        let advert = try node.one(try node.listen(for: .seconds(5)), "one advert")
        let data = [UInt8](advert.packet.payload.dropFirst(100))
        try node.require(data.count >= 9, "an advert with application data", got: "\(data.count) bytes of it")
        return data
    }

    /// The times of timers: a pass of the loop may be late by some milliseconds.
    private static func times(_ replies: [NodeReply], _ expected: [Int64], _ node: RoleProbe) throws {
        let isKept =
            replies.count == expected.count
            && zip(replies, expected).allSatisfy { abs($0.milliseconds - $1) <= 20 + node.error }
        try node.require(isKept, "packets after \(expected) ms", got: NodeReply.list(replies))
    }
}
