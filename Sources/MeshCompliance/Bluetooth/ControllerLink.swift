import MeshBoards
import MeshTime

/// The way to a Bluetooth controller, one packet after the other: on the time of the world, or on virtual time.
protocol ControllerLink: AnyObject {
    /// The time of the link; it passes in `receive` alone, except where it is that of the world.
    var now: Instant { get }

    /// Writes a whole packet to the controller, from its type on.
    func send(_ packet: [UInt8]) throws(TargetError)
    /// The next packet of the controller; `nil` when none came by then.
    func receive(until moment: Instant) throws(TargetError) -> [UInt8]?
}
