public import MeshFirmware
public import MeshTime

/// What the world hands to its shell, in the order in which it happened.
public struct WorldOutput: Sendable {
    public enum Kind: Sendable {
        /// One write to the node's client.
        case appBytes([UInt8])
        /// The node's client is to be shut out.
        case appClosed
        /// A file of the node changed; to be made durable before any later `appBytes` of the node goes out.
        case flash(FlashChange)
        /// The board restarts; it is off until `booted`.
        case rebooted
        case booted
    }

    public let node: NodeID
    public let time: Instant
    public let kind: Kind
}
