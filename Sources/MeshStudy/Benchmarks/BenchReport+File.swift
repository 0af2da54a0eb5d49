package import MeshFiles

// Reading what a run has saved: a file of the user's, so every member is looked at.
extension BenchReport {
    /// Bytes of a file: room for all repetitions of every benchmark.
    package static let sizeLimit = 4 << 20
    /// More figures than any benchmark has.
    private static let figureLimit = 2000
    /// More repetitions than the command makes.
    private static let sampleLimit = 1000
    private static let numbers = -1e300...1e300

    package init(reading bytes: [UInt8]) throws(FileProblem) {
        let members = try JSONFields(reading: bytes)
        try members.allow(["bench", "provenance", "machine", "figures", "digests"])
        guard let build = try members.object("provenance") else { throw members.missing("provenance") }
        try build.allow(["version", "commit"])
        self.init(
            try members.needString("bench"),
            provenance: Build(version: try build.needString("version"), commit: try build.string("commit")),
            machine: try members.needString("machine"))
        guard let list = try members.list("figures") else { throw members.missing("figures") }
        guard list.count <= Self.figureLimit else {
            throw members.problem("figures", "has \(list.count) figures, and \(Self.figureLimit) are the most")
        }
        var names: Set<String> = []
        for (index, value) in list.enumerated() {
            let fields = try JSONFields(value, at: "figures[\(index)]")
            let figure = try Self.figure(fields)
            guard names.insert(figure.name).inserted else { throw fields.problem("name", "is there twice") }
            figures.append(figure)
        }
        guard let texts = try members.object("digests") else { return }
        for key in texts.keys { digests[key] = try texts.needString(key) }
    }

    private static func figure(_ fields: JSONFields) throws(FileProblem) -> BenchFigure {
        try fields.allow(["name", "unit", "kind", "better", "samples"])
        let kind = try word(BenchFigure.Kind.self, "kind", fields)
        guard let kind else { throw fields.missing("kind") }
        var figure = BenchFigure(
            try fields.needString("name"), 0, try fields.needString("unit"), kind,
            better: try word(BenchFigure.Direction.self, "better", fields))
        guard let list = try fields.list("samples"), !list.isEmpty else { throw fields.missing("samples") }
        guard list.count <= sampleLimit else { throw fields.problem("samples", "are more than \(sampleLimit)") }
        figure.samples = []
        for value in list {
            guard case .number(let number) = value.content, numbers.contains(number) else {
                throw fields.problem("samples", "must be numbers from -1e300 to 1e300")
            }
            if kind == .count, number != number.rounded() {
                throw fields.problem("samples", "\(number) is no count")
            }
            figure.samples.append(number)
        }
        return figure
    }

    private static func word<W: RawRepresentable & CaseIterable>(
        _: W.Type, _ key: String, _ fields: JSONFields
    ) throws(FileProblem) -> W? where W.RawValue == String {
        guard let text = try fields.string(key) else { return nil }
        guard let word = W(rawValue: text) else {
            throw fields.problem(key, "is none of \(W.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }
}
