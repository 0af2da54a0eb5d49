import MeshWire

/// The definitions of `meshbed-observed/1`, applied to a log. Names are those of the observation's metrics.
///
/// First, longest and all copies are different quantities and are never mixed.
struct FloodMetrics: Sendable {
    /// A flood counts with at least so many receptions: 20 of about 27 observers, scaled to those of the world.
    static func leastReceptions(observers: Int) -> Int {
        max(2, Int(nearest: 20.0 * Double(observers) / 27))
    }

    /// Pairs of origin and observer count with at least so many adverts.
    static let leastAdverts = 5

    /// Values by the name of their metric.
    private(set) var values: [String: [Double]] = [:]

    /// One flood: its receptions in the order of time.
    private struct Flood {
        let packet: Int
        let receptions: [FloodLog.Reception]
        /// In ascending order of observers.
        let observers: [(observer: Int, copies: [FloodLog.Reception])]

        init(_ packet: Int, _ receptions: [FloodLog.Reception]) {
            self.packet = packet
            self.receptions = receptions.sorted { ($0.time, $0.hops) < ($1.time, $1.hops) }
            observers = Dictionary(grouping: self.receptions, by: \.observer).sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) }
        }

        var longest: Int { receptions.map(\.hops).max() ?? 0 }
    }

    /// - Parameters:
    ///   - origins: nodes whose adverts are measured one by one; of all packets only the longest copy is.
    ///   - least: see `leastReceptions`.
    init(_ log: FloodLog, origins: Set<Int>, least: Int) {
        let groups = Dictionary(grouping: log.receptions, by: \.packet).sorted { $0.key < $1.key }
        let all = groups.map { Flood($0.key, $0.value) }
        for flood in all {
            if flood.longest > 0 { add("hops.longest", Double(flood.longest)) }
            add("receptionsPerPacket", Double(flood.receptions.count))
        }
        add("snr.receptions", log.receptions.map(\.snr))
        // Origins may send background too, which is not measured.
        let measured = all.filter { log.packets[$0.packet].isAdvert && origins.contains(log.packets[$0.packet].origin) }
        let full = measured.filter { $0.receptions.count >= least }
        add("floods.complete", measured.isEmpty ? [] : [Double(full.count) / Double(measured.count)])
        for flood in full { measure(flood) }
        sameOrigin(full, log)
        load(all)
    }

    private mutating func add(_ name: String, _ more: [Double]) { values[name, default: []] += more }
    private mutating func add(_ name: String, _ value: Double) { values[name, default: []].append(value) }

    private mutating func measure(_ flood: Flood) {
        let firsts = flood.observers.compactMap(\.copies.first)
        let start = flood.receptions.first?.time ?? 0
        add("hops.allReceptions", flood.receptions.map { Double($0.hops) })
        add("hops.firstPerObserver", firsts.map { Double($0.hops) })
        add("hops.longestOfFull", Double(flood.longest))
        if let median = try? Sample(firsts.map { Double($0.hops) }).quantile(0.5), median > 0 {
            add("hops.longestOverFirst", Double(flood.longest) / median)
        }
        for (_, copies) in flood.observers {
            let fewest = copies.map(\.hops).min() ?? 0
            let first = copies.first?.hops ?? 0
            if fewest > 0 { add("stretch.samePacket", Double(first) / Double(fewest)) }
            if fewest == 0, first == 0 { add("stretch.samePacket", 1) }
            add("copiesPerObserver", Double(copies.count))
            add("observerSpreadSeconds", (copies.last?.time ?? 0) - (copies.first?.time ?? 0))
        }
        add("observersPerPacket", Double(flood.observers.count))
        add("receptionsPerPacket.full", Double(flood.receptions.count))
        add("floodSpreadSeconds", (flood.receptions.last?.time ?? start) - start)
        add("firstArrivalSeconds", firsts.map { $0.time - start })
        if let slope = Self.slope(flood.receptions) { add("secondsPerHop", slope) }
        gaps(flood)
    }

    /// The least-squares slope of the earliest reception of each path length, in seconds per hop; nil for one length.
    private static func slope(_ receptions: [FloodLog.Reception]) -> Double? {
        var earliest: [Int: Double] = [:]
        for each in receptions { earliest[each.hops] = min(earliest[each.hops] ?? .infinity, each.time) }
        let points = earliest.sorted { $0.key < $1.key }
        let count = Double(points.count)
        let meanHops = points.reduce(0) { $0 + Double($1.key) } / count
        let meanTime = points.reduce(0) { $0 + $1.value } / count
        let square = points.reduce(0) { $0 + (Double($1.key) - meanHops) * (Double($1.key) - meanHops) }
        guard square > 0 else { return nil }
        return points.reduce(0) { $0 + (Double($1.key) - meanHops) * ($1.value - meanTime) } / square
    }

    /// From path p to path p+x, where both were heard; and the relays that the paths prove.
    private mutating func gaps(_ flood: Flood) {
        var earliest: [[UInt8]: Double] = [:]
        var prefixes: Set<[UInt8]> = []
        for each in flood.receptions {
            earliest[each.path] = min(earliest[each.path] ?? .infinity, each.time)
            let size = max(1, each.hashSize)
            for end in stride(from: size, through: each.path.count, by: size) {
                prefixes.insert(Array(each.path[..<end]))
            }
        }
        let size = max(1, flood.receptions.first?.hashSize ?? 1)
        let paths = earliest.filter { !$0.key.isEmpty }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (path, time) in paths {
            guard let before = earliest[Array(path.dropLast(size))], time >= before else { continue }
            add("relayGapSeconds", time - before)
        }
        add("relaysSeen.lowerBound", Double(prefixes.count))
    }

    /// First copies against the fewest hops over all adverts of an origin at an observer. Who hears it directly has no
    /// stretch.
    private mutating func sameOrigin(_ floods: [Flood], _ log: FloodLog) {
        struct Pair: Hashable {
            var origin: Int
            var observer: Int
        }
        var firsts: [Pair: [Int]] = [:]
        var fewest: [Pair: Int] = [:]
        var adverts: [Int: Int] = [:]
        for flood in floods where log.packets[flood.packet].isAdvert {
            let origin = log.packets[flood.packet].origin
            adverts[origin, default: 0] += 1
            for (observer, copies) in flood.observers {
                let pair = Pair(origin: origin, observer: observer)
                firsts[pair, default: []].append(copies.first?.hops ?? 0)
                fewest[pair] = min(fewest[pair] ?? .max, copies.map(\.hops).min() ?? 0)
            }
        }
        let pairs = firsts.sorted { ($0.key.origin, $0.key.observer) < ($1.key.origin, $1.key.observer) }
        for (pair, hops) in pairs {
            if (adverts[pair.origin] ?? 0) >= Self.leastAdverts {
                add("observerReach", Double(hops.count) / Double(adverts[pair.origin] ?? 1))
            }
            guard hops.count >= Self.leastAdverts, let least = fewest[pair], least > 0 else { continue }
            add("stretch.sameOrigin", hops.map { Double($0) / Double(least) })
        }
    }

    /// Counts how often each relay stands directly before another one, in the longest copy of each packet.
    private mutating func load(_ floods: [Flood]) {
        var counts: [[Int]: Double] = [:]
        for flood in floods {
            guard let copy = flood.receptions.first(where: { $0.hops == flood.longest }), copy.hops > 1 else {
                continue
            }
            let size = max(1, copy.hashSize)
            for hop in 0..<copy.hops - 1 {
                let hash = copy.path[hop * size..<(hop + 1) * size].map(Int.init)
                counts[copy.relays.count == copy.hops ? [-1, copy.relays[hop]] : hash, default: 0] += 1
            }
        }
        for (_, count) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { add("relayLoad", count) }
    }
}
