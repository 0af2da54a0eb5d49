/// How many packets of each kind passed, and what was not looked into.
public struct HostCounts: Hashable, Sendable {
    /// HCI command packets, from hosts to controllers.
    public var commands = 0
    /// HCI event packets, from controllers to hosts.
    public var events = 0
    /// HCI ACL data packets of both ways, each a fragment or a whole L2CAP packet.
    public var data = 0
    /// Notes, synchronous and vendor data.
    public var others = 0
    /// Data of classic links.
    public var classic = 0
    /// What devices said of themselves before a connection, as the controller reported it.
    public var advertisements = 0
    /// L2CAP packets of the attribute protocol.
    public var attributes = 0
    /// L2CAP packets of other channels than the attribute protocol's.
    public var otherChannels = 0
    /// Packets that lacked a part, or had too much.
    public var lost = 0
    /// Packets whose header could not be read.
    public var malformed = 0

    public init() {}
}
