import MeshBoards
import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice
    private static let critical = "Battery is critical!"
    private static let low = "Battery is low"

    /// Series, alerts and commands of sensors.
    static let sensors = RoleTopic("Sensor", series + alerts + lines)

    private static let extremes: UInt8 = 4
    /// From a day ago until now, with both reserved bytes zero.
    private static let day: [UInt8] = UInt32(86_400).wireBytes + UInt32(0).wireBytes + [0, 0]

    private static let series: [Row] = [
        Row("INF-094", about: "The extremes are for those who have a role", of: .sensor) { node in
            try node.admit(alice)
            let answer = try node.answer(alice, extremes, day) ?? []
            // Clock, channel, type and three numbers.
            try node.require("channel and type", [UInt8](answer.dropFirst(4).prefix(2)), is: [1, 116])
            try node.require("bytes", answer.count, is: 12)
        },
        Row("INF-095", about: "With reserved bytes that are not zero there is no series", of: .sensor) { node in
            try node.admit(alice)
            let answer = try node.answer(alice, extremes, [UInt8](day.dropLast(2)) + [1, 0]) ?? []
            try node.require("what follows the clock", answer.dropFirst(4).allSatisfy { $0 == 0 }, is: true)
            try node.require("the clock", answer.littleEndian >= node.target.clock, is: true)
        },
        Row("INF-096", about: "On a young node the minimum is 0", of: .sensor, afterRestart: true) { node in
            try node.admit(alice)
            try node.wait(.seconds(60))
            let answer = try node.answer(alice, extremes, day) ?? []
            try node.require("the minimum", [UInt8](answer.dropFirst(6).prefix(2)), is: [0, 0])
            try node.require("a maximum", [UInt8](answer.dropFirst(8).prefix(2)) != [0, 0], is: true)
        },
    ]

    private static let alerts: [Row] = [
        Row(
            "INF-180", about: "Below 3.4 V the battery is critical, below 3.6 V low", of: .sensor,
            needs: [.board, .time]
        ) {
            node in
            try node.admit(alice)
            for (millivolts, texts) in [(3610, []), (3550, [low]), (4100, []), (3300, [critical, low])]
                as [(UInt16, [String])]
            {
                try node.setBattery(millivolts: millivolts)
                let got = try received(by: alice, for: .seconds(150), node).reduce(into: [String]()) {
                    if $0.last != $1.text { $0.append($1.text) }
                }
                try node.require("alerts at \(millivolts) mV", got, is: texts)
            }
        },
        Row(
            "INF-181", about: "A high alert is tried four times, 8 s apart, with one time", of: .sensor,
            needs: [.board, .time]
        ) {
            node in
            try node.admit(alice)
            try node.setBattery(millivolts: 3300)
            let got = try received(by: alice, for: .seconds(120), node).filter { $0.text == critical }
            try node.require("attempts", got.map(\.attempt), is: [0, 1, 2, 3])
            try node.require("times", Set(got.map(\.time)).count, is: 1)
            for (a, b) in zip(got, got.dropFirst()) {
                try node.require(
                    abs(b.milliseconds - a.milliseconds - 8001) <= node.error, "8000 ms between attempts",
                    got: "\(b.milliseconds - a.milliseconds) ms")
            }
        },
        Row("INF-182", about: "A low alert is sent once, as attempt 3", of: .sensor, needs: [.board, .time]) { node in
            try node.admit(alice)
            try node.setBattery(millivolts: 3550)
            let got = try received(by: alice, for: .seconds(120), node)
            try node.require("texts", got.map(\.text), is: [low])
            try node.require("attempts", got.map(\.attempt), is: [3])
        },
        Row("INF-183", about: "An acknowledgement moves on at once", of: .sensor, needs: [.board, .time]) { node in
            try node.admit(alice)
            try node.setBattery(millivolts: 3300)
            let alert = try first(for: alice, node)
            try node.require("the text", alert.text, is: critical)
            try node.wait(.seconds(2))
            let sent = try node.hear(AirPacket(.ack, .flood, payload: alert.ack(try node.key())), for: .seconds(1))
            let next = try alerts(in: sent, for: alice, node)
            try node.require("texts", next.map(\.text), is: [low])
        },
        Row(
            "INF-184", about: "An acknowledgement in a path stops nothing, but teaches the path", of: .sensor,
            needs: [.board, .time]
        ) {
            node in
            try node.admit(alice)
            try node.setBattery(millivolts: 3300)
            let alert = try first(for: alice, node)
            try node.wait(.seconds(2))
            let path = alice.returnedPath([0x77], extra: .ack, alert.ack(try node.key()), to: try node.key())
            let next = try node.one(try node.hear(path, for: .seconds(8)))
            try node.require("attempts", try alerts(in: [next], for: alice, node).map(\.attempt), is: [1])
            try node.require("the route", next.packet.route, is: .direct)
            try node.require("the path", next.packet.path, is: [0x77])
        },
        Row(
            "INF-185", about: "An alert comes again only after a reading without its reason", of: .sensor,
            needs: [.board, .time]
        ) {
            node in
            try node.admit(alice)
            for (millivolts, seconds, count) in [(3550, 600, 1), (4100, 130, 0), (3550, 130, 1)] as [(UInt16, Int, Int)]
            {
                try node.setBattery(millivolts: millivolts)
                let got = try received(by: alice, for: .seconds(seconds), node)
                try node.require("alerts at \(millivolts) mV", got.count, is: count)
            }
        },
    ]

    private static let lines: [Row] = [
        Row("INF-186", about: "Plain text is ignored", of: .sensor) { node in
            try node.admit(alice)
            try node.silence(try node.text(alice, "get name"))
        },
        Row("INF-187", about: "A command with the time of the last is ignored", of: .sensor) { node in
            try node.admit(alice)
            let time = node.nextStamp() + 10
            try node.require("an answer", try node.command(alice, "get role", at: time), is: "> sensor")
            try node.silence(try node.text(alice, "get role", type: 1, attempt: 1, at: time))
        },
        Row("INF-188", about: "Outputs are set, reset and read", of: .sensor, needs: .builds) { node in
            for (line, answer) in [("io 5", "5"), ("io s2", "7"), ("io r1", "6"), ("io", "6")] {
                try node.type(line, answer)
            }
        },
    ]

    // MARK: Alerts

    /// The alerts among packets that a client can read.
    private static func alerts(in replies: [NodeReply], for client: Peer, _ node: RoleProbe) throws -> [SensorAlert] {
        try replies.compactMap { reply in
            guard reply.packet.kind == .text, let plaintext = try node.open(reply, by: client), plaintext.count > 5,
                plaintext[4] >> 2 == 0
            else { return nil }
            return SensorAlert(milliseconds: reply.milliseconds, plaintext: plaintext)
        }
    }

    private static func received(by client: Peer, for span: TimeSpan, _ node: RoleProbe) throws -> [SensorAlert] {
        try alerts(in: try node.listen(for: span), for: client, node)
    }

    /// The first alert for a client, within two minutes.
    private static func first(for client: Peer, _ node: RoleProbe) throws -> SensorAlert {
        for _ in 0..<240 {
            if let alert = try received(by: client, for: .milliseconds(500), node).first { return alert }
        }
        throw node.failure(expected: "an alert", got: "none in 120 s")
    }
}

/// An alert of a sensor, as a client reads it.
struct SensorAlert: Sendable {
    let milliseconds: Int64
    let plaintext: [UInt8]

    var attempt: UInt8 { plaintext[4] & 3 }
    var time: UInt32 { plaintext.littleEndian }
    private var body: [UInt8] { [UInt8](plaintext.dropFirst(5).prefix { $0 != 0 }) }
    var text: String { body.text }

    /// The value that acknowledges it; the sensor is its author.
    func ack(_ key: [UInt8]) -> [UInt8] {
        MeshHash.ackHash(plaintext: [UInt8](plaintext.prefix(5)) + body, key: PublicKey(key)).wireBytes
    }
}
