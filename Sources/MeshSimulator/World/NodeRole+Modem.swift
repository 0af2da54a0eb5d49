package import MeshFirmware
import MeshTime

extension KISSModem: GuestNode {}

extension NodeRole {
    /// A bare modem for a host from outside: the air is as for any node, and no rule of firmware binds it.
    package static let modem = NodeRole.guest { boot in
        KISSModem(
            board: boot.board, flash: boot.flash, identityStream: boot.seed.stream("identity"),
            randomStream: boot.seed.stream("radio"), at: boot.now)
    }
}

extension World {
    /// The modem that a node is, for looking at.
    package func modem(_ node: NodeID) -> KISSModem? { guest(node) as? KISSModem }
}
