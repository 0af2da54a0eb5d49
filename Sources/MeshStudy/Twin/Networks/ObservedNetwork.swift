package import MeshRadio
package import MeshSimulator
package import MeshWorlds

/// An observed network: nodes, places where receptions are logged, and links with counts instead of signals.
package struct ObservedNetwork: Hashable, Sendable {
    package struct Node: Hashable, Sendable {
        /// Fit for a world file; see `NodeLabels`.
        package var label: String
        package var role: Topology.Role
        package var isObserver = false
        /// Tells whether it relays; no mere observer was ever seen doing so.
        package var forwards = true
        /// Metres on a plane; nil where the place is not known.
        package var place: Place?
        /// What feeds it and what it measures, where its file states that.
        package var body: NodeBody?

        package init(_ label: String, _ role: Topology.Role) {
            self.label = label
            self.role = role
        }
    }

    package struct Link: Hashable, Sendable {
        /// Places in `nodes`.
        package var from: Int
        package var to: Int
        package var observation: LinkObservation
    }

    package var name: String
    package var about = ""
    /// Nil where the file does not say.
    package var radio: LoRaParameters?
    package var nodes: [Node] = []
    /// No pair twice.
    package var links: [Link] = []
    /// Assumptions and omissions, for people.
    package var notes: [String] = []

    /// The nodes at which receptions are logged.
    package var observers: [Int] { nodes.indices.filter { nodes[$0].isObserver } }
}

/// Collects links in one direction, and joins the two directions of a pair.
struct LinkCollector {
    private var places: [Int: Int] = [:]
    private(set) var links: [ObservedNetwork.Link] = []

    /// The link of a pair, made when there is none; links of a node to itself are ignored.
    mutating func change(_ from: Int, _ to: Int, _ body: (inout LinkObservation, _ isTurned: Bool) -> Void) {
        guard from != to else { return }
        let key = min(from, to) << 32 | max(from, to)
        if let place = places[key] {
            body(&links[place].observation, links[place].from != from)
        } else {
            places[key] = links.count
            var link = ObservedNetwork.Link(from: from, to: to, observation: LinkObservation())
            body(&link.observation, false)
            links.append(link)
        }
    }

    mutating func add(_ from: Int, _ to: Int, count: Int, snr: Double? = nil) {
        change(from, to) { link, isTurned in
            if isTurned {
                link.back += count
                link.snrBack = snr ?? link.snrBack
            } else {
                link.there += count
                link.snr = snr ?? link.snr
            }
        }
    }

    mutating func addUndirected(_ one: Int, _ other: Int, count: Int) {
        change(one, other) { link, _ in link.either += count }
    }
}
