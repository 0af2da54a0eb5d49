package import MeshWire

/// The information that a reader of the air gets before it reads.
package struct AirOptions: Hashable, Sendable {
    /// Long term keys of bonded devices, most significant byte first, as they are written.
    package var keys: [FixedBytes<16>]
    /// The six digits that were typed when the devices were paired.
    package var pin: UInt32?

    package init(keys: [FixedBytes<16>] = [], pin: UInt32? = nil) {
        self.keys = keys
        self.pin = pin
    }
}

/// The bounds of what a reader of the air keeps, whatever it is given.
enum AirLimits {
    /// Connections at once; the one that was silent for longest makes room.
    static let connections = 64
    /// Access addresses received once, without proof that they are no noise.
    static let unproven = 64
    /// Keys, given and learned.
    static let keys = 64
    /// Pairings kept for a search of their PIN.
    static let pairings = 64
    /// Packets that a sniffer may miss in a row on an encrypted link.
    static let missedPackets: UInt64 = 128
    /// The same before the first packet was opened: every key is tried on each counter.
    static let missedAtStart: UInt64 = 16
    /// Packets that no key opened, after which a link counts as unreadable.
    static let failuresAtStart = 8
    /// A link that was readable is given up after this many packets in a row.
    static let failuresInARow = 1024
}
