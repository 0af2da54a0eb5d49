import MeshFirmware
package import MeshSimulator

/// The links that carry a mesh, chosen from thousands so that a picture of a city can be read.
///
/// They are, for each repeater, its three strongest links to other repeaters; for each other node, its strongest link
/// to a repeater.
///
/// Of the rest they are the strongest that join separate parts. A link is as strong as its weaker direction, and a
/// one-way link is weaker than all others. Equal links count in the order of the topology, so that the same world gives
/// the same picture.
package struct MeshBackbone {
    /// Places in the topology's `links`, ascending.
    package let links: [Int]

    /// Links of a repeater to others that count for their strength alone.
    static let perRepeater = 3

    package init(_ topology: Topology) {
        let order = topology.links.indices.sorted { one, other in
            let (a, b) = (Self.rank(topology.links[one], topology), Self.rank(topology.links[other], topology))
            return (a.class, -a.strength, one) < (b.class, -b.strength, other)
        }
        var isChosen = [Bool](repeating: false, count: topology.links.count)
        var degree = [Int](repeating: 0, count: topology.nodes.count)
        var groups = DisjointSets(topology.nodes.count)
        for index in order {
            let link = topology.links[index]
            let isAmongRepeaters = Self.rank(link, topology).class == 0
            if isAmongRepeaters, min(degree[link.from], degree[link.to]) < Self.perRepeater { isChosen[index] = true }
            degree[link.from] += isAmongRepeaters ? 1 : 0
            degree[link.to] += isAmongRepeaters ? 1 : 0
            if groups.unite(link.from, link.to) { isChosen[index] = true }
        }
        links = isChosen.indices.filter { isChosen[$0] }
    }

    /// First links between repeaters, then those of others to repeaters, then what is left, one-way links last of all.
    private static func rank(_ link: Topology.Link, _ topology: Topology) -> (class: Int, strength: Int) {
        let repeaters = [link.from, link.to].count { topology.nodes[$0].role == .repeater }
        guard let there = link.there, let back = link.back else { return (3, 0) }
        return (2 - repeaters, Int(min(there.snrHundredths, back.snrHundredths)))
    }
}

/// The parts of a mesh that are joined so far.
private struct DisjointSets {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    private mutating func root(of element: Int) -> Int {
        var element = element
        while parents[element] != element {
            parents[element] = parents[parents[element]]
            element = parents[element]
        }
        return element
    }

    /// Joins the sets of two elements; returns whether they were two sets before.
    mutating func unite(_ one: Int, _ other: Int) -> Bool {
        let (one, other) = (root(of: one), root(of: other))
        parents[one] = other
        return one != other
    }
}
