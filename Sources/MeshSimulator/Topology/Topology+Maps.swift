import MeshFirmware
public import MeshTime
import MeshWire

// Maps drawn from a seed.
extension Topology {
    /// Nodes strewn over a square at random, a fifth of them companions.
    ///
    /// The square grows with their number, so that a node has about eight neighbours however many there are. Alice
    /// is the companion nearest the south-west corner and bob the one nearest the north-east. A node that would be
    /// alone gets a weak link to the nearest node, so that the map is connected.
    public static func random(_ count: Int, seed: Seed, propagation: Propagation = .town) -> Topology {
        precondition(count >= 2, "a mesh has at least two nodes")
        let side = Double(count).squareRoot() * 3000
        var map = Topology(name: "random:\(count)")
        for index in 0..<count {
            var stream = seed.stream("place", String(index))
            let isCompanion = index < max(2, count / 5)
            map.nodes.append(
                Node(
                    isCompanion ? "c\(index + 1)" : "r\(index + 1 - max(2, count / 5))",
                    isCompanion ? .companion : .repeater, at: place(in: side, &stream)))
        }
        map.nameEnds()
        map.link(propagation, seed: seed)
        map.joinStragglers(propagation, seed: seed)
        return map
    }

    /// A town: quarters with a repeater on a roof each and companions around it, and a few repeaters on hills.
    ///
    /// One node in six is a quarter's repeater. One in forty stands on a hill, from where it is received 15 dB
    /// better. The other nodes are companions, closer to their quarter's middle than to the next one's.
    public static func city(_ count: Int, seed: Seed, propagation: Propagation = .town) -> Topology {
        precondition(count >= 2, "a town has at least two nodes")
        let quarters = max(1, count / 6)
        let hills = count / 40
        let side = Double(quarters).squareRoot() * 2500
        var town = Topology(name: "city:\(count)")
        var middles: [Place] = []
        for index in 0..<quarters {
            var stream = seed.stream("quarter", String(index))
            middles.append(place(in: side, &stream))
        }
        let companions = max(2, count - quarters - hills)
        for index in 0..<companions {
            var stream = seed.stream("place", String(index))
            let place = near(middles[index % quarters], within: 1500, in: side, &stream)
            town.nodes.append(Node("c\(index + 1)", .companion, at: place))
        }
        for index in 0..<max(0, count - companions) {
            var stream = seed.stream("hill", String(index))
            let isRoof = index < quarters
            town.nodes.append(
                Node("r\(index + 1)", .repeater, at: isRoof ? middles[index] : place(in: side, &stream)))
        }
        town.nameEnds()
        for index in companions + min(quarters, count - companions)..<count { town.nodes[index].gainHundredths = 1500 }
        town.link(propagation, seed: seed)
        town.joinStragglers(propagation, seed: seed)
        return town
    }

    // MARK: Places

    private static func place(in side: Double, _ stream: inout RandomStream) -> Place {
        let limit = UInt32(wholePart: side, in: 0...UInt32(Int32.max)) + 1
        return Place(eastMetres: Int32(stream.draw(0, limit)), northMetres: Int32(stream.draw(0, limit)))
    }

    /// A place around a middle: denser towards it, since the distance is the smaller of two draws.
    private static func near(
        _ middle: Place, within radius: UInt32, in side: Double, _ stream: inout RandomStream
    ) -> Place {
        let distance = Double(min(stream.draw(0, radius), stream.draw(0, radius)))
        let (cosine, sine) = Circle.point(turns: Double(stream.draw(0, 3600)) / 3600)
        func kept(_ metres: Double) -> Int32 { Int32(nearest: max(0, min(side, metres))) }
        return Place(
            eastMetres: kept(Double(middle.eastMetres) + distance * cosine),
            northMetres: kept(Double(middle.northMetres) + distance * sine))
    }

    /// Gives the two companions that stand nearest to opposite corners the names of the examples: alice and bob.
    private mutating func nameEnds() {
        func diagonal(_ index: Int) -> Int64 {
            guard let place = nodes[index].place else { return 0 }
            return Int64(place.eastMetres) + Int64(place.northMetres)
        }
        let companions = nodes.indices.filter { nodes[$0].role == .companion }
        let sorted = companions.sorted { (diagonal($0), $0) < (diagonal($1), $1) }
        guard let first = sorted.first, let last = sorted.last, first != last else { return }
        nodes[first].label = "alice"
        nodes[last].label = "bob"
    }

    // MARK: Links

    /// Links the nodes that are apart from the rest to the nearest that is not, until all are connected.
    private mutating func joinStragglers(_ propagation: Propagation, seed: Seed) {
        var isReached = reached(from: largestPart)
        for index in nodes.indices where !isReached[index] {
            guard let friend = nearest(to: index, where: { isReached[$0] }) else { return }
            links.append(Link(min(friend, index), max(friend, index), Self.lifeline))
            for (other, isNow) in reached(from: index).enumerated() where isNow { isReached[other] = true }
        }
        links.sort { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// A weak link, as with an antenna that was put up to reach any node at all.
    private static let lifeline = Signal(snrHundredths: 0, rssiHundredths: -12_000)

    /// A node of the largest part that hangs together.
    private var largestPart: Int {
        var best = (size: 0, node: 0)
        var isSeen = [Bool](repeating: false, count: nodes.count)
        for index in nodes.indices where !isSeen[index] {
            let part = reached(from: index)
            var size = 0
            for (other, isPart) in part.enumerated() where isPart {
                isSeen[other] = true
                size += 1
            }
            if size > best.size { best = (size, index) }
            if 2 * size > nodes.count { break }
        }
        return best.node
    }

    private func nearest(to index: Int, where isFit: (Int) -> Bool) -> Int? {
        guard let place = nodes[index].place else { return nil }
        var best: (distance: Int64, node: Int)?
        for other in nodes.indices where other != index && isFit(other) {
            guard let distance = nodes[other].place?.squareMetres(to: place) else { continue }
            if distance < best?.distance ?? .max { best = (distance, other) }
        }
        return best?.node
    }
}
