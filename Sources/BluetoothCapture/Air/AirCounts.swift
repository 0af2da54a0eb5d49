/// What a reader of the air saw and left out, by cause.
public struct AirCounts: Hashable, Sendable {
    /// All packets that the sniffer handed over, the bad ones included.
    public var packets = 0
    /// Packets of the advertising physical channels whose check sum is good.
    public var advertising = 0
    /// Packets of connections (data physical channel PDUs), those without content included.
    public var data = 0
    /// Data packets without content: they only acknowledge.
    public var empty = 0
    /// Sent again because the other side did not hear them.
    public var retransmissions = 0
    /// Packets whose CRC does not fit, or that the sniffer marked so.
    public var badCheckSums = 0
    /// Shorter than they say.
    public var cut = 0
    /// Data packets of access addresses that nothing proves to be a connection's.
    public var unproven = 0
    /// Packets that the counters of an encrypted link, or sequence numbers, tell of and the sniffer did not hear.
    public var missed = 0
    /// L2CAP packets that were lost because their beginning was.
    public var withoutStart = 0
    /// The same because a later part was.
    public var withoutContinuation = 0
    /// L2CAP packets with more bytes than they said.
    public var withExcess = 0
    /// Of encrypted links, opened with a key.
    public var opened = 0
    /// Of encrypted links, not opened.
    public var unreadable = 0
    /// Connections that made room for newer ones.
    public var forgottenConnections = 0

    public init() {}
}
