package import MeshFiles
import MeshWire

/// The verdicts of several implementations beside each other: a row for each statement, a column for each report.
///
/// Reports are those of `comply`, read from files. It holds no clock: dates are those of the reports.
package struct ImplementationMatrix: Sendable {
    /// A report with the name of its file.
    package struct Source: Sendable {
        package let file: String
        package let report: TestReport

        package init(file: String, report: TestReport) {
            (self.file, self.report) = (file, report)
        }
    }

    /// An implementation in one role.
    struct Column: Sendable {
        let name: String
        let node: TestedNode
        let report: TestReport
        /// Its entries by their identifiers.
        let entries: [String: TestReport.Entry]
        /// The entries in which it does something else than the statement says, and their places by identifier.
        let departures: [TestReport.Entry]
        let places: [String: Int]

        /// The badge of the implementation.
        var badge: StatusBadge { report.badge.labelled(name) }
    }

    /// A statement, with the places of the implementations that were asked.
    struct Row: Hashable, Sendable {
        let id: String
        let title: String
    }

    /// Statements under one heading.
    struct Group: Sendable {
        let title: String
        var rows: [Row]
    }

    /// The implementations of one role, and all statements that one of them was asked.
    struct Section: Sendable {
        let role: TestedNode.Role
        let columns: [Column]
        let groups: [Group]
    }

    /// The sections in the order of the roles.
    let sections: [Section]

    /// Reports that a matrix may have.
    package static let mostReports = 64

    /// Lays reports beside each other, in their order.
    ///
    /// Throws when one is no report of `comply`, says nothing of its node, has a statement twice or too many of them,
    /// or when two are of one implementation in one role.
    package init(_ sources: [Source]) throws(FileProblem) {
        guard sources.count <= Self.mostReports else {
            throw FileProblem(line: 0, reason: "a matrix has at most \(Self.mostReports) reports, not \(sources.count)")
        }
        var columns: [TestedNode.Role: [Column]] = [:]
        var files: [String: String] = [:]
        for source in sources {
            let column = try Self.column(source)
            let key = column.node.role.rawValue + " " + column.name
            if let other = files[key] {
                throw FileProblem(
                    file: source.file, line: 0,
                    reason: "is of the \(column.node.role) '\(column.name.visibleLine)', and so is "
                        + "\(other.visibleLine); comply --name gives another name")
            }
            files[key] = source.file
            columns[column.node.role, default: []].append(column)
        }
        sections = TestedNode.Role.allCases.compactMap { role in
            columns[role].map { Section(role: role, columns: $0, groups: Self.groups(of: $0)) }
        }
    }

    private static func column(_ source: Source) throws(FileProblem) -> Column {
        let read = try NodeReport(source.report, of: source.file)
        let departures = read.report.entries.filter(\.isDeparture)
        let places = Dictionary(uniqueKeysWithValues: departures.enumerated().map { ($0.element.id, $0.offset) })
        return Column(
            name: read.name, node: read.node, report: read.report, entries: read.entries, departures: departures,
            places: places)
    }

    /// The statements of all columns by their headings, in the order of the longest report and then of the others.
    private static func groups(of columns: [Column]) -> [Group] {
        var groups: [Group] = []
        var places: [String: Int] = [:]
        var seen: Set<String> = []
        let ordered = columns.enumerated().sorted {
            ($1.element.entries.count, $0.offset) < ($0.element.entries.count, $1.offset)
        }
        for entry in ordered.flatMap({ $0.element.report.entries }) where seen.insert(entry.id).inserted {
            let place = places[entry.group] ?? groups.count
            if place == groups.count {
                places[entry.group] = place
                groups.append(Group(title: entry.group, rows: []))
            }
            groups[place].rows.append(Row(id: entry.id, title: entry.title))
        }
        return groups
    }

    /// Implementations, each in its role.
    var count: Int { sections.reduce(0) { $0 + $1.columns.count } }

    /// The newest date of the reports; `nil` when none has one.
    var date: String? { sections.flatMap(\.columns).compactMap { $0.report.provenance?.date }.max() }
}

extension ImplementationMatrix.Column {
    /// The verdict on a statement; `nil` where it was not asked.
    func entry(_ row: ImplementationMatrix.Row) -> TestReport.Entry? { entries[row.id] }

    /// The place of a statement among the departures; `nil` where it is none.
    func departure(_ row: ImplementationMatrix.Row) -> Int? { places[row.id] }

    /// The parts of the node's own words that are known.
    var words: String {
        [
            node.model, node.version, node.build.isEmpty ? "" : "of " + node.build,
            node.level.map { "level \($0)" } ?? "",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The number of entries with each verdict, in the order of tables.
    var counts: [(name: String, count: Int)] {
        [
            ("kept", report.kept), ("broken", report.broken), ("differs", report.different),
            ("lacks", report.lacking), ("not run", report.notRun), ("not applicable", report.notApplicable),
        ]
    }
}
