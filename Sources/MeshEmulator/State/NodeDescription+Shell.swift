import MeshFirmware
import MeshSimulator

extension NodeDescription {
    /// Gives the node the interface that an endpoint needs.
    mutating func connect(_ endpoint: Endpoint) throws(EmulatorError) {
    }
}

extension StateDirectory {
    /// The flash of a node, refused when a file in it is damaged.
    func checkedFlash(of node: NodeDescription) throws(EmulatorError) -> Flash {
        try load(node.label)
    }
}
