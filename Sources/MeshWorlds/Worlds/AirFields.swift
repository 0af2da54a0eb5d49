package import MeshFiles
package import MeshSimulator
import MeshTime
import MeshWire

/// The air in files: the name of a model, or an object with the name and numbers that differ from it.
package enum AirFields {
    private static let numbers = [
        "capture_db", "locked_db", "critical_symbols", "fading_db", "fading_coherence_s", "noise_floor_dbm",
    ]

    /// Reads the member `air`, where there is one, over a model.
    package static func read(_ fields: JSONFields, into air: inout AirModel) throws(FileProblem) {
        guard let value = fields.member("air") else { return }
        if case .string(let name) = value.content { return air = try model(name, fields, "air") }
        let object = try JSONFields(value, at: fields.path("air"))
        try object.allow(["model"] + numbers)
        if let name = try object.string("model") { air = try model(name, object, "model") }
        func hundredths(_ key: String, _ range: ClosedRange<Double>) throws(FileProblem) -> Int? {
            try object.number(key, in: range).map { Int(nearest: $0 * 100) }
        }
        if let value = try hundredths("capture_db", 0...30) { air.captureThresholdHundredths = value }
        if let value = try hundredths("locked_db", 0...30) { air.lockedThresholdHundredths = value }
        if let value = try object.integer("critical_symbols", in: 1...32) { air.criticalPreambleSymbols = value }
        if let value = try hundredths("fading_db", 0...20) { air.fading.deviationHundredths = value }
        if let value = try object.number("fading_coherence_s", in: 0.001...86_400) {
            air.fading.coherence = .microseconds(Int64(wholePart: value * 1_000_000))
        }
        if let value = try object.number("noise_floor_dbm", in: -150...(-60)) {
            air.noiseFloor = Int16(wholePart: value)
        }
    }

    private static func model(_ name: String, _ fields: JSONFields, _ key: String) throws(FileProblem) -> AirModel {
        guard let model = AirModel(named: name) else {
            let known = AirModel.named.map(\.name).joined(separator: ", ")
            throw fields.problem(key, "is no model of the air; known are \(known)")
        }
        return model
    }
}

extension AirModel {
    /// The name, with the fading where that alone differs; else that numbers differ from every model that has a name.
    package var words: String {
        if let name { return name }
        let near = AirModel.named.first { named in
            var model = named.model
            model.fading = fading
            return model == self
        }
        guard let near else { return "own numbers" }
        return "\(near.name) with fading of \(Double(fading.deviationHundredths) / 100) dB"
    }
}
