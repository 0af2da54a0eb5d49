import MeshFiles

extension TestReport {
    /// The report as JSON with sorted keys.
    ///
    /// ```json
    /// {
    ///   "format": "meshbed-report/1",
    ///   "title": "Compliance", "command": "comply", "target": "emulator", "exitCode": 1,
    ///   "node": {
    ///     "name": "as the user calls it", "role": "companion | repeater | room | sensor", "model": "Heltec V3",
    ///     "version": "v1.17.1", "build": "15 Nov 2026", "level": 13, "against": "1.17.1"
    ///   },
    ///   "version": "0.1.0", "commit": "3c85ea2f0d", "date": "2026-11-22T18:52:56Z", "seed": 7,
    ///   "kept": 241, "broken": 1, "differs": 0, "lacks": 0, "notApplicable": 2, "notRun": 21, "couldNotRun": 0,
    ///   "invalid": 0,
    ///   "aborted": "why the run ended early, absent when it did not",
    ///   "notes": ["what there is to know besides, absent where there is nothing"],
    ///   "checks": [
    ///     {
    ///       "id": "CMP-034", "kind": "statement", "group": "D Dispatch and buffers", "title": "…", "seconds": 0.01,
    ///       "explanation": "a paragraph, if there is one", "tags": ["flood"],
    ///       "grounds": {"given": "05", "expected": "one frame", "reason": "…", "source": "…", "basis": "…"},
    ///       "verdict": "kept | broken | differs | lacks | not applicable | not run | could not run | invalid",
    ///       "reason": "why it is neither kept nor broken, only then",
    ///       "details": ["step 3", "sent …", "expected …", "got …"],
    ///       "exchange": ["app> 05", "<app 09 …"],
    ///       "transcript": ["app> 05", "<app 09 …"],
    ///       "effects": ["a fault: what it did", "absent without faults"],
    ///       "repeat": "meshbed comply --target emulator --only CMP-034"
    ///     }
    ///   ],
    ///   "matrix": {"title": "…", "rows": ["…"], "columns": ["…"], "cells": [{"row": 0, "column": 3, "count": 12}]},
    ///   "coverage": [{"name": "a flood after three direct tries", "count": 17}]
    /// }
    /// ```
    ///
    /// `grounds` are there for statements, `details`, `exchange` and `transcript` for those that are broken, differ,
    /// lack something or are invalid; `seed`, `version`, `commit`, `date`, `node`, `matrix` and `coverage` where the
    /// run has them. `exchange` is the shortest end of the transcript that shows the failure, with all bytes.
    /// `TestReport(reading:)` reads such a text. Another shape has another number in `format`.
    public var json: String { ((try? ReportFile(self).jsonText()) ?? "{}") + "\n" }
}

extension TestReport {
    /// The format of the JSON, with the number of its shape.
    static let format = "meshbed-report/1"
}

private struct ReportFile: Encodable {
    struct CheckRecord: Encodable {
        let id: String
        let kind: String
        let group: String
        let title: String
        let explanation: String?
        let tags: [String]?
        let grounds: RationaleRecord?
        let verdict: String
        let seconds: Double
        let reason: String?
        var details: [String]?
        var exchange: [String]?
        var transcript: [String]?
        let effects: [String]?
        let `repeat`: String?

        init(_ entry: TestReport.Entry) {
            id = entry.id
            kind = entry.kind.rawValue
            group = entry.group
            title = entry.title
            explanation = entry.explanation.isEmpty ? nil : entry.explanation
            tags = entry.tags.isEmpty ? nil : entry.tags
            grounds = entry.rationale.map(RationaleRecord.init)
            verdict = entry.verdict.words
            seconds = entry.seconds
            reason = entry.reason
            effects = entry.effects.isEmpty ? nil : entry.effects
            `repeat` = entry.repeatCommand.isEmpty ? nil : entry.repeatCommand
            switch entry.verdict {
            case .broken, .differs, .lacks, .invalid:
                details = entry.details
                exchange = entry.exchange.isEmpty ? nil : entry.exchange
                transcript = entry.transcript
            case .kept, .notApplicable, .notRun, .couldNotRun: break
            }
        }
    }

    struct RationaleRecord: Encodable {
        let given: String
        let expected: String
        let reason: String
        let source: String
        let basis: String

        init(_ grounds: TestReport.Rationale) {
            given = grounds.given
            expected = grounds.expected
            reason = grounds.reason
            source = grounds.source
            basis = grounds.basis
        }
    }

    struct NodeRecord: Encodable {
        let name: String?
        let role: String
        let model: String?
        let version: String?
        let build: String?
        let level: UInt8?
        let against: String

        init(_ node: TestedNode) {
            name = node.name.isEmpty ? nil : node.name
            role = node.role.rawValue
            model = node.model.isEmpty ? nil : node.model
            version = node.version.isEmpty ? nil : node.version
            build = node.build.isEmpty ? nil : node.build
            level = node.level
            against = node.reference
        }
    }

    struct MatrixRecord: Encodable {
        struct CellRecord: Encodable {
            let row: Int
            let column: Int
            let name: String?
            let count: Int
        }

        let title: String
        let rows: [String]
        let columns: [String]
        let cells: [CellRecord]

        init(_ matrix: ReportMatrix) {
            title = matrix.title
            rows = matrix.rows
            columns = matrix.columns
            cells = matrix.cells.map {
                CellRecord(
                    row: $0.row, column: $0.column, name: $0.name.isEmpty ? nil : $0.name, count: $0.count)
            }
        }
    }

    struct StateRecord: Encodable {
        let name: String
        let count: Int
    }

    let format = TestReport.format
    let title: String
    let command: String
    let target: String
    let node: NodeRecord?
    let version: String?
    let commit: String?
    let date: String?
    let seed: UInt64?
    let exitCode: Int32
    let kept: Int
    let broken: Int
    let differs: Int
    let lacks: Int
    let notApplicable: Int
    let notRun: Int
    let couldNotRun: Int
    let invalid: Int
    let aborted: String?
    let notes: [String]?
    let checks: [CheckRecord]
    let matrix: MatrixRecord?
    let coverage: [StateRecord]?

    init(_ report: TestReport) {
        title = report.title
        command = report.command
        target = report.target
        node = report.node.map(NodeRecord.init)
        version = report.provenance?.version.number
        commit = report.provenance?.version.commit
        date = report.provenance?.date
        seed = report.seed
        exitCode = report.exitCode
        kept = report.kept
        broken = report.broken
        differs = report.different
        lacks = report.lacking
        notApplicable = report.notApplicable
        notRun = report.notRun
        couldNotRun = report.couldNotRun
        invalid = report.invalid
        aborted = report.abortedBecause
        notes = report.notes.isEmpty ? nil : report.notes
        checks = report.entries.map(CheckRecord.init)
        matrix = report.matrix.map(MatrixRecord.init)
        coverage = report.coverage.isEmpty ? nil : report.coverage.map { StateRecord(name: $0.name, count: $0.count) }
    }
}

extension TestReport.Verdict {
    /// `kept`, `broken`, `differs`, `lacks`, `not applicable`, `not run`, `could not run`, `invalid`.
    package var words: String {
        switch self {
        case .kept: "kept"
        case .broken: "broken"
        case .differs: "differs"
        case .lacks: "lacks"
        case .notApplicable: "not applicable"
        case .notRun: "not run"
        case .couldNotRun: "could not run"
        case .invalid: "invalid"
        }
    }
}
