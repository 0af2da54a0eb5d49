import PocketMeshServices

/// Radio parameters in people's units, and the region that has agreed upon them.
struct RadioRow: Encodable, CustomStringConvertible {
    let megahertz: Double
    let kilohertz: Double
    let spreadingFactor: UInt8
    let codingRate: UInt8
    let preset: String?

    init(_ parameters: RadioParameters) {
        megahertz = Double(parameters.frequencyKHz) / 1000
        kilohertz = Double(parameters.bandwidthHz) / 1000
        spreadingFactor = parameters.spreadingFactor
        codingRate = parameters.codingRate
        preset = RadioPreset.matching(parameters)?.id
    }

    var text: String { "\(megahertz) MHz, \(kilohertz) kHz, SF\(spreadingFactor), CR4/\(codingRate)" }

    var description: String { text + (preset.map { " (\($0))" } ?? "") }
}
