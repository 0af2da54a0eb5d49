import MeshFirmware
import MeshTime

/// A board without its firmware, which runs elsewhere: it receives every frame and does nothing.
private struct AbsentNode: GuestNode {
    let flash = Flash()
    let nextWake = Instant.never

    mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {}
}

extension NodeRole {
    /// A node that runs in another process; silent unless a shell puts that process in its place.
    package static let external = NodeRole.guest { _ in AbsentNode() }
}

extension Topology {
    /// The nodes that run in other processes, in their order.
    package var externalNodes: [String] { nodes.filter { $0.role == .external }.map(\.label) }
}
