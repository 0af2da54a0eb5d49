import MeshWire

/// The time that a node waits before it forwards, from the airtime of its frame and one random number.
///
/// `airtimeMilliseconds` is the estimate for path bytes plus payload plus 2, the path counted as it will leave;
/// transport codes do not count. Source: OverTheAir, "Retransmit delays" (OTA-035).
public enum RetransmitDelay {
    /// Companion radio, repeater and room server: any whole millisecond from 0 to five times the scaled airtime.
    public static func uniform(airtimeMilliseconds: UInt32, factor: Float, random: UInt32) -> UInt32 {
        random % (5 &* scaled(airtimeMilliseconds, factor) &+ 1)
    }

    /// Sensor: one of six slots, 0 to 5 times the scaled airtime.
    public static func sixSlots(airtimeMilliseconds: UInt32, factor: Float, random: UInt32) -> UInt32 {
        random % 6 &* scaled(airtimeMilliseconds, factor)
    }

    /// The routing core's own default for floods: one of five slots of 52 % of the airtime.
    ///
    /// `airtimeMilliseconds` is here the estimate for the whole frame.
    public static func fiveSlots(airtimeMilliseconds: UInt32, random: UInt32) -> UInt32 {
        random % 5 &* (airtimeMilliseconds &* 52 / 50 / 2)
    }

    /// Airtime times a setting between 0 and 2, truncated; computed in 32-bit floating point as the firmware does.
    private static func scaled(_ airtime: UInt32, _ factor: Float) -> UInt32 {
        let product = Float(airtime) * factor
        return UInt32(wholePart: product, in: 0...1 << 29)
    }
}
