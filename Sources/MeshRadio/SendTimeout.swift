import MeshWire

/// The time-outs that a companion radio reports when it has sent something, from the airtime of the payload plus 6
/// bytes.
///
/// Computed in 32-bit floating point, which shows with the slowest settings only. Source: OverTheAir, "Send time-outs"
/// (OTA-070).
public enum SendTimeout {
    /// Returns the time-out of a flooded packet: 500 ms and sixteen times the airtime.
    public static func flood(airtimeMilliseconds: UInt32) -> UInt32 {
        UInt32(wholePart: 500 + 16 * Float(airtimeMilliseconds))
    }

    /// Returns the time-out of a packet along a path: 500 ms, and for each transmission 250 ms and six times the
    /// airtime.
    ///
    /// `hops` is the number of repeaters, 0 for a neighbour.
    public static func direct(airtimeMilliseconds: UInt32, hops: Int) -> UInt32 {
        UInt32(wholePart: 500 + (Float(airtimeMilliseconds) * 6 + 250) * Float(hops + 1))
    }
}
