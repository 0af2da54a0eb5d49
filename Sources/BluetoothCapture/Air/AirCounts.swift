/// The packets that a reader of the air saw and left out, by cause.
package struct AirCounts: Hashable, Sendable {
    /// All packets that the sniffer delivered, the bad ones included.
    package var packets = 0
    /// Packets of the advertising physical channels whose check sum is good.
    package var advertising = 0
    /// Packets of connections (data physical channel PDUs), those without content included.
    package var data = 0
    /// Data packets without content: they only acknowledge.
    package var empty = 0
    /// The number of packets sent again because the other side missed them.
    package var retransmissions = 0
    /// Packets whose CRC does not fit, or that the sniffer marked so.
    package var badCheckSums = 0
    /// The number of packets shorter than their length field.
    package var cut = 0
    /// Data packets of access addresses that nothing proves to be a connection's.
    package var unproven = 0
    /// Packets that the sniffer missed, by the counters of an encrypted link or by sequence numbers.
    package var missed = 0
    /// L2CAP packets that were lost because their beginning was.
    package var withoutStart = 0
    /// The same because a later part was.
    package var withoutContinuation = 0
    /// The number of L2CAP packets with more bytes than their length field.
    package var withExcess = 0
    /// Of encrypted links, opened with a key.
    package var opened = 0
    /// Of encrypted links, not opened.
    package var unreadable = 0
    /// Connections that made room for newer ones.
    package var forgottenConnections = 0

    package init() {}
}
