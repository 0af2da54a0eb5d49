import MeshCrypto
import MeshPacket
import MeshRecords
import MeshSimulator
import MeshWire
import MeshWorlds

/// Makes a network of what observers heard, in two passes over their packets: first the nodes, then the links.
struct RecordNetworkReader {
    private var network: ObservedNetwork
    private var heard = HeardAdverts()
    /// For each packet the node that advertises itself in it; `nil` for any other packet.
    private var origins: [Int?] = []
    private var next = 0
    private var observers: [HeardPacket.Observer] = []
    /// Places in `observers`, and from there in the nodes.
    private var observerNumbers: [String: Int] = [:]
    private var observerNodes: [Int] = []
    private var relays = RelayPrefixes()
    private var collector = LinkCollector()
    private var signals = MeanSignals()
    private var counts = Counts()

    /// Hops and packets that tell of no link.
    private struct Counts {
        var unknown = 0
        var ambiguous = 0
        var routed = 0
        var sent = 0
        var anonymous = 0
    }

    init(name: String) { network = ObservedNetwork(name: name) }

    // MARK: Nodes

    mutating func readNodes(_ packet: HeardPacket) {
        origins.append(heard.take(packet))
        guard let observer = packet.observer else { return }
        let key = Self.key(observer)
        guard observerNumbers[key] == nil else { return }
        observerNumbers[key] = observers.count
        observers.append(observer)
    }

    /// A station may change its name, so its identifier counts where there is one.
    private static func key(_ observer: HeardPacket.Observer) -> String {
        observer.id.isEmpty ? "name \(observer.name)" : "id \(observer.id)"
    }

    /// Makes the nodes, when all packets were looked at once.
    mutating func index() {
        var labels = NodeLabels()
        var globe = Globe()
        var places: [PublicKey: Int] = [:]
        for (index, node) in heard.nodes.enumerated() {
            let label = labels.take(node.data.name.string, key: node.key.prefix(3).hex)
            network.nodes.append(.init(label, Topology.Role(advertised: node.data.nodeType)))
            places[node.key] = index
            if let point = node.point { globe.add(index, point) }
        }
        globe.settle { network.nodes[$0].place = $1 }
        for observer in observers {
            let key = PublicKey(hex: observer.id)
            let known = key.flatMap { places[$0] }
            let place = known ?? network.nodes.count
            if known == nil {
                var node = ObservedNetwork.Node(
                    labels.take(observer.name, key: String(observer.id.prefix(6))), .repeater)
                // An observer that was never heard has sent no advert.
                node.forwards = false
                network.nodes.append(node)
                if let key { places[key] = place }
            }
            network.nodes[place].isObserver = true
            observerNodes.append(place)
        }
        for (index, node) in heard.nodes.enumerated() {
            let role = network.nodes[index].role
            relays.add(node.key, index, isRelay: role == .repeater || role == .roomServer)
        }
    }

    // MARK: Links

    /// Reads the links that a packet tells of; packets come in the order of `readNodes`.
    mutating func readLinks(_ packet: HeardPacket) {
        let origin = origins[next]
        next += 1
        guard !packet.isSent else { return counts.sent += 1 }
        guard let observer = packet.observer, let number = observerNumbers[Self.key(observer)] else {
            return counts.anonymous += 1
        }
        // The path of a direct packet is what lies before it, and that of a trace has signals.
        guard let view = try? PacketView(packet.bytes, as: packet.source), view.isFlood, view.type != .trace else {
            return counts.routed += 1
        }
        var before = origin
        let (size, path) = (view.pathLength.hashSize, view.path)
        for start in stride(from: 0, to: path.count, by: size) {
            let hop = hop([UInt8](path[start..<min(start + size, path.count)]))
            if let before, let hop { collector.add(before, hop, count: 1) }
            before = hop
        }
        guard let before else { return }
        collector.add(before, observerNodes[number], count: 1)
        if let snr = packet.snr { signals.add(before, observerNodes[number], snr) }
    }

    private mutating func hop(_ hash: [UInt8]) -> Int? {
        switch relays.find(hash) {
        case .one(let node): return node
        case .several: counts.ambiguous += 1
        case .unknown: counts.unknown += 1
        }
        return nil
    }

    // MARK: The network

    mutating func finish() -> ObservedNetwork {
        for mean in signals.means {
            collector.change(mean.from, mean.to) { link, isTurned in
                if isTurned { link.snrBack = mean.snr } else { link.snr = mean.snr }
            }
        }
        network.links = collector.links
        let nodes = network.nodes.count
        dropLoneNodes()
        describe(dropped: nodes - network.nodes.count)
        return network
    }

    /// Leaves out nodes of which neither a place nor a link is known, and which report nothing.
    private mutating func dropLoneNodes() {
        let linked = Set(network.links.flatMap { [$0.from, $0.to] })
        var places: [Int: Int] = [:]
        var kept: [ObservedNetwork.Node] = []
        for (index, node) in network.nodes.enumerated() {
            guard node.isObserver || node.place != nil || linked.contains(index) else { continue }
            places[index] = kept.count
            kept.append(node)
        }
        network.nodes = kept
        for index in network.links.indices {
            network.links[index].from = places[network.links[index].from] ?? 0
            network.links[index].to = places[network.links[index].to] ?? 0
        }
    }

    private mutating func describe(dropped: Int) {
        let misplaced = heard.nodes.filter { $0.point == nil && $0.states != nil }.map(\.title)
        network.notes.append(
            "\(network.nodes.count.counted("node")) from \(heard.adverts.counted("advert")) and "
                + observers.count.counted("observer"))
        if let note = Globe.note(misplaced: misplaced) { network.notes.append(note) }
        let rows = [
            (dropped, "node", "without a place and without a link"),
            (counts.unknown, "hop", "of unknown nodes"),
            (counts.ambiguous, "hop", "with the hash of several nodes"),
            (counts.routed, "packet", "without the path of a flood"),
            (counts.sent, "packet", "of the observers themselves"),
            (counts.anonymous, "packet", "without an observer"),
        ]
        network.notes += rows.filter { $0.0 > 0 }.map { "left out: \($0.0.counted($0.1)) \($0.2)" }
    }
}

/// The nodes that a hash of a path can mean: relays first, and others where no relay has it.
struct RelayPrefixes {
    enum Found: Hashable {
        case unknown
        case one(Int)
        case several
    }

    private var relays: [[UInt8]: Found] = [:]
    private var others: [[UInt8]: Found] = [:]

    mutating func add(_ key: PublicKey, _ node: Int, isRelay: Bool) {
        for size in 1...3 {
            let hash = [UInt8](key.prefix(size))
            if isRelay {
                relays[hash] = relays[hash] == nil ? .one(node) : .several
            } else {
                others[hash] = others[hash] == nil ? .one(node) : .several
            }
        }
    }

    func find(_ hash: [UInt8]) -> Found { relays[hash] ?? others[hash] ?? .unknown }
}

/// Means of the signals with which one node hears another.
private struct MeanSignals {
    private var places: [Int: Int] = [:]
    private var sums: [(from: Int, to: Int, sum: Double, count: Int)] = []

    /// What a world file has room for, in dB.
    private static let range = -32.0...32.0

    mutating func add(_ from: Int, _ to: Int, _ snr: Double) {
        guard from != to else { return }
        let key = from << 32 | to
        let place = places[key] ?? sums.count
        if place == sums.count {
            places[key] = place
            sums.append((from, to, 0, 0))
        }
        sums[place].sum += min(max(snr, Self.range.lowerBound), Self.range.upperBound)
        sums[place].count += 1
    }

    /// The means, in hundredths of a decibel, in the order of the first signals.
    var means: [(from: Int, to: Int, snr: Double)] {
        sums.map { ($0.from, $0.to, ($0.sum / Double($0.count) * 100).rounded() / 100) }
    }
}
