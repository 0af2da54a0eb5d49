import Foundation

extension ComplianceReport {
    /// The report as JSON with sorted keys.
    ///
    /// ```json
    /// {
    ///   "target": "emulator",
    ///   "kept": 241, "broken": 1, "notRun": 9, "notApplicable": 14,
    ///   "aborted": "why the run ended early, absent when it did not",
    ///   "checks": [
    ///     {
    ///       "id": "CMP-034", "group": "D Dispatch and buffers", "title": "…", "seconds": 0.01,
    ///       "verdict": "kept | broken | not run | not applicable",
    ///       "reason": "why it was not run or does not apply, only then",
    ///       "details": ["step 3", "sent …", "expected …", "got …"],
    ///       "transcript": ["app> 05", "<app 09 …"]
    ///     }
    ///   ]
    /// }
    /// ```
    ///
    /// `details` and `transcript` are there for broken ones only.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = ReportFile(
            target: target, kept: kept, broken: broken, notRun: notRun, notApplicable: notApplicable,
            aborted: abortedBecause,
            checks: entries.map(ReportFile.CheckRecord.init))
        guard let data = try? encoder.encode(file) else { return "{}\n" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

private struct ReportFile: Encodable {
    struct CheckRecord: Encodable {
        let id: String
        let group: String
        let title: String
        let verdict: String
        let seconds: Double
        var reason: String?
        var details: [String]?
        var transcript: [String]?

        init(_ entry: ComplianceReport.Entry) {
            id = entry.id
            group = entry.group
            title = entry.title
            seconds = entry.seconds
            switch entry.verdict {
            case .kept: verdict = "kept"
            case .notRun(let why):
                verdict = "not run"
                reason = why
            case .notApplicable(let why):
                verdict = "not applicable"
                reason = why
            case .broken(let lines, let before):
                verdict = "broken"
                details = lines
                transcript = before
            }
        }
    }

    let target: String
    let kept: Int
    let broken: Int
    let notRun: Int
    let notApplicable: Int
    let aborted: String?
    let checks: [CheckRecord]
}
