/// The figures of a node's routing core that invariant checks compare between two passes.
public struct CoreAccounts: Hashable, Sendable {
    /// Packets that the pool has given out.
    public let packetsInUse: Int
    /// Packets in the queues, on the air, and on the way back from an import.
    public let packetsHeld: Int
    /// Silence per time of sending: 1 is a duty cycle of one half.
    public let airtimeFactor: Float
    /// True when the node relays floods of others.
    public let relaysFloods: Bool

    public init(packetsInUse: Int, packetsHeld: Int, airtimeFactor: Float, relaysFloods: Bool) {
        self.packetsInUse = packetsInUse
        self.packetsHeld = packetsHeld
        self.airtimeFactor = airtimeFactor
        self.relaysFloods = relaysFloods
    }
}

extension RoutingCore {
    var packetsHeld: Int {
        sendQueue.count + inboundQueue.count + (inFlight == nil ? 0 : 1) + loopback.count
    }

    func accounts(airtimeFactor: Float, relaysFloods: Bool) -> CoreAccounts {
        CoreAccounts(
            packetsInUse: pool.inUse, packetsHeld: packetsHeld, airtimeFactor: airtimeFactor,
            relaysFloods: relaysFloods)
    }
}
