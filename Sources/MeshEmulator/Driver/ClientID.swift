import MeshFirmware
package import MeshSimulator

/// Client of a driven world: the one at an interface of a node.
package struct ClientID: Hashable, Comparable, Sendable {
    package let node: NodeID
    /// Number of the node's interface; 0 unless a companion radio has several.
    package let interface: Int

    package init(_ node: NodeID, interface: Int = 0) {
        (self.node, self.interface) = (node, interface)
    }

    package static func < (a: ClientID, b: ClientID) -> Bool {
        (a.node, a.interface) < (b.node, b.interface)
    }

    /// Input of the client's node by which it learns what the client does.
    func input(_ action: NodeInput.App) -> NodeInput {
        interface == 0 ? action.input : .atInterface(UInt8(clamping: interface), action.input)
    }
}

extension WorldOutput {
    /// Client that the output is for; of what is about the whole board, the first one.
    var client: ClientID { ClientID(node, interface: Int(interface)) }

    /// Tells whether the output is about all clients of the node.
    var isOfBoard: Bool {
        switch kind {
        case .appBytes, .appClosed: false
        case .flash, .rebooted, .poweredOff, .booted: true
        }
    }
}
