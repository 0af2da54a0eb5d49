import MeshFiles

extension ImplementationMatrix {
    /// The matrix as JSON with sorted keys.
    ///
    /// ```json
    /// {
    ///   "format": "meshbed-matrix/1",
    ///   "implementations": [
    ///     {
    ///       "name": "Heltec V3 v1.17.1", "role": "companion", "model": "Heltec V3", "version": "v1.17.1",
    ///       "build": "15 Nov 2026", "level": 13, "against": "1.17.1", "target": "serial:/dev/ttyUSB0",
    ///       "date": "2026-11-22T18:52:56Z", "tool": "0.3.0 (3c85ea2f0d)", "aborted": "only where the run ended early",
    ///       "counts": {"kept": 241, "broken": 1, "differs": 0, "lacks": 0, "not run": 21, "not applicable": 2}
    ///     }
    ///   ],
    ///   "statements": [
    ///     {
    ///       "id": "CMP-034", "role": "companion", "group": "D Dispatch and buffers", "title": "…",
    ///       "verdicts": {"Heltec V3 v1.17.1": "broken"},
    ///       "departures": {
    ///         "Heltec V3 v1.17.1": {
    ///           "details": ["step 3", "got …"], "exchange": ["app> 05"], "repeat": "meshbed comply …",
    ///           "reason": "only for differs, lacks and could not run"
    ///         }
    ///       }
    ///     }
    ///   ]
    /// }
    /// ```
    package var json: String { ((try? MatrixFile(self).jsonText()) ?? "{}") + "\n" }
}

private struct MatrixFile: Encodable {
    struct ImplementationRecord: Encodable {
        let name: String
        let role: String
        let model: String?
        let version: String?
        let build: String?
        let level: UInt8?
        let against: String
        let target: String
        let date: String?
        let tool: String?
        let aborted: String?
        let counts: [String: Int]

        init(_ column: ImplementationMatrix.Column) {
            let (node, report) = (column.node, column.report)
            name = column.name
            role = node.role.rawValue
            model = node.model.isEmpty ? nil : node.model
            version = node.version.isEmpty ? nil : node.version
            build = node.build.isEmpty ? nil : node.build
            level = node.level
            against = node.reference
            target = report.target
            date = report.provenance?.date
            tool = report.provenance?.version.description
            aborted = report.abortedBecause
            counts = Dictionary(uniqueKeysWithValues: column.counts.map { ($0.name, $0.count) })
        }
    }

    struct DepartureRecord: Encodable {
        let reason: String?
        let details: [String]
        let exchange: [String]
        let `repeat`: String

        init(_ entry: TestReport.Entry) {
            reason = entry.reason
            details = entry.details
            exchange = entry.exchange
            `repeat` = entry.repeatCommand
        }
    }

    struct StatementRecord: Encodable {
        let id: String
        let role: String
        let group: String
        let title: String
        var verdicts: [String: String] = [:]
        var departures: [String: DepartureRecord] = [:]

        init(_ row: ImplementationMatrix.Row, _ group: String, _ section: ImplementationMatrix.Section) {
            (id, role, self.group, title) = (row.id, section.role.rawValue, group, row.title)
            for column in section.columns {
                guard let entry = column.entry(row) else { continue }
                verdicts[column.name] = entry.verdict.words
                if entry.isDeparture { departures[column.name] = DepartureRecord(entry) }
            }
        }
    }

    let format = "meshbed-matrix/1"
    let implementations: [ImplementationRecord]
    let statements: [StatementRecord]

    init(_ matrix: ImplementationMatrix) {
        implementations = matrix.sections.flatMap(\.columns).map(ImplementationRecord.init)
        statements = matrix.sections.flatMap { section in
            section.groups.flatMap { group in group.rows.map { StatementRecord($0, group.title, section) } }
        }
    }
}
