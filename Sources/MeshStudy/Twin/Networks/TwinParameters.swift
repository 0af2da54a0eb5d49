package import MeshFiles
import MeshWorlds

/// The numbers by which observed links become signals; every one is stated, and some may be fitted.
///
/// Observed links have counts. The ratio of a count to the median of the network's counts gives an SNR. So the numbers
/// mean the same in networks that were observed for a day and for a month.
package struct TwinParameters: Hashable, Sendable {
    /// One of the numbers.
    package enum Name: String, Hashable, Sendable, CaseIterable {
        case countBase = "count_base_db"
        case countSlope = "count_slope_db"
        case reverseLoss = "reverse_loss_db"
        case leastCount = "least_count"
        case placeSNR = "place_snr_db"
        case linkLoss = "link_loss"
        case fading = "fading_db"
        case floodDelay = "flood_delay_factor"

        /// The description for people.
        package var summary: String {
            switch self {
            case .countBase: "SNR of a link with the median count, dB"
            case .countSlope: "SNR that ten times the count adds, dB"
            case .reverseLoss: "how much weaker a direction is that was never seen, dB"
            case .leastCount: "links with fewer paths than this multiple of the median count are guesses, and left out"
            case .placeSNR: "SNR over 10 km of a pair with places and no observed link, dB"
            case .linkLoss: "share of frames lost on any link, whatever the signal"
            case .fading: "standard deviation of slow fading, dB"
            case .floodDelay: "the repeaters' flood delay factor (txdelay)"
            }
        }

        /// The values that a fit may try.
        package var range: ClosedRange<Double> {
            switch self {
            case .countBase: -8...8
            case .countSlope: 0...12
            case .reverseLoss: 0...20
            case .leastCount: 0...4
            case .placeSNR: -40...(-8)
            case .linkLoss: 0...0.6
            case .fading: 0...8
            case .floodDelay: 0...2
            }
        }

        /// The default value: a guess, or the firmware's default.
        package var usual: Double {
            switch self {
            case .countBase: 0
            case .countSlope: 6
            case .reverseLoss: 6
            case .leastCount: 0
            case .placeSNR: -20
            case .linkLoss: 0.1
            case .fading: 2.3
            case .floodDelay: 0.5
            }
        }

        func parameter() throws(StatisticsError) -> Parameter { try Parameter(rawValue, in: range) }
    }

    /// Figures that they were fitted on, which are no evidence for them.
    package var fittedOn: [String] = []
    private var values: [Double] = Name.allCases.map(\.usual)

    package init() {}

    package subscript(name: Name) -> Double {
        get { values[Name.allCases.firstIndex(of: name) ?? 0] }
        set {
            let range = name.range
            values[Name.allCases.firstIndex(of: name) ?? 0] = min(max(newValue, range.lowerBound), range.upperBound)
        }
    }

    /// Those of the member `twin` of a world file.
    package init(_ fields: JSONFields) throws(FileProblem) {
        try fields.allow(Name.allCases.map(\.rawValue) + ["fitted_on"])
        for name in Name.allCases {
            if let value = try fields.number(name.rawValue, in: name.range) { self[name] = value }
        }
        for value in try fields.list("fitted_on") ?? [] {
            if case .string(let name) = value.content { fittedOn.append(name) }
        }
    }

    /// Rounded to four digits, as they stand in a file: what was tried is what is written.
    package mutating func round() {
        for name in Name.allCases { self[name] = (self[name] * 10_000).rounded() / 10_000 }
    }

    /// As an object of JSON.
    package var json: String {
        var members = Name.allCases.map { "\"\($0.rawValue)\": \(self[$0])" }
        if !fittedOn.isEmpty { members.append("\"fitted_on\": [\(fittedOn.map(quoted).joined(separator: ", "))]") }
        return "{" + members.joined(separator: ", ") + "}"
    }
}
