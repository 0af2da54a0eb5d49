package import MeshTime

/// The settings of all connections of an air.
package struct AirSettings: Hashable, Sendable {
    /// The rule by which a peripheral makes use of its latency: the events that it may leave out.
    ///
    /// The specification leaves it to the controller (Core 5.4, Vol 6 Part B, 4.5.1).
    package enum Rest: String, Hashable, Sendable, CaseIterable {
        /// After as many empty events as it may leave out.
        case quiet
        /// At all times at which it has nothing to send.
        case always
    }

    /// Of data; advertisements are always on 1M.
    package var layer = PhysicalLayer.le1M
    /// The interval of a central that ignores its host's wish, as a phone does whose system decides; in units of
    /// 1.25 ms.
    ///
    /// `nil`: the longest that the host allows.
    package var interval: UInt16?
    /// Packets of each side in one event at most; `nil` for as many as there is time for.
    package var packetsPerEvent: Int?
    /// The rule by which a peripheral leaves events out.
    package var rest = Rest.quiet
    /// Packets that do not arrive, of 10,000; they are sent again in the next event.
    package var lossPerTenThousand: UInt16 = 0

    package init() {}
}

/// A controller before it is switched on.
package struct ControllerDescription: Hashable, Sendable {
    /// Its public address.
    package var address: BluetoothAddress
    /// The longest fragment that it accepts from its host, in bytes.
    package var dataSize: UInt16
    /// The number of fragments that it accepts at once.
    package var dataCount: UInt8
    /// The longest payload on the air, 27 to 251 bytes; 27 is Bluetooth 4.0 and 4.1.
    package var longestPayload: UInt16

    package init(address: BluetoothAddress, dataSize: UInt16 = 251, dataCount: UInt8 = 8, longestPayload: UInt16 = 251)
    {
        self.address = address
        self.dataSize = max(1, dataSize)
        self.dataCount = max(1, dataCount)
        self.longestPayload = min(max(longestPayload, 27), 251)
    }
}

/// The totals of an air's connections so far.
package struct AirUse: Hashable, Sendable {
    /// The number of connection events in which a side had something to send.
    ///
    /// A link without data has empty ones, which cost next to nothing and are not counted.
    package var events = 0
    /// Packets with a payload that arrived, both ways.
    package var packets = 0
    /// Bytes of payload that arrived, both ways: L2CAP, and control packets of the controllers.
    package var bytes = 0
    /// Packets that were sent again.
    package var repeats = 0
    /// The time that all packets were on the air, empty ones of counted events included.
    package var airTime = TimeSpan.zero

    package init() {}
}
