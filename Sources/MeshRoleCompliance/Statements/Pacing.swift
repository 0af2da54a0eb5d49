import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// The limits of what a node sends, and its counters.
    static let pacing = RoleTopic(
        "Pacing and counters",
        [
            Row(
                "INF-213", "OTA-096", about: "A busy channel is tried again, and talked over after 4 s", of: .repeater,
                needs: .air
            ) {
                node in
                for _ in 0..<6 {
                    try node.type("advert.zerohop")
                    try node.wait(.milliseconds(1400))
                    try node.holdChannel(true)
                    try node.silence(try node.listen(for: .milliseconds(200)))
                    try node.holdChannel(false)
                    let sent = try node.one(try node.listen(for: .seconds(2)))
                    // The first try came 100 ms before the channel was free.
                    let pause = sent.milliseconds + 100
                    try node.require(
                        [120, 240, 360].contains { abs(pause - $0) <= node.error }, "a pause of 120, 240 or 360 ms",
                        got: "\(pause) ms")
                }
                try node.type("advert.zerohop")
                try node.wait(.milliseconds(1400))
                try node.holdChannel(true)
                let sent = try node.one(try node.listen(for: .seconds(8)))
                try node.holdChannel(false)
                try node.require(
                    (4100 - node.error...4462 + node.error).contains(sent.milliseconds),
                    "a packet 4000 to 4362 ms after the first try", got: "\(sent.milliseconds - 100) ms")
                try node.admit(RoleProbe.alice)
                let answer = try node.answer(RoleProbe.alice, status) ?? []
                try node.require("error flags", [UInt8](answer.dropFirst(40).prefix(2)), is: [2, 0])
            },
            Row("INF-211", about: "With af 9 a node settles at a tenth of the time", of: .repeater, needs: .time) {
                node in
                for line in ["set txdelay 0", "set af 9"] { try node.type(line, "OK") }
                var (early, late): (Int64, Int64) = (0, 0)
                let start = node.target.now
                var passed = TimeSpan.zero
                while passed < .seconds(1800) {
                    for sent in try node.hear(node.alien(count: 60), for: .seconds(1)) {
                        let length = node.airtime(bytes: sent.bytes.count)
                        if passed < .seconds(300) { early += length }
                        if passed >= .seconds(1200) { late += length }
                    }
                    passed = node.target.now - start
                }
                // Nine of ten packets that came in the first 300 s.
                let least = 270 * node.airtime(bytes: 63)
                try node.require(early > least, "more than \(least) ms sent of the first 300 s", got: "\(early) ms")
                try node.require(
                    (57_000...63_000).contains(late), "57 to 63 s sent of the last 600", got: "\(late / 1000) s")
            },
            Row(
                "INF-212", "OTA-097", about: "Nothing is sent with less budget than half of the longest packet",
                of: .repeater, needs: .time
            ) { node in
                for line in ["set txdelay 0", "set af 9"] { try node.type(line, "OK") }
                var sent: [NodeReply] = []
                let start = node.target.now
                while node.target.now - start < .seconds(1500) {
                    sent += try node.hear(node.alien(count: 153), for: .seconds(1))
                }
                let lowest = lowestBudget(sent, since: start, node)
                let least = Double(node.airtime(bytes: 255) / 2)
                try node.require(
                    (least - 5...least + 25).contains(lowest),
                    "transmissions from a budget of \(Int64(wholePart: least)) ms on",
                    got: "one at \(Int64(wholePart: lowest)) ms")
            },
            Row("OTA-099", about: "While a node sends it receives nothing", of: .repeater, needs: .air) { node in
                try node.type("advert", "OK - Advert sent")
                // It leaves after 1500 ms, and takes several hundred.
                try node.one(try node.listen(for: .milliseconds(1600)))
                let packet = node.alien()
                try node.silence(try node.hear(packet.bytes, for: .seconds(9), isWaiting: false))
                try node.one(try node.hear(packet))
            },
            Row(
                "OTA-098", about: "A transmission that does not end is given up, and counts as none", of: .repeater,
                needs: .board
            ) { node in
                try node.admit(RoleProbe.alice)
                let before = try node.answer(RoleProbe.alice, status) ?? []
                try node.holdTransmitter(true)
                for line in ["advert.zerohop", "advert.zerohop", "advert"] { try node.type(line) }
                let sent = try node.listen(for: .seconds(20))
                try node.require("routes", sent.map(\.packet.route), is: [.direct, .direct, .flood])
                for (one, next) in zip(sent, sent.dropFirst()) {
                    // It is given up a millisecond after its time.
                    let wanted = node.airtime(bytes: one.bytes.count) * 3 / 2 + 1
                    let gap = (next.begin - one.begin).milliseconds
                    try node.require(
                        abs(gap - wanted) <= node.error, "the next transmission after \(wanted) ms", got: "\(gap) ms")
                }
                try node.holdTransmitter(false)
                let after = try node.answer(RoleProbe.alice, status) ?? []
                // The answer before was sent after it was written.
                let counts = [before, after].map { $0.dropFirst(12).littleEndian }
                try node.require("packets sent:", counts[1] &- counts[0], is: 1)
                let airtimes = [before, after].map { $0.dropFirst(16).littleEndian }
                let seconds = airtimes[1] &- airtimes[0]
                try node.require(seconds <= 1, "a second of airtime at most", got: "\(seconds) s")
            },
            Row(
                "OTA-101", about: "A lack of packets when sending sets error bit 0, one on reception does not",
                of: .repeater, needs: .air
            ) {
                node in
                try node.admit(RoleProbe.alice)
                for (isSending, flags) in [(false, 0), (true, 1)] as [(Bool, UInt8)] {
                    // Nothing leaves meanwhile, and the pool has 32 packets.
                    try node.holdChannel(true)
                    for _ in 0..<60 { try node.hear(node.alien(), for: .zero) }
                    if isSending { try node.type("advert.zerohop") }
                    try node.holdChannel(false)
                    try node.wait(.seconds(120))
                    let answer = try node.answer(RoleProbe.alice, status) ?? []
                    try node.require("error flags", [UInt8](answer.dropFirst(40).prefix(2)), is: [flags, 0])
                }
            },
            Row("INF-215", about: "clear stats resets the counters, and neither airtime nor uptime", of: .repeater) {
                node in
                try node.admit(RoleProbe.alice)
                try node.one(try node.hear(node.alien()))
                try node.type("clear stats", "(OK - stats reset)")
                let answer = try node.answer(RoleProbe.alice, status) ?? []
                // The request itself is received before it is answered.
                try node.require("packets received", answer.dropFirst(8).littleEndian, is: 1)
                try node.require("packets sent", answer.dropFirst(12).littleEndian, is: 0)
                try node.require("received by flood", answer.dropFirst(32).littleEndian, is: 0)
                try node.require("uptime", answer.dropFirst(20).littleEndian >= 20, is: true)
            },
        ])

    /// The smallest budget at which a node with an airtime factor of 9 has sent, in milliseconds, once it was empty.
    private static func lowestBudget(_ sent: [NodeReply], since start: Instant, _ node: RoleProbe) -> Double {
        let most = 360_000.0
        var (budget, time, lowest, wasEmpty) = (most, start, Double.infinity, false)
        for reply in sent {
            budget = min(most, budget + Double((reply.begin - time).microseconds) / 10_000)
            if wasEmpty { lowest = min(lowest, budget) }
            // What is earned while sending counts as well.
            let length = node.onAir(bytes: reply.bytes.count)
            budget = max(0, budget - Double(length.microseconds) * 0.9 / 1000)
            wasEmpty = wasEmpty || budget == 0
            time = reply.begin + length
        }
        return lowest
    }
}
