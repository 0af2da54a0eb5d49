import MeshCapture
import MeshCaptureIO
import MeshTime

/// A recording in numbers, for people and for programs.
struct CaptureSummary: Encodable {
    struct Row: Encodable {
        let name: String
        let value: String
    }

    struct Count: Encodable {
        let name: String
        let count: Int
        let bytes: Int

        init(_ count: RecordingStatistics.Count) {
            name = count.name
            self.count = count.count
            bytes = count.bytes
        }
    }

    struct Answers: Encodable {
        let command: String
        let count: Int
        let shortestMicroseconds: Int64
        let medianMicroseconds: Int64
        let percentile95Microseconds: Int64
        let longestMicroseconds: Int64

        init(_ trips: RecordingStatistics.RoundTrips) {
            command = trips.command
            count = trips.count
            shortestMicroseconds = trips.shortest.microseconds
            medianMicroseconds = trips.median.microseconds
            percentile95Microseconds = trips.percentile95.microseconds
            longestMicroseconds = trips.longest.microseconds
        }
    }

    let header: [Row]
    let durationMicroseconds: Int64
    let connections: Int
    let toRadio: [Count]
    let toApp: [Count]
    let answers: [Answers]
    let pushes: Int
    let unanswered: Int
    let breaches: Int
    let problems: Int
    /// Returns to a snapshot; `nil` without any.
    let restores: Int?
    let heard: [Count]
    let transmitted: [Count]

    init(_ part: LoadedCapture.Part) {
        let statistics = RecordingStatistics(part.recording)
        header = Self.rows(part.recording.header) + part.details.map { Row(name: $0.name, value: $0.value) }
        durationMicroseconds = statistics.duration.microseconds
        connections = statistics.connections
        toRadio = statistics.toRadio.map(Count.init)
        toApp = statistics.toApp.map(Count.init)
        answers = statistics.roundTrips.map(Answers.init)
        pushes = statistics.pushes
        unanswered = statistics.unanswered
        breaches = statistics.breaches
        problems = statistics.problems
        restores = statistics.restores > 0 ? statistics.restores : nil
        heard = statistics.heard.map(Count.init)
        transmitted = statistics.transmitted.map(Count.init)
    }

    private static func rows(_ header: RecordingHeader) -> [Row] {
        let secrets = header.scrubbed.map { $0.map(\.rawValue).sorted().joined(separator: ", ") }
        let known = [
            ("firmware", header.firmware), ("board", header.board), ("transport", header.transport?.rawValue),
            ("story", header.story), ("date", header.date), ("scrubbed", secrets ?? "no"),
        ]
        return known.compactMap { name, value in value.map { Row(name: name, value: $0) } }
            + header.rows.map { Row(name: $0.key, value: $0.value) }
    }

    /// For people.
    var lines: [String] {
        let facts =
            header.map { [$0.name, $0.value] } + [
                ["duration", "\(TimeSpan(microseconds: durationMicroseconds).recordedText) s"],
                ["connections", "\(connections)"], ["pushes", "\(pushes)"], ["unanswered", "\(unanswered)"],
                ["breaches", "\(breaches)"], ["problems", "\(problems)"],
            ] + (restores.map { [["restores", "\($0)"]] } ?? [])
        var lines = TextTable.lines(facts[0], [[String]](facts.dropFirst()))
        lines += Self.table("app → radio", toRadio) + Self.table("radio → app", toApp)
        if !answers.isEmpty {
            lines += ["", "Answers, in milliseconds"]
            lines += TextTable.lines(
                ["command", "count", "shortest", "median", "p95", "longest"], answers.map(\.cells))
        }
        return lines + Self.table("heard on the air", heard) + Self.table("transmitted", transmitted)
    }

    private static func table(_ title: String, _ counts: [Count]) -> [String] {
        guard !counts.isEmpty else { return [] }
        return ["", title]
            + TextTable.lines(["name", "count", "bytes"], counts.map { [$0.name, "\($0.count)", "\($0.bytes)"] })
    }
}

extension CaptureSummary.Answers {
    fileprivate var cells: [String] {
        let times = [shortestMicroseconds, medianMicroseconds, percentile95Microseconds, longestMicroseconds]
        return [command, "\(count)"] + times.map { TimeSpan(microseconds: $0).millisecondsText }
    }
}
