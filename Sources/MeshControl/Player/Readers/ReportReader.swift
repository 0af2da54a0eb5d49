import MeshFiles
import MeshTime
import MeshWire

extension PlayerDocument {
    /// The JSON of a report: a lane for each group, an event for each check, in the order of the run.
    ///
    /// Throws a `DecodingError` for what is no report.
    package init(report bytes: [UInt8]) throws {
        let report = try ReportFile(json: bytes)
        var groups: [String] = []
        var lanes: [String: Int] = [:]
        for check in report.checks where lanes[check.group] == nil && groups.count < Self.mostGroups {
            lanes[check.group] = groups.count
            groups.append(check.group)
        }
        self.init(
            .report, title: "\(report.title): \(report.target)",
            world: PlayerWorld(lanes: groups.map { ($0, "script") }))
        let all = [
            Fact("Target", report.target), Fact("Command", report.command),
            Fact("Version", report.version ?? ""), Fact("Commit", report.commit ?? ""),
            Fact("Seed", report.seed.map { "\($0)" } ?? ""),
        ]
        facts = all.filter { !$0.value.isEmpty }
        var now = Instant.start
        for check in report.checks {
            // What took no time still has its place.
            let length = max(1000, Int64(nearest: min(max(0, check.seconds), 86_400) * 1e6))
            let lane = lanes[check.group] ?? max(0, groups.count - 1)
            if !groups.isEmpty { events.add(now, lane: lane, check.note(length, lane)) }
            now += .microseconds(length)
        }
        span = now - .start
    }

    /// Lanes of a report at most; what is in further groups stands in the last one.
    private static let mostGroups = 500
}

/// The part of a report that the player needs.
private struct ReportFile: Decodable {
    struct Check: Decodable {
        let id: String
        let group: String
        let title: String
        let verdict: String
        let seconds: Double
        let explanation: String?
        let reason: String?
        let details: [String]?
        let transcript: [String]?
        let `repeat`: String?

        func note(_ length: Int64, _ lane: Int) -> PlayerEvents.Note {
            let lines: [String] =
                [title, verdict, explanation ?? "", reason ?? ""] + (details ?? []) + (transcript ?? []) + [
                    `repeat` ?? ""
                ]
            return PlayerEvents.Note(
                style: verdict, label: id,
                detail: lines.filter { !$0.isEmpty }.joined(separator: "\n"), length: length, to: lane)
        }
    }

    let title: String
    let command: String
    let target: String
    let version: String?
    let commit: String?
    let seed: UInt64?
    let checks: [Check]
}
