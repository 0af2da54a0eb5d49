import MeshWire

/// The probability that noise alone spoils symbols, and so frames: a curve for each spreading factor.
///
/// A symbol is one of 2^SF orthogonal chirps. A receiver without phase distinguishes them by their energy
/// (Afisiadis and others, IEEE Transactions on Wireless Communications 19(2), 2020, equation 16). A frame is lost
/// with its first wrong symbol. The curve is placed so that 1 % of frames of 40 symbols are lost at the limit of
/// the spreading factor. Datasheets call that limit sensitivity. The loss rises from 1 % to 99 % within 3.2 to 4.4
/// dB.
enum SymbolLoss {
    /// From which distance to the limit on the table holds, in 1/100 dB. Below, no frame is received.
    static let first = -500
    /// The step of the table, in 1/100 dB.
    static let step = 25
    /// From here on no frame is lost.
    static let last = first + step * (hazards[0].count - 1)

    /// The negative logarithm of the probability that a symbol is right, in units of 2^-24.
    ///
    /// - Parameters:
    ///   - margin: of the SNR over the limit, in 1/100 dB; `first` to `last`.
    ///   - spreadingFactor: 5 to 12; others count as the nearest of these.
    static func hazard(margin: Int, spreadingFactor: UInt8) -> UInt64 {
        let row = hazards[Int(min(max(spreadingFactor, 5), 12)) - 5]
        let offset = min(max(margin, first), last) - first
        let place = min(offset / step, row.count - 2)
        let (low, high) = (Int(row[place]), Int(row[place + 1]))
        return UInt64(low + (high - low) * (offset - place * step) / step)
    }

    /// Returns whether a frame of so many symbols is lost.
    ///
    /// - Parameter draw: twelve random bits, the same for every margin: a receiver of a frame also receives it
    ///   where it is stronger.
    static func spoils(symbols: Int, margin: Int, spreadingFactor: UInt8, draw: UInt64) -> Bool {
        guard margin < last else { return false }
        guard margin >= first else { return true }
        return hazard(margin: margin, spreadingFactor: spreadingFactor) * UInt64(symbols) > lives[Int(draw & 4095)]
    }

    /// Below this margin no modem notices a frame, in 1/100 dB.
    static let faintest = -600

    /// Returns whether a modem notices a frame that it cannot decode: all at the limit, none at `faintest`, a
    /// straight line between.
    static func isNoticed(margin: Int, draw: UInt64) -> Bool {
        Int(draw & 4095) * -faintest < (margin - faintest) * 4096
    }

    /// Exponentially distributed numbers in units of 2^-24, one for each draw.
    private static let lives: [UInt64] = (0..<4096).map { draw in
        UInt64(nearest: -Decibels.log10((Double(draw) + 0.5) / 4096) * 2.302585092994046 * 16_777_216)
    }

    /// For spreading factors 5 to 12. The integral over the Rice density was computed with 6,000 steps of the
    /// trapezoidal rule; the rows are in steps of `step`.
    private static let hazards: [[UInt32]] = [
        [
            3_029_650, 2_580_289, 2_174_105, 1_810_725, 1_489_288, 1_208_432, 966_309, 760_608, 588_608, 447_251,
            333_228, 243_095, 173_382, 120_711, 81_903, 54_066, 34_664, 21_546, 12_959, 7_528, 4_215, 2_271, 1_174,
            581, 275, 124, 53,
        ],
        [
            3_673_521, 3_127_735, 2_633_740, 2_191_319, 1_799_654, 1_457_298, 1_162_181, 911_630, 702_424, 530_881,
            392_969, 284_442, 200_994, 138_413, 92_725, 60_316, 38_024, 23_185, 13_646, 7_736, 4_215, 2_203, 1_102,
            526, 239, 103, 42,
        ],
        [
            4_351_963, 3_705_695, 3_119_862, 2_594_479, 2_128_845, 1_721_501, 1_370_217, 1_072_007, 823_187, 619_464,
            456_074, 327_946, 229_893, 156_814, 103_878, 66_689, 41_407, 24_810, 14_314, 7_934, 4_215, 2_141, 1_038,
            478, 209, 87, 34,
        ],
        [
            5_062_553, 4_312_184, 3_630_888, 3_018_980, 2_475_946, 2_000_382, 1_589_963, 1_241_444, 950_714, 712_896,
            522_491, 373_585, 260_074, 175_916, 115_368, 73_193, 44_819, 26_428, 14_969, 8_125, 4_215, 2_085, 981,
            437, 184, 73, 27,
        ],
        [
            5_802_899, 4_945_210, 4_165_200, 3_463_542, 2_839_974, 2_293_212, 1_820_896, 1_419_580, 1_084_771,
            811_028, 592_132, 421_310, 291_512, 195_710, 127_192, 79_828, 48_265, 28_040, 15_612, 8_309, 4_215,
            2_033, 929, 402, 164, 63, 22,
        ],
        [
            6_570_832, 5_602_954, 4_721_305, 3_926_972, 3_220_002, 2_599_292, 2_062_511, 1_606_064, 1_225_120,
            913_710, 664_905, 471_069, 324_179, 216_180, 139_345, 86_594, 51_743, 29_648, 16_245, 8_487, 4_215,
            1_985, 883, 370, 146, 54, 18,
        ],
        [
            7_364_447, 6_283_805, 5_297_874, 4_408_201, 3_615_195, 2_917_993, 2_314_348, 1_800_572, 1_371_545,
            1_020_803, 740_726, 522_812, 358_048, 237_315, 151_822, 93_490, 55_256, 31_254, 16_868, 8_659, 4_215,
            1_940, 841, 342, 130, 46, 15,
        ],
        [
            8_182_087, 6_986_358, 5_893_742, 4_906_287, 4_024_815, 3_248_754, 2_575_997, 2_002_818, 1_523_855,
            1_132_187, 819_522, 576_500, 393_097, 259_103, 164_618, 100_515, 58_804, 32_859, 17_482, 8_827, 4_215,
            1_898, 803, 318, 117, 40, 13,
        ],
    ]
}
