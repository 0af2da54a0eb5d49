import MeshFirmware
package import MeshSimulator
import MeshWorlds

/// The nodes of a mesh with their links, or the lanes of a recording.
package struct PlayerWorld: Hashable, Sendable {
    /// A node, or a lane.
    package struct Node: Hashable, Sendable {
        package var name: String
        /// `companion`, `repeater`, `room_server`, `sensor`, `external`, or a kind of lane: `app`, `radio`, `air`,
        /// `script`.
        package var role: String
        /// In metres where the places are known, else in units of the layout; from the north-west corner.
        package var x: Float = 0
        package var y: Float = 0
    }

    /// The radio link between two nodes, in both directions.
    struct Link: Hashable, Sendable {
        var from: UInt32
        var to: UInt32
        /// SNR in 1/100 dB with which `to` hears `from`; `PlayerWorld.deaf` when it does not.
        var there: Int16
        /// The same the other way.
        var back: Int16
        /// Tells whether the link carries the mesh, and is drawn when there is no room for all links.
        var isBackbone: Bool
    }

    /// In place of the SNR of a direction that is closed.
    package static let deaf = Int16.min

    package var nodes: [Node] = []
    var links: [Link] = []
    /// Metres of one unit of the places; 0 where places are drawn, and not known.
    package var metresPerUnit = 0.0

    package init() {}

    /// The nodes of a mesh where they stand, or laid out by their links.
    package init(_ topology: Topology) {
        let layout = MeshLayout(topology)
        let unit = layout.metresPerUnit ?? 1
        metresPerUnit = layout.metresPerUnit == nil ? 0 : 1
        nodes = zip(topology.nodes, layout.points).map { node, point in
            Node(name: node.label, role: node.role.rawValue, x: Float(point.x * unit), y: Float(point.y * unit))
        }
        var isBackbone = [Bool](repeating: false, count: topology.links.count)
        for place in MeshBackbone(topology).links { isBackbone[place] = true }
        links = topology.links.enumerated().map { place, link in
            Link(
                from: UInt32(link.from), to: UInt32(link.to), there: link.there?.snrHundredths ?? Self.deaf,
                back: link.back?.snrHundredths ?? Self.deaf, isBackbone: isBackbone[place])
        }
    }

    /// The lanes of a recording, from top to bottom.
    package init(lanes: [(name: String, role: String)]) {
        nodes = lanes.map { Node(name: $0.name, role: $0.role) }
    }
}
