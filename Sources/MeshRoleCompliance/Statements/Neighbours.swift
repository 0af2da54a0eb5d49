import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    private static let alice = RoleProbe.alice

    /// Neighbours of a repeater, and discovery.
    static let neighbours = RoleTopic("Neighbours and discovery", table + lists + discovery)

    private static let table: [Row] = [
        Row(
            "INF-138", about: "A repeater heard directly is entered with its SNR in quarters", of: .repeater,
            needs: .air, afterRestart: true
        ) { node in
            try node.hear(advert(1, node), snr: -7.25)
            let text = try node.type("neighbors")
            try node.require(text.hasPrefix(name(1)) && text.hasSuffix(":-29"), "\(name(1)):…:-29", got: text)
        },
        Row(
            "INF-139", about: "Other types, adverts with hops and shared ones are not entered", of: .repeater,
            afterRestart: true
        ) { node in
            try node.hear(Peer(number: 2).advert(node.nextStamp(), type: 3))
            try node.hear(advert(3, node).by(.flood, path: [try node.hop(0)]))
            try node.hear(advert(4, node).by(.scopedDirect))
            try node.type("neighbors", "-none-")
        },
        Row("OTA-079", about: "A shared repeater is no neighbour", of: .repeater, afterRestart: true) { node in
            let shared = advert(5, node).by(.scopedDirect)
            try node.require("the codes", shared.codes, is: [0, 0, 0, 0])
            try node.hear(shared)
            try node.type("neighbors", "-none-")
            try node.hear(advert(5, node).by(.direct))
            try node.require("a neighbour", try node.type("neighbors") != "-none-", is: true)
        },
        Row(
            "INF-140", about: "A full table gives up the neighbour who was silent for longest", of: .repeater,
            needs: .time
        ) {
            node in
            try node.type("set repeat off")
            for number in 0..<51 { try node.hear(advert(number, node), for: .seconds(2)) }
            try node.admit(alice)
            let answer = try node.answer(alice, neighbourList, list(count: 1, order: 1, prefix: 32)) ?? []
            try node.require("neighbours", [UInt8](answer.prefix(2)), is: [50, 0])
            try node.require("the oldest", [UInt8](answer.dropFirst(4).prefix(32)), is: Peer(number: 1).key)
        },
        Row("INF-141", about: "Neighbours are listed newest first", of: .repeater, afterRestart: true) { node in
            try node.type("neighbors", "-none-")
            for number in 1...3 { try node.hear(advert(number, node), snr: Double(number)) }
            let lines = try node.type("neighbors").split(separator: "\n").map(String.init)
            try node.require("keys", lines.map { String($0.prefix(8)) }, is: [name(3), name(2), name(1)])
            guard node.setsSignals else { return }
            try node.require(
                "SNRs", lines.map { $0.split(separator: ":").last.map(String.init) }, is: ["12", "8", "4"])
        },
        Row(
            "INF-142", about: "Removing without a key clears the table, and a space is no key", of: .repeater,
            afterRestart: true
        ) { node in
            for number in 1...3 { try node.hear(advert(number, node)) }
            try node.type("neighbor.remove \(name(1).lowercased())", "OK")
            try node.require("neighbours", try neighbourCount(node), is: 2)
            try node.type("neighbor.remove  ", "ERR: bad pubkey")
            try node.require("neighbours", try neighbourCount(node), is: 2)
            try node.type("neighbor.remove ", "OK")
            try node.type("neighbors", "-none-")
        },
    ]

    private static let lists: [Row] = [
        Row("INF-088", about: "A request for neighbours of another version is met with silence", of: .repeater) {
            node in
            try node.hear(advert(1, node))
            try node.admit(alice)
            try node.silence(try node.request(alice, neighbourList, list(version: 1)))
            try node.require("an answer", try node.answer(alice, neighbourList, list()) != nil, is: true)
        },
        Row(
            "INF-089", about: "Neighbours are sorted by age or strength", of: .repeater, needs: .air, afterRestart: true
        ) { node in
            for (number, snr) in [(1, -3), (2, 8), (3, 2)] { try node.hear(advert(number, node), snr: Double(snr)) }
            try node.admit(alice)
            let firsts = (1...3).map { Peer(number: $0).key[0] }
            for (order, places) in [(0, [2, 1, 0]), (1, [0, 1, 2]), (2, [1, 2, 0]), (3, [0, 2, 1])] as [(UInt8, [Int])]
            {
                let answer = try node.answer(alice, neighbourList, list(order: order, prefix: 1)) ?? []
                let keys = (0..<3).compactMap { answer.dropFirst(4 + 6 * $0).first }
                try node.require("keys in order \(order)", keys, is: places.map { firsts[$0] })
            }
        },
        Row("INF-090", about: "The total is that of all, and 130 bytes are returned", of: .repeater, needs: .time) {
            node in
            try node.type("set repeat off")
            for number in 0..<14 { try node.hear(advert(number, node), for: .seconds(1)) }
            try node.admit(alice)
            for (count, offset, prefix, returned) in [
                (255, 0, 8, 10), (255, 0, 4, 14), (5, 0, 4, 5), (255, 12, 4, 2), (255, 200, 4, 0),
            ] as [(UInt8, UInt16, UInt8, UInt16)] {
                let request = list(count: count, offset: offset, prefix: prefix)
                let answer = try node.answer(alice, neighbourList, request) ?? []
                try node.require("total and count", [UInt8](answer.prefix(4)), is: [14, 0] + returned.wireBytes)
            }
        },
        Row(
            "INF-091", about: "A prefix above 32 counts as 32, and one of 0 leaves five bytes an entry", of: .repeater,
            afterRestart: true
        ) { node in
            for number in 1...2 { try node.hear(advert(number, node)) }
            try node.admit(alice)
            let whole = try node.answer(alice, neighbourList, list(order: 1, prefix: 40)) ?? []
            try node.require("the second key", [UInt8](whole.dropFirst(4 + 37).prefix(32)), is: Peer(number: 2).key)
            let none = try node.answer(alice, neighbourList, list(order: 1, prefix: 0)) ?? []
            try node.require("count", [UInt8](none.prefix(4)), is: [2, 0, 2, 0])
            let reported = none.dropFirst(4 + 9).first
            try node.require("the second SNR", reported, is: node.quarters(10, reported: reported))
        },
    ]

    private static let discovery: [Row] = [
        Row(
            "INF-143", about: "Who looks for repeaters gets the SNR, the tag and the key", of: .repeater,
            afterRestart: true
        ) { node in
            try answers(to: search(0x0BAD_F00D, filter: 4), with: 0x92, try node.key(), node)
            try node.silence(try node.hear(search(0x0BAD_F00F, filter: 0xFB), for: whole))
        },
        Row(
            "INF-144", about: "Eight bytes of the key are enough where they are asked for", of: .repeater,
            afterRestart: true
        ) { node in
            let key = [UInt8](try node.key().prefix(8))
            try answers(to: search(0x0BAD_F00D, filter: 4, isShort: true), with: 0x92, key, node)
        },
        Row(
            "INF-145", "OTA-091", about: "Four searches in 120 s count, those for others too", of: .repeater,
            afterRestart: true
        ) { node in
            try node.silence(try node.hear(search(1, filter: 8), for: .seconds(5)))
            let answers = try (2...6).map { try node.hear(search($0), snr: -3.3, for: .seconds(5)) }
            try node.require("answers", answers.map(\.count), is: [1, 1, 1, 0, 0])
            let snr = answers[0][0].packet.payload[1]
            try node.require("the SNR", snr, is: node.quarters(-3.3, reported: snr))
            try node.require("the route", answers[0][0].bytes.first, is: 0x2E)
            try node.wait(.seconds(92))
            try node.one(try node.hear(search(7), for: .seconds(5)))
        },
        Row(
            "INF-146", about: "Who asks for news is answered once the regions were saved", of: .repeater,
            afterRestart: true
        ) { node in
            let since = node.target.clock &+ 1
            try node.silence(try node.hear(search(1, since: since), for: .seconds(5)))
            try node.one(try node.hear(search(2, since: 0), for: .seconds(5)))
            try node.type("region save", "OK")
            try node.one(try node.hear(search(3, since: since), for: .seconds(5)))
            try node.silence(try node.hear(search(4, since: 0xFFFF_FFF0), for: .seconds(5)))
        },
        Row(
            "INF-147", about: "A repeater that does not repeat is not found, and counts nothing", of: .repeater,
            afterRestart: true
        ) { node in
            try node.type("set repeat off", "OK - repeat is now OFF")
            for tag in 1...4 as ClosedRange<UInt32> { try node.silence(try node.hear(search(tag), for: .seconds(5))) }
            try node.type("set repeat on", "OK - repeat is now ON")
            let answers = try (5...9).map { try node.hear(search($0), for: .seconds(5)).count }
            try node.require("answers", answers, is: [1, 1, 1, 1, 0])
        },
        Row("INF-148", about: "A search with a path or by flood is met with silence") { node in
            let packet = search(1)
            try node.silence(try node.hear(packet.by(.direct, path: [try node.key()[0]]), for: .seconds(5)))
            try node.silence(try node.hear(packet.by(.flood), for: .seconds(5)))
        },
        Row("INF-149", about: "The answer waits four times as long as a flood would", of: .repeater, needs: .time) {
            node in
            var delays: [Int64] = []
            for round in 0..<10 as Range<UInt32> {
                for tag in 1...4 as ClosedRange<UInt32> {
                    delays.append(try node.one(try node.hear(search(round * 4 + tag), for: whole)).milliseconds)
                }
                try node.wait(.seconds(120))
            }
            let unit = node.delayUnit(bytes: 38, factor: 0.5)
            try uniform(delays, upTo: 20 * unit, node)
        },
        Row("INF-150", about: "A sensor is found always, and without repeating", of: .sensor, afterRestart: true) {
            node in
            try node.type("get repeat", "> off")
            for tag in 1...6 as ClosedRange<UInt32> {
                let sent = try node.one(try node.hear(search(tag, filter: 0x10), for: .seconds(5)))
                try node.require("the first byte", sent.packet.payload.first, is: 0x94)
            }
        },
        Row("INF-151", about: "A room is not found", of: .room) { node in
            try node.type("set repeat on")
            try node.silence(try node.hear(search(1), for: whole))
        },
        Row(
            "INF-152", about: "A search of its own goes out at once, and answers count for 60 s", of: .repeater,
            afterRestart: true
        ) { node in
            try node.type("discover.neighbors x", "Err - discover.neighbors has no options")
            try node.type("discover.neighbors", "OK - Discover sent")
            let sent = try node.one(try node.listen(for: .seconds(1)))
            try node.after(0, sent)
            try node.require("route and path", [UInt8](sent.bytes.prefix(2)), is: [0x2E, 0])
            let tag = [UInt8](sent.packet.payload.dropFirst(2).prefix(4))
            try node.require("the payload", sent.packet.payload, is: [0x80, 4] + tag + [0, 0, 0, 0])
            try node.hear(found(1, tag: [tag[0] ^ 1] + tag.dropFirst()))
            try node.hear(found(2, tag: tag, count: 8))
            try node.type("neighbors", "-none-")
            try node.hear(found(3, tag: tag), snr: -2.5)
            let text = try node.type("neighbors")
            let snr = node.setsSignals ? ":-10" : ""
            try node.require(text.hasPrefix(name(3)) && text.hasSuffix(snr), "\(name(3)):…\(snr)", got: text)
            try node.wait(.seconds(60))
            try node.hear(found(4, tag: tag))
            try node.require("neighbours", try neighbourCount(node), is: 1)
        },
    ]

    /// The number of neighbours that the console lists.
    private static func neighbourCount(_ node: RoleProbe) throws -> Int {
        let text = try node.type("neighbors")
        return text.split(separator: "\n").count
    }

    // MARK: Packets

    /// The advert of a repeater, another one for each number.
    private static func advert(_ number: Int, _ node: RoleProbe) -> AirPacket {
        Peer(number: number).advert(node.nextStamp(), type: 2)
    }

    /// The first four bytes of a numbered key as a list has them.
    private static func name(_ number: Int) -> String { Peer(number: number).key.prefix(4).hex.uppercased() }

    private static func list(
        version: UInt8 = 0, count: UInt8 = 255, offset: UInt16 = 0, order: UInt8 = 0, prefix: UInt8 = 4
    ) -> [UInt8] {
        [version, count] + offset.wireBytes + [order, prefix, 1, 2, 3, 4]
    }

    private static func search(
        _ tag: UInt32, filter: UInt8 = 0xFF, since: UInt32? = nil, isShort: Bool = false
    ) -> AirPacket {
        let payload = [0x80 | (isShort ? 1 : 0), filter] + tag.wireBytes + (since?.wireBytes ?? [])
        return AirPacket(.control, .direct, payload: payload)
    }

    /// The answer of another repeater to a search.
    private static func found(_ number: Int, tag: some Sequence<UInt8>, count: Int = 32) -> AirPacket {
        AirPacket(.control, .direct, payload: [0x92, 20] + tag + Peer(number: number).key.prefix(count))
    }

    private static func answers(
        to packet: AirPacket, with code: UInt8, _ key: [UInt8], _ node: RoleProbe
    ) throws {
        let sent = try node.one(try node.hear(packet, snr: -7.5, for: whole))
        let quarters = node.quarters(-7.5, reported: sent.packet.payload.dropFirst().first)
        let payload = [code, quarters] + packet.payload.dropFirst(2).prefix(4) + key
        try node.require("the packet", sent.bytes, is: [0x2E, 0x00] + payload)
    }
}
