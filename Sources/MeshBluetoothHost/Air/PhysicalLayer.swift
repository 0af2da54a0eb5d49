package import MeshTime

/// The speed of a connection's packets on the air.
///
/// Source: Bluetooth Core 5.4, Vol 6 Part B, 2.1 and 2.4 (the parts of a packet), 4.1.1 (T_IFS).
package enum PhysicalLayer: String, Hashable, Sendable, CaseIterable {
    /// One megabit a second, which every device has.
    case le1M = "1M"
    /// Two megabits a second, since Bluetooth 5.0.
    case le2M = "2M"

    /// From the end of one packet to the beginning of the other side's.
    package static let gap: TimeSpan = .microseconds(150)
    /// The number of bytes behind the payload of an encrypted packet (MIC), unless it is empty.
    package static let integrityCheck = 4

    /// The time of a byte, in microseconds.
    private var perByte: Int { self == .le1M ? 8 : 4 }
    /// Access address, header and check sum are the same on both; the preamble lasts 8 µs.
    private var frame: Int { (self == .le1M ? 1 : 2) + 4 + 2 + 3 }

    /// Returns the time that a packet with so many bytes of payload is on the air.
    ///
    /// 27 encrypted bytes need 328 µs and 251 need 2120 µs on 1M, the limits of the length procedure (Core,
    /// 4.5.10).
    package func airTime(payload: Int, isEncrypted: Bool) -> TimeSpan {
        let check = isEncrypted && payload > 0 ? Self.integrityCheck : 0
        return .microseconds((frame + payload + check) * perByte)
    }
}
