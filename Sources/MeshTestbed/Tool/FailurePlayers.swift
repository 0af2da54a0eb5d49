import MeshControl
import MeshReports

/// Files beside an HTML report that play its failures, one for each: `report-1.html`, `report-2.html` …
struct FailurePlayers {
    /// The number of failures of a report that get a file: users with more look at these first.
    static let most = 20

    /// The report's path without its ending; nothing where no file can stand beside it.
    private let stem: String?

    init(beside path: String) {
        let isFile = path != "-" && !path.hasPrefix("/dev/")
        stem = isFile ? (path.hasSuffix(".html") ? String(path.dropLast(5)) : path) : nil
    }

    /// Names, in each failure, the file that will play it.
    func name(in report: inout TestReport) {
        guard let stem else { return }
        let name = stem.split(separator: "/").last.map(String.init) ?? stem
        for (number, place) in Self.places(in: report).enumerated() {
            report.entries[place].player = "\(name)-\(number + 1).html"
        }
    }

    /// The files: their paths, and what is in them.
    func pages(of report: TestReport) -> [(path: String, page: String)] {
        guard let stem else { return [] }
        return Self.places(in: report).enumerated().compactMap { number, place in
            let entry = report.entries[place]
            guard let timeline = entry.timeline else { return nil }
            let facts: [PlayerDocument.Fact] = [
                .init("Target", report.target), .init("Command", report.call), .init("Again", entry.repeatCommand),
                .init("Seed", report.seed.map { "\($0)" } ?? ""),
            ]
            let document = PlayerDocument(
                timeline, title: "\(entry.id): \(entry.title)", facts: facts.filter { !$0.value.isEmpty })
            return ("\(stem)-\(number + 1).html", PlayerPage(document).html)
        }
    }

    private static func places(in report: TestReport) -> [Int] {
        Array(
            report.entries.indices.filter { place in
                let entry = report.entries[place]
                return (entry.isBroken || entry.isImpossible) && entry.timeline != nil
            }.prefix(most))
    }
}
