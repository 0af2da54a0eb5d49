import MeshEmulator
import MeshReports
import MeshWire

extension LeaveReport {
    /// The subject of the survey and its result, in one sentence.
    var summary: String {
        let load = run.load
        return "a sync of \(load.contacts) contacts, \(load.channels) channels and \(load.messages) messages over "
            + "\(run.over.rawValue): \(crossings.count) frames, \(outcomes.count) pairs, \(failures.count) failures, "
            + "\(seconds.fixed(1)) s"
    }

    /// The rows of the tables that have a run.
    private var tables: [[Row]] { [byReturn, byPhase + bySync, byOccasion].map { $0.filter { $0.runs > 0 } } }

    /// The report for people, in several lines.
    var text: String {
        let columns = [
            "seconds to recovery", "pairs", "failures", "least", "median", "90 %", "99 %", "most",
        ]
        let rows = tables.map { TextTable.lines(columns, $0.map(Self.cells), indent: "").joined(separator: "\n") }
        return ([summary] + rows + [notes] + failureLines).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// What the reader of a table has to know besides.
    private var notes: String {
        [
            "\(forgotten) messages were sent by the radio when the link ended, or lost with its memory: no app can have "
                + "them.",
            "In \(givenUp) runs the app had never met the radio, gave up with an error, and its user connected again.",
        ].joined(separator: "\n")
    }

    private var failureLines: [String] {
        failures.prefix(20).map { outcome in
            let seen = outcome.errorCode.map { ", the user saw \($0)" } ?? ""
            return "failed in \(phase(of: outcome.pair.place).rawValue)\(seen): "
                + outcome.faults.joined(separator: "; ")
                + "\n  " + command(repeating: outcome.pair)
        }
    }

    private static func cells(_ row: Row) -> [String] {
        [row.name, "\(row.runs)", "\(row.failures)"]
            + [row.least, row.median, row.ninetieth, row.ninetyNinth, row.most].map { $0.fixed(2) }
    }

    // MARK: Picture and page

    /// The shares of apps that have recovered by each moment after the return.
    var drawing: ShareDrawing {
        ShareDrawing(
            "Shares of apps that were synchronised again, by the time since their return",
            series.map { ShareDrawing.Series($0.name, $0.seconds) })
    }

    /// The report as one page: picture, tables, failures.
    func page(_ provenance: [String]) -> String {
        let lists = failures.prefix(100).map { outcome in
            "<li>\(outcome.faults.joined(separator: "; ").visibleLine.xmlEscaped)<pre>"
                + "\(command(repeating: outcome.pair).xmlEscaped)</pre></li>"
        }
        return FigurePage.html(
            title: "Leave and return",
            body: """
                <h1>Leave and return</h1>
                <pre>\(provenance.joinedVisibleLines.xmlEscaped)</pre>
                <p>\(summary.xmlEscaped)</p>
                \(drawing.inline)
                <div class="wide">\(tables.map(Self.table).joined(separator: "\n"))</div>
                <p>\(notes.xmlEscaped)</p>
                <ul>\(lists.joined(separator: "\n"))</ul>
                """)
    }

    private static func table(_ rows: [Row]) -> String {
        let head = ["seconds to recovery", "pairs", "failures", "least", "median", "90 %", "99 %", "most"]
            .map { "<th scope=\"col\">\($0)</th>" }.joined()
        let lines = rows.map { row in
            let cells = cells(row)
            return "<tr><th scope=\"row\">\(cells[0].xmlEscaped)</th>"
                + cells.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return "<table><thead><tr>\(head)</tr></thead><tbody>\(lines.joined(separator: "\n"))</tbody></table>"
    }

    // MARK: For programs

    /// The report as one line of JSON.
    struct Record: Encodable {
        struct Failure: Encodable {
            let pair: String
            let phase: String
            let faults: [String]
            let command: String
        }

        let over: String
        let contacts: Int
        let channels: Int
        let messages: Int
        let frames: Int
        let pairs: Int
        let seconds: Double
        let forgotten: Int
        let givenUp: Int
        let byReturn: [Row]
        let byPhase: [Row]
        let byOccasion: [Row]
        let failures: [Failure]
    }

    var record: Record {
        Record(
            over: run.over.rawValue, contacts: run.load.contacts, channels: run.load.channels,
            messages: run.load.messages, frames: crossings.count, pairs: outcomes.count, seconds: seconds,
            forgotten: forgotten, givenUp: givenUp, byReturn: tables[0], byPhase: tables[1], byOccasion: tables[2],
            failures: failures.map {
                .init(
                    pair: $0.pair.description, phase: phase(of: $0.pair.place).rawValue, faults: $0.faults,
                    command: command(repeating: $0.pair))
            })
    }
}
