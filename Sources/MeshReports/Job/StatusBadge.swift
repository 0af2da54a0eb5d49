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

    /// The same result under another label.
    func labelled(_ label: String) -> StatusBadge { StatusBadge(label: label, message: message, color) }

    /// The file.
    package var json: String { ((try? jsonText()) ?? "{}") + "\n" }
}

extension TestReport {
    /// The badge of the run. What is broken was required; what only differs from a quirk, or lacks a part, was not.
    package var badge: StatusBadge {
        let label = title.lowercased()
        let ran = "\(kept + broken + different + lacking)"
        if broken > 0 { return StatusBadge(label: label, message: "\(broken) of \(ran) broken", .bad) }
        if exitCode != 0 { return StatusBadge(label: label, message: headline.lowercased(), .unknown) }
        if different + lacking > 0 {
            var parts = ["\(kept) kept"]
            if different > 0 { parts.append("\(different) \(different == 1 ? "differs" : "differ")") }
            if lacking > 0 { parts.append("\(lacking) \(lacking == 1 ? "lacks" : "lack")") }
            return StatusBadge(label: label, message: parts.joined(separator: ", "), .partly)
        }
        return StatusBadge(label: label, message: "\(kept) kept", .good)
    }
}
