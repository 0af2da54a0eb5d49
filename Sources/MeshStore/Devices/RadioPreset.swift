/// Radio parameters that a region has agreed upon.
public struct RadioPreset: Hashable, Sendable, Identifiable {
    /// The region in which a preset is in use.
    public enum Region: String, Hashable, Sendable, CaseIterable {
        case northAmerica = "North America"
        case europe = "Europe"
        case oceania = "Oceania"
        case asia = "Asia"
    }

    public let id: String
    /// The name for users.
    public let name: String
    /// The region in which it is in use.
    public let region: Region
    /// ISO codes of the countries that it is for; empty for the whole region.
    public let countries: [String]
    /// The parameters themselves.
    public let parameters: RadioParameters

    private init(
        _ id: String, _ name: String, _ region: Region, _ countries: [String], _ megahertz: Double,
        sf: UInt8, _ kilohertz: Double, cr: UInt8
    ) {
        self.id = id
        self.name = name
        self.region = region
        self.countries = countries
        parameters = RadioParameters(megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: sf, codingRate: cr)
    }

    /// All presets, in no country's order.
    public static let all = [
        RadioPreset("au-915", "Australia", .oceania, ["AU"], 915.800, sf: 10, 250, cr: 5),
        RadioPreset("au-vic", "Australia: Victoria", .oceania, ["AU"], 916.575, sf: 7, 62.5, cr: 8),
        RadioPreset("nz-lr", "New Zealand", .oceania, ["NZ"], 917.375, sf: 11, 250, cr: 5),
        RadioPreset("nz-narrow", "New Zealand (narrow)", .oceania, ["NZ"], 917.375, sf: 7, 62.5, cr: 5),
        RadioPreset("eu-narrow", "EU/UK (narrow)", .europe, [], 869.618, sf: 8, 62.5, cr: 8),
        RadioPreset("eu-lr", "EU/UK (long range)", .europe, [], 869.525, sf: 11, 250, cr: 5),
        RadioPreset("eu-mr", "EU/UK (medium range)", .europe, [], 869.525, sf: 10, 250, cr: 5),
        RadioPreset("cz-narrow", "Czech Republic (narrow)", .europe, ["CZ"], 869.525, sf: 7, 62.5, cr: 5),
        RadioPreset("eu-433-lr", "EU 433 MHz (long range)", .europe, [], 433.650, sf: 11, 250, cr: 5),
        RadioPreset("pt-433", "Portugal 433", .europe, ["PT"], 433.375, sf: 9, 62.5, cr: 6),
        RadioPreset("pt-868", "Portugal 868", .europe, ["PT"], 869.618, sf: 7, 62.5, cr: 6),
        RadioPreset("ch", "Switzerland", .europe, ["CH"], 869.618, sf: 8, 62.5, cr: 8),
        RadioPreset("us-ca", "USA/Canada", .northAmerica, ["US", "CA"], 910.525, sf: 7, 62.5, cr: 5),
        RadioPreset("vn", "Vietnam", .asia, ["VN"], 920.250, sf: 11, 250, cr: 5),
    ]

    /// All presets, those of the country first, then those of its region; `country` is an ISO code such as `DE`.
    public static func ordered(for country: String?) -> [RadioPreset] {
        let country = country?.uppercased() ?? ""
        let region = region(of: country)
        func rank(_ preset: RadioPreset) -> Int {
            if preset.countries.contains(country) { return 0 }
            guard preset.region == region else { return 3 }
            return preset.countries.isEmpty ? 1 : 2
        }
        return (0...3).flatMap { wanted in all.filter { rank($0) == wanted } }
    }

    /// The first preset in the country's order that the parameters come close to: 0.1 MHz and 1 kHz.
    public static func matching(_ parameters: RadioParameters, for country: String? = nil) -> RadioPreset? {
        ordered(for: country).first { $0.isNear(parameters) }
    }

    func isNear(_ other: RadioParameters) -> Bool {
        // Differences of whole kilohertz and hertz: both limits are exact.
        let own = parameters
        return abs(Int64(own.frequencyKHz) - Int64(other.frequencyKHz)) <= 100
            && abs(Int64(own.bandwidthHz) - Int64(other.bandwidthHz)) <= 1000
            && own.spreadingFactor == other.spreadingFactor && own.codingRate == other.codingRate
    }

    /// The region of a country, as far as presets are concerned; `nil` where there is none for it.
    private static func region(of country: String) -> Region? {
        countriesOfRegions.first { $0.countries.contains(country) }?.region
    }

    private static let countriesOfRegions: [(region: Region, countries: Set<String>)] = [
        (.northAmerica, ["US", "CA", "MX", "PR"]),
        (
            .europe,
            [
                "AD", "AL", "AT", "BA", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR",
                "HR", "HU", "IE", "IS", "IT", "LI", "LT", "LU", "LV", "MC", "MD", "ME", "MK", "MT", "NL", "NO", "PL",
                "PT", "RO", "RS", "SE", "SI", "SK", "SM", "UA", "XK",
            ]
        ),
        (.oceania, ["AU", "NZ", "FJ", "PG"]),
        (.asia, ["VN", "TH", "MY", "SG", "ID", "PH", "TW", "HK", "JP", "KR", "IN", "CN", "LA", "KH"]),
    ]
}

extension DeviceDTO {
    /// The parameters with which the radio sends and receives.
    public var radioParameters: RadioParameters {
        RadioParameters(
            frequencyKHz: frequencyKHz, bandwidthHz: bandwidthHz, spreadingFactor: spreadingFactor,
            codingRate: codingRate)
    }

    /// The preset that the radio is set to, by the order of a country.
    public func matchingPreset(for country: String? = nil) -> RadioPreset? {
        RadioPreset.matching(radioParameters, for: country)
    }
}
