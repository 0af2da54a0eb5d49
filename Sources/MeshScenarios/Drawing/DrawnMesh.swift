import MeshTime

/// People and stations with the links between them, as a seed has them.
public struct DrawnMesh: Sendable {
    /// The layouts of radio ranges among the nodes.
    public enum Shape: String, Hashable, Sendable, CaseIterable {
        /// One repeater after the other, people along them.
        case line
        /// All repeaters hear the first one.
        case star
        case ring
        /// Strewn over a plain; who is near enough hears each other.
        case strewn
        /// Villages whose nodes hear each other, with a link between neighbours.
        case villages
    }

    /// The shape that was drawn.
    public var shape: Shape
    /// The people, in order.
    public var people: [Person]
    /// The repeaters, in order.
    public var repeaters: [Repeater]
    /// The rooms, in order.
    public var rooms: [Room]
    /// The pairs of nodes that hear each other, with their losses.
    public var links: [RadioRange]

    static let peopleNames = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"]
    static let repeaterNames = ["hill", "valley", "tower", "ridge", "mill", "bridge", "quarry", "chapel"]
    static let roomNames = ["tavern", "library"]

    /// Makes all people known to each other, without known ways.
    public var knownContacts: [KnownContact] {
        people.flatMap { who in
            people.filter { $0 != who }.map { who.knows($0) } + rooms.map { who.knows($0) }
        }
    }
}

extension Draw {
    /// A mesh in which all nodes can reach each other, at least over others.
    ///
    /// - Parameters:
    ///   - people: how many; at most eight.
    ///   - repeaters: how many; at most eight.
    ///   - loss: of the links, each drawn on its own.
    ///   - presets: how the stacks of the people are set up.
    public mutating func mesh(
        people: ClosedRange<Int>, repeaters: ClosedRange<Int>, rooms: Int = 0,
        shapes: [DrawnMesh.Shape] = DrawnMesh.Shape.allCases, loss: ClosedRange<Double> = 0...0,
        presets: [StackChoices.Preset] = [.architectureV2]
    ) -> DrawnMesh {
        let shape = pick("shape", from: shapes)
        let peopleNames = DrawnMesh.peopleNames.prefix(count("people", in: people))
        let repeaterNames = DrawnMesh.repeaterNames.prefix(count("repeaters", in: repeaters))
        var mesh = DrawnMesh(
            shape: shape, people: peopleNames.map { Person.stack($0, preset: pick("preset of \($0)", from: presets)) },
            repeaters: repeaterNames.map { Repeater($0) }, rooms: DrawnMesh.roomNames.prefix(rooms).map { Room($0) },
            links: [])
        let stations = mesh.repeaters.map(\.member)
        let others = mesh.people.map(\.member) + mesh.rooms.map(\.member)
        switch shape {
        case .line: mesh.links = zip(stations, stations.dropFirst()).map { $0.hears($1) }
        case .star: mesh.links = stations.dropFirst().map { $0.hears(stations[0]) }
        case .ring:
            mesh.links = zip(stations, stations.dropFirst()).map { $0.hears($1) }
            if stations.count > 2 { mesh.links.append(stations[stations.count - 1].hears(stations[0])) }
        case .strewn: mesh.links = strewn(stations, others)
        case .villages: mesh.links = villages(stations, others)
        }
        if shape != .strewn, shape != .villages { mesh.links += placed(others, at: stations) }
        for index in mesh.links.indices {
            let link = mesh.links[index]
            mesh.links[index].loss = share("loss \(link.one.name) \(link.other.name)", in: loss)
        }
        return mesh
    }

    /// Each at one of the stations, or in radio range of each other where there is none.
    private mutating func placed(_ others: [Member], at stations: [Member]) -> [RadioRange] {
        guard !stations.isEmpty else {
            return others.indices.flatMap { one in
                others[(one + 1)...].map { others[one].hears($0) }
            }
        }
        return others.map { $0.hears(pick("station of \($0.name)", from: stations)) }
    }

    /// A place for each node, and links as far as the radio range goes. Repeaters that are out of reach of the others
    /// get a link to the nearest one. So do people who hear no repeater, since people relay nothing.
    private mutating func strewn(_ stations: [Member], _ others: [Member]) -> [RadioRange] {
        guard !stations.isEmpty else { return placed(others, at: []) }
        let nodes = stations + others
        let places = nodes.map { (count("x of \($0.name)", in: 0...1000), count("y of \($0.name)", in: 0...1000)) }
        func distance(_ one: Int, _ other: Int) -> Int {
            let (x, y) = (places[one].0 - places[other].0, places[one].1 - places[other].1)
            return x * x + y * y
        }
        let pairs = nodes.indices.flatMap { one in nodes.indices.dropFirst(one + 1).map { (one, $0) } }
        var groups = Array(nodes.indices)
        var links: [RadioRange] = []
        for (one, other) in pairs.sorted(by: { distance($0.0, $0.1) < distance($1.0, $1.1) }) {
            let isNear = distance(one, other) < 350 * 350
            // Pairs are in the order of places in `nodes`, where stations are first.
            let joins = one < stations.count && groups[one] != groups[other]
            guard isNear || joins else { continue }
            links.append(nodes[one].hears(nodes[other]))
            guard joins else { continue }
            let isStation = other < stations.count
            let (kept, gone) = (groups[one], groups[other])
            if isStation {
                for index in groups.indices where groups[index] == gone { groups[index] = kept }
            } else {
                // Belongs to the station from now on, and joins no stations with each other.
                groups[other] = kept
            }
        }
        return links
    }

    /// No more villages than repeaters, so that each has one, and neighbours reach each other over them.
    private mutating func villages(_ stations: [Member], _ others: [Member]) -> [RadioRange] {
        guard !stations.isEmpty else { return placed(others, at: []) }
        let villageCount = min(stations.count, count("villages", in: 2...3))
        var villages: [[Member]] = Array(repeating: [], count: villageCount)
        for (index, node) in (stations + others).enumerated() {
            let home = index < villageCount ? index : count("village of \(node.name)", in: 0...villageCount - 1)
            villages[home].append(node)
        }
        let within = villages.flatMap { village in
            village.indices.flatMap { one in village[(one + 1)...].map { village[one].hears($0) } }
        }
        let between = zip(villages, villages.dropFirst()).map { $0[0].hears($1[0]) }
        return within + between
    }
}
