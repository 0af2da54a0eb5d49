import MeshSimulator
import MeshTime
import MeshWire

/// The companions that walk, each in a straight line to a drawn place in the mesh's area, then to the next one.
///
/// Each draws from a stream of its own. Links of a walker follow its place; a frame on the air keeps the listeners that
/// it began with.
struct Walkers: Sendable {
    private struct Walker: Sendable {
        let node: Int
        var east: Double
        var north: Double
        var target: Place
        var random: RandomStream
    }

    private let walk: PeopleHabits.Walk
    private let rule: PlaceLinks
    /// South-west and north-east corner of the area.
    private let area: (least: Place, most: Place)
    private var nodes: [Topology.Node]
    private var walkers: [Walker] = []
    /// The moment of the next step; `.never` where no companion walks.
    private(set) var next: Instant

    /// `nil` in a world whose links do not follow from places.
    init?(_ walk: PeopleHabits.Walk, in plan: WorldPlan, seed: Seed) {
        guard let propagation = plan.topology.propagation else { return nil }
        self.walk = walk
        nodes = plan.topology.nodes
        rule = PlaceLinks(propagation, of: nodes, seed: seed)
        let places = nodes.compactMap(\.place)
        area = (
            Place(
                eastMetres: places.map(\.eastMetres).min() ?? 0, northMetres: places.map(\.northMetres).min() ?? 0),
            Place(
                eastMetres: places.map(\.eastMetres).max() ?? 0, northMetres: places.map(\.northMetres).max() ?? 0)
        )
        next = .never
        for index in nodes.indices where nodes[index].role == .companion {
            guard let place = nodes[index].place else { continue }
            var random = seed.stream("walk", nodes[index].label)
            // A greater share has all walkers of a smaller one, on the same ways.
            guard Double(random.draw(0, 10_000)) < walk.share * 10_000 else { continue }
            let target = Self.place(in: area, &random)
            walkers.append(
                Walker(
                    node: index, east: Double(place.eastMetres), north: Double(place.northMetres), target: target,
                    random: random))
        }
        if !walkers.isEmpty { next = .start + walk.every }
    }

    /// Moves the companions that walk, when it is time.
    mutating func step(in world: inout World) {
        guard next <= world.now else { return }
        next = next + walk.every
        let metres = walk.metresPerSecond * Double(walk.every.microseconds) / 1_000_000
        for index in walkers.indices {
            move(&walkers[index], metres)
            let walker = walkers[index]
            nodes[walker.node].place = Place(
                eastMetres: Int32(nearest: walker.east), northMetres: Int32(nearest: walker.north))
            link(walker.node, in: &world)
        }
    }

    private func move(_ walker: inout Walker, _ metres: Double) {
        var rest = metres
        // An area of a single place has no way to go.
        guard area.least != area.most else { return }
        while rest > 0 {
            let east = Double(walker.target.eastMetres) - walker.east
            let north = Double(walker.target.northMetres) - walker.north
            let way = (east * east + north * north).squareRoot()
            if way > rest {
                walker.east += east / way * rest
                walker.north += north / way * rest
                return
            }
            walker.east += east
            walker.north += north
            // A draw of the place where it stands takes a metre too, so that the loop ends.
            rest -= max(way, 1)
            walker.target = Self.place(in: area, &walker.random)
        }
    }

    private static func place(in area: (least: Place, most: Place), _ random: inout RandomStream) -> Place {
        func between(_ least: Int32, _ most: Int32) -> Int32 {
            least + Int32(random.draw(0, UInt32(most - least) + 1))
        }
        return Place(
            eastMetres: between(area.least.eastMetres, area.most.eastMetres),
            northMetres: between(area.least.northMetres, area.most.northMetres))
    }

    private func link(_ node: Int, in world: inout World) {
        let here = NodeID(index: node)
        for other in nodes.indices where other != node && nodes[other].place != nil {
            let there = NodeID(index: other)
            let signal = rule.signal(node, other, nodes)
            world.links[here, there] = signal
            world.links[there, here] = signal
        }
    }
}
