// The matrix as rows of words, for terminals and articles.
extension ImplementationMatrix {
    /// The heading of the table of implementations.
    package static let heading = [
        "", "role", "implementation", "checked against", "date", "kept", "broken", "differs", "lacks", "not run", "n/a",
    ]

    /// A row for each implementation; its number comes first.
    package var rows: [[String]] {
        var number = 0
        return sections.flatMap { section in
            section.columns.map { column in
                number += 1
                let date = column.report.provenance.map { String($0.date.prefix(10)) } ?? ""
                let ended = column.report.abortedBecause == nil ? "" : " (ended early)"
                return [
                    "\(number)", section.role.rawValue, column.name.clipped(60) + ended, column.node.reference, date,
                ]
                    + column.counts.map { "\($0.count)" }
            }
        }
    }

    /// The verdicts on statements that someone breaks, differs in or lacks: for each role a heading with the numbers of
    /// its implementations, and a row for each such statement.
    package var departures: [(role: String, heading: [String], rows: [[String]])] {
        var first = 1
        return sections.compactMap { section in
            defer { first += section.columns.count }
            let rows = section.groups.flatMap(\.rows).filter { row in
                section.columns.contains { $0.entry(row)?.isDeparture ?? false }
            }
            guard !rows.isEmpty else { return nil }
            let numbers = section.columns.indices.map { "\(first + $0)" }
            return (
                section.role.plural, ["statement"] + numbers + ["about"],
                rows.map { row in
                    [row.id.clipped(40)] + section.columns.map { $0.entry(row)?.verdict.shortWord ?? "" }
                        + [row.title.clipped(80)]
                }
            )
        }
    }
}

extension TestReport.Entry {
    /// Tells whether the node does something else than the statement says.
    var isDeparture: Bool { isFailure || isDifferent || isLacking }
}

extension TestReport.Verdict {
    /// The word for a narrow column.
    var shortWord: String {
        switch self {
        case .kept: "kept"
        case .broken: "BROKEN"
        case .differs: "differs"
        case .lacks: "lacks"
        case .notApplicable: "n/a"
        case .notRun: "-"
        case .couldNotRun: "FAILED"
        case .invalid: "INVALID"
        }
    }
}
