/// The settings that the communities of a region have agreed on, under the names that apps give them.
public struct RegionPreset: Hashable, Sendable {
    /// The name of the preset in apps.
    public let name: String
    /// The settings themselves.
    public let parameters: LoRaParameters

    private init(_ name: String, _ kilohertz: UInt32, _ spreadingFactor: UInt8, _ hertz: UInt32, _ codingRate: UInt8) {
        self.name = name
        parameters = LoRaParameters(
            frequencyKilohertz: kilohertz, bandwidthHertz: hertz, spreadingFactor: spreadingFactor,
            codingRate: codingRate)
    }

    /// The parameters of a radio that was never set.
    public static let firmwareDefault = RegionPreset("default", 869_618, 8, 62_500, 5)

    public static let australia = RegionPreset("au-915", 915_800, 10, 250_000, 5)
    public static let australiaVictoria = RegionPreset("au-vic", 916_575, 7, 62_500, 8)
    public static let newZealandLongRange = RegionPreset("nz-lr", 917_375, 11, 250_000, 5)
    public static let newZealandNarrow = RegionPreset("nz-narrow", 917_375, 7, 62_500, 5)
    public static let europeNarrow = RegionPreset("eu-narrow", 869_618, 8, 62_500, 8)
    public static let europeLongRange = RegionPreset("eu-lr", 869_525, 11, 250_000, 5)
    public static let europeMediumRange = RegionPreset("eu-mr", 869_525, 10, 250_000, 5)
    public static let czechNarrow = RegionPreset("cz-narrow", 869_525, 7, 62_500, 5)
    public static let europe433LongRange = RegionPreset("eu-433-lr", 433_650, 11, 250_000, 5)
    public static let portugal433 = RegionPreset("pt-433", 433_375, 9, 62_500, 6)
    public static let portugal868 = RegionPreset("pt-868", 869_618, 7, 62_500, 6)
    public static let switzerland = RegionPreset("ch", 869_618, 8, 62_500, 8)
    public static let unitedStatesCanada = RegionPreset("us-ca", 910_525, 7, 62_500, 5)
    public static let vietnam = RegionPreset("vn", 920_250, 11, 250_000, 5)

    /// All of them, the firmware's default first.
    public static let all: [RegionPreset] = [
        .firmwareDefault, .australia, .australiaVictoria, .newZealandLongRange, .newZealandNarrow, .europeNarrow,
        .europeLongRange, .europeMediumRange, .czechNarrow, .europe433LongRange, .portugal433, .portugal868,
        .switzerland, .unitedStatesCanada, .vietnam,
    ]

    /// The preset of that name, or `nil`.
    public static func named(_ name: String) -> RegionPreset? {
        all.first { $0.name == name }
    }
}
