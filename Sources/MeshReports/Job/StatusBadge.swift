import MeshFiles

/// A result as a badge: the JSON that the endpoint badge of shields.io reads.
package struct StatusBadge: Hashable, Sendable, Encodable {
    /// The colours of a badge, by the names that shields.io knows.
    package enum Color: String, Hashable, Sendable, Encodable {
        /// Everything holds.
        case good = "brightgreen"
        /// All required entries hold, and another one does not.
        case partly = "orange"
        /// Something that is required does not hold.
        case bad = "red"
        /// Nothing is known.
        case unknown = "lightgrey"
    }

    private let schemaVersion = 1
    let label: String
    let message: String
    let color: Color

    private enum CodingKeys: CodingKey {
        case schemaVersion, label, message, color
    }

    package init(label: String, message: String, _ color: Color) {
        self.label = label
        self.message = message
        self.color = color
    }

    /// The file.
    package var json: String { ((try? jsonText()) ?? "{}") + "\n" }
}

extension TestReport {
    /// The badge of the run. What is broken was required; what only differs from a quirk was not.
    package var badge: StatusBadge {
        let label = title.lowercased()
        let ran = "\(kept + broken + different)"
        if broken > 0 { return StatusBadge(label: label, message: "\(broken) of \(ran) broken", .bad) }
        if exitCode != 0 { return StatusBadge(label: label, message: headline.lowercased(), .unknown) }
        if different > 0 {
            let verb = different == 1 ? "differs" : "differ"
            return StatusBadge(label: label, message: "\(kept) kept, \(different) \(verb)", .partly)
        }
        return StatusBadge(label: label, message: "\(kept) kept", .good)
    }
}
