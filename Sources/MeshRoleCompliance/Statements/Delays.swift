import MeshBoards
import MeshCompliance
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

extension RoleTopic {
    /// Waits of floods, and their order.
    static let delays = RoleTopic(
        "Delays",
        [
            Row("INF-103", "OTA-035", about: "The delay is drawn from all milliseconds up to 5t", of: .repeaterAndRoom)
            {
                node in
                try node.type("set repeat on")
                // 20 bytes of payload, and one of path.
                let most = 5 * node.delayUnit(bytes: 21, factor: 0.5)
                let delays = try (0..<50).map { _ in try node.one(try node.hear(node.alien())).milliseconds }
                try uniform(delays, upTo: most, node)
            },
            Row("INF-104", about: "With txdelay 0 forwarding is immediate", of: .repeater) { node in
                try node.type("set txdelay 0", "OK")
                for _ in 0..<10 { try node.after(0, try node.one(try node.hear(node.alien()))) }
            },
            Row("INF-136", about: "The delay is a multiple of t", of: .sensor) { node in
                try node.type("set repeat on")
                let unit = node.delayUnit(bytes: 21, factor: 0.5)
                let delays = try (0..<60).map { _ in try node.one(try node.hear(node.alien())).milliseconds }
                for delay in delays {
                    let steps = (delay + unit / 2) / unit
                    guard node.error * 4 < unit else {
                        throw HiddenByBuild(reason: "needs times of an error below \(unit / 4) ms, a quarter of t")
                    }
                    try node.require(
                        abs(delay - steps * unit) <= node.error && (0...5).contains(steps),
                        "one of six multiples of \(unit) ms", got: "\(delay) ms")
                }
                let steps = Set(delays.map { ($0 + unit / 2) / unit })
                try node.require("multiples that occur", steps.sorted(), is: [0, 1, 2, 3, 4, 5])
            },
            Row(
                "INF-120", "OTA-095", about: "Of floods that are due, one with fewer hops leaves first", of: .repeater,
                needs: .air
            ) {
                node in
                try node.type("set txdelay 0", "OK")
                try node.holdChannel(true)
                let hop = try node.hop(0)
                try node.hear(node.alien(path: [hop, hop, hop, hop, hop]), for: .zero)
                try node.hear(node.alien(path: [hop]), for: .seconds(2))
                try node.holdChannel(false)
                let sent = try node.listen(for: .seconds(4))
                try node.require("hops", sent.map { $0.packet.pathLength & 63 }, is: [2, 6])
            },
            Row(
                "INF-121", "OTA-100", about: "With rxdelay 10 weak floods wait", of: .repeater, needs: .builds,
                setup: RoleSetup(board: { $0.chip = .lr1110 })
            ) { node in
                for line in ["set txdelay 0", "set rxdelay 10"] { try node.type(line, "OK") }
                let weak = try node.one(try node.hear(node.alien(count: 60), snr: -10))
                let strong = try node.one(try node.hear(node.alien(count: 60), snr: 10))
                try node.after(0, strong)
                // A score of 0.37890625 at SF10, by the estimate for 62 bytes.
                let score = 0.5 * (1 - 62.0 / 256)
                let delay = (power(10, 0.85 - score) - 1) * Double(node.airtime(bytes: 62))
                try node.after(Int64(delay), weak)
            },
            Row("INF-122", about: "rxdelay delays no direct packet", of: .repeater, needs: .air) { node in
                for line in ["set direct.txdelay 0", "set rxdelay 10"] { try node.type(line, "OK") }
                let packet = node.alien(count: 60).by(.direct, path: [try node.key()[0]])
                try node.after(0, try node.one(try node.hear(packet, snr: -10)))
            },
        ])

    /// Fails unless delays can be uniform from 0 to a largest one. A true uniform draw fails by chance less than once
    /// in ten thousand runs.
    static func uniform(_ delays: [Int64], upTo most: Int64, _ node: RoleProbe) throws {
        let range = "0 to \(most) ms"
        try node.require(
            delays.allSatisfy { (-node.error...most + node.error).contains($0) }, "delays from \(range)",
            got: "\(delays.min() ?? 0) to \(delays.max() ?? 0) ms")
        let (low, high) = (delays.count { $0 < most / 4 }, delays.count { $0 > most * 3 / 4 })
        let least = delays.count / 16
        try node.require(
            low >= least && high >= least, "delays from all of \(range)",
            got: "\(low) in the first quarter, \(high) in the last one")
        let mean = Double(delays.reduce(0, +)) / Double(delays.count)
        // Four standard errors of a uniform draw, and the error of the times.
        let bound = 4 * Double(most) / (12.0 * Double(delays.count)).squareRoot() + Double(node.error)
        try node.require(
            abs(mean - Double(most) / 2) <= bound, "a mean of \(most / 2) ms, give or take \(Int64(wholePart: bound))",
            got: "\(Int64(wholePart: mean)) ms")
    }

    /// A power of a number between 0 and 2, by squaring: exact enough for a delay in milliseconds.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        var (result, root, rest) = (1.0, base, exponent)
        for _ in 0..<52 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
            }
        }
        return result
    }
}
