import MeshFiles

extension TestReport {
    /// The report as JSON with sorted keys.
    ///
    /// ```json
    /// {
    ///   "title": "Compliance", "command": "comply", "target": "emulator", "exitCode": 1,
    ///   "version": "0.1.0", "commit": "3c85ea2f0d", "date": "2026-11-22T18:52:56Z", "seed": 7,
    ///   "kept": 241, "broken": 1, "differs": 0, "notApplicable": 2, "notRun": 21, "couldNotRun": 0,
    ///   "aborted": "why the run ended early, absent when it did not",
    ///   "notes": ["what there is to know besides, absent where there is nothing"],
    ///   "checks": [
    ///     {
    ///       "id": "CMP-034", "kind": "statement", "group": "D Dispatch and buffers", "title": "…", "seconds": 0.01,
    ///       "explanation": "a paragraph, if there is one", "tags": ["flood"],
    ///       "grounds": {"given": "05", "expected": "one frame", "reason": "…", "source": "…", "basis": "…"},
    ///       "verdict": "kept | broken | differs | not applicable | not run | could not run",
    ///       "reason": "why it is neither kept nor broken, only then",
    ///       "details": ["step 3", "sent …", "expected …", "got …"],
    ///       "transcript": ["app> 05", "<app 09 …"],
    ///       "repeat": "meshbed comply --target emulator --only CMP-034"
    ///     }
    ///   ],
    ///   "matrix": {"title": "…", "rows": ["…"], "columns": ["…"], "cells": [{"row": 0, "column": 3, "count": 12}]},
    ///   "coverage": [{"name": "a flood after three direct tries", "count": 17}]
    /// }
    /// ```
    ///
    /// `grounds` are there for statements, `details` and `transcript` for those that are broken or differ; `seed`,
    /// `version`, `commit`, `date`, `matrix` and `coverage` where the run has them.
    public var json: String { ((try? ReportFile(self).jsonText()) ?? "{}") + "\n" }
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
        var transcript: [String]?
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
            `repeat` = entry.repeatCommand.isEmpty ? nil : entry.repeatCommand
            switch entry.verdict {
            case .broken(let lines), .differs(_, let lines):
                details = lines
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

    let title: String
    let command: String
    let target: String
    let version: String?
    let commit: String?
    let date: String?
    let seed: UInt64?
    let exitCode: Int32
    let kept: Int
    let broken: Int
    let differs: Int
    let notApplicable: Int
    let notRun: Int
    let couldNotRun: Int
    let aborted: String?
    let notes: [String]?
    let checks: [CheckRecord]
    let matrix: MatrixRecord?
    let coverage: [StateRecord]?

    init(_ report: TestReport) {
        title = report.title
        command = report.command
        target = report.target
        version = report.provenance?.version.number
        commit = report.provenance?.version.commit
        date = report.provenance?.date
        seed = report.seed
        exitCode = report.exitCode
        kept = report.kept
        broken = report.broken
        differs = report.different
        notApplicable = report.notApplicable
        notRun = report.notRun
        couldNotRun = report.couldNotRun
        aborted = report.abortedBecause
        notes = report.notes.isEmpty ? nil : report.notes
        checks = report.entries.map(CheckRecord.init)
        matrix = report.matrix.map(MatrixRecord.init)
        coverage = report.coverage.isEmpty ? nil : report.coverage.map { StateRecord(name: $0.name, count: $0.count) }
    }
}

extension TestReport.Verdict {
    /// `kept`, `broken`, `differs`, `not applicable`, `not run`, `could not run`.
    var words: String {
        switch self {
        case .kept: "kept"
        case .broken: "broken"
        case .differs: "differs"
        case .notApplicable: "not applicable"
        case .notRun: "not run"
        case .couldNotRun: "could not run"
        }
    }
}
