/// The disturbance by frames of other spreading factors, on the same frequency and bandwidth.
public enum CrossTalk {
    /// The least difference of the wanted frame over a disturbing one at which it survives, in dB.
    ///
    /// It is negative, since chirps of other spreading factors disturb little. Rows are wanted, columns disturbing
    /// spreading factors 7 to 12.
    ///
    /// Croce and others (IEEE Communications Letters 22(4), 2018) checked theirs against chips. The computed values of
    /// Goursaud and Gorce (2015) are 8 to 14 dB lower; they state no loss that chips would not show.
    private static let rows: [[Int]] = [
        [1, -8, -9, -9, -9, -9],
        [-11, 1, -11, -12, -13, -13],
        [-15, -13, 1, -13, -14, -15],
        [-19, -18, -17, 1, -17, -18],
        [-22, -22, -21, -20, 1, -20],
        [-25, -25, -25, -24, -23, 1],
    ]

    /// The threshold for a wanted and a disturbing spreading factor, in 1/100 dB; those below 7 count as 7.
    public static func thresholdHundredths(wanted: UInt8, disturbing: UInt8) -> Int {
        rows[place(wanted)][place(disturbing)] * 100
    }

    /// Returns the factor for a disturbing frame's power, by which the threshold for equal spreading factors holds
    /// for it.
    static func factor(wanted: UInt8, disturbing: UInt8, _ captureFactor: Double) -> Double {
        LinearPower.milliwatts(thresholdHundredths(wanted: wanted, disturbing: disturbing)) / captureFactor
    }

    private static func place(_ spreadingFactor: UInt8) -> Int { Int(min(max(spreadingFactor, 7), 12)) - 7 }
}
