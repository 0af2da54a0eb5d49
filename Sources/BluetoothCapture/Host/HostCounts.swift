/// The numbers of packets of each kind, and of those that were not looked into.
package struct HostCounts: Hashable, Sendable {
    /// HCI command packets, from hosts to controllers.
    package var commands = 0
    /// HCI event packets, from controllers to hosts.
    package var events = 0
    /// HCI ACL data packets of both ways, each a fragment or a whole L2CAP packet.
    package var data = 0
    /// Notes, synchronous and vendor data.
    package var others = 0
    /// Data of classic links.
    package var classic = 0
    /// The number of advertisements before a connection, as the controller reported them.
    package var advertisements = 0
    /// L2CAP packets of the attribute protocol.
    package var attributes = 0
    /// L2CAP packets of other channels than the attribute protocol's.
    package var otherChannels = 0
    /// Packets that lacked a part, or had too much.
    package var lost = 0
    /// Packets whose header could not be read.
    package var malformed = 0

    package init() {}
}
