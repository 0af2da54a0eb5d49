public import MeshFirmware
public import MeshTime

/// An output of the world for its shell; outputs come in the order of their events.
public struct WorldOutput: Sendable {
    /// The content of an output.
    public enum Kind: Sendable {
        /// One write to the client at the node's interface.
        case appBytes([UInt8])
        /// The client at the node's interface is to be disconnected.
        case appClosed
        /// A file of the node changed; to be made durable before any later `appBytes` of the node is sent.
        case flash(FlashChange)
        /// The board restarts; it is off until `booted`.
        case rebooted
        /// The board has no power any more, and sends nothing; it is off until `booted`.
        case poweredOff
        case booted
    }

    /// The node that it comes from.
    public let node: NodeID
    /// The time of the output.
    public let time: Instant
    /// The content of the output.
    public let kind: Kind
    /// The number of the node's interface whose client is meant; 0 for what is about the whole board.
    public let interface: UInt8
}
