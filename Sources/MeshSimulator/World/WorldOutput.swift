public import MeshFirmware
public import MeshTime

/// What the world hands to its shell, in the order in which it happened.
public struct WorldOutput: Sendable {
    /// What is handed over.
    public enum Kind: Sendable {
        /// One write to the node's client.
        case appBytes([UInt8])
        /// The node's client is to be shut out.
        case appClosed
        /// A file of the node changed; to be made durable before any later `appBytes` of the node goes out.
        case flash(FlashChange)
        /// The board restarts; it is off until `booted`.
        case rebooted
        /// The board has no power any more, and says nothing to anybody; it is off until `booted`.
        case poweredOff
        case booted
    }

    /// The node that it comes from.
    public let node: NodeID
    /// When it happened.
    public let time: Instant
    /// What it is.
    public let kind: Kind
}
