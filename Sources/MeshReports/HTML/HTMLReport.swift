import MeshTime
import MeshWire

/// A report as one HTML file for people: verdicts, failures with their timelines and frames, matrix, states.
///
/// The file needs no network and no script: it forbids itself both but for the few lines in it, which only filter. It
/// follows the reader's preference for light or dark, and fits a telephone and a wide screen. All text in it is
/// escaped, whatever a radio sent.
public struct HTMLReport: Sendable {
    let report: TestReport

    /// The file of this report.
    public init(_ report: TestReport) {
        self.report = report
    }

    /// The file, UTF-8.
    public var html: String {
        let body = """
            <a class="skip" href="#main">Skip to the results</a>
            \(header)
            <main id="main">
            \((parts.map(\.html)).joined(separator: "\n"))
            </main>
            <footer><p>Written by <code>\(report.call.xmlEscaped)</code>. Exit codes: 0 all kept, 1 something \
            broken, 2 a run broke by itself or nothing was kept.</p></footer>
            """
        return Self.page(
            title: "\(report.headline): \(report.title) of \(report.target)", by: report.provenance?.version,
            style: TimelineDrawing.colors + Self.style + TimelineDrawing.style, body: body,
            script: Self.copying + Self.filtering)
    }

    /// A file of its own, without network; the body is escaped already.
    static func page(
        title: String, by version: MeshbedVersion?, style: String, body: String, script: String
    ) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" \
        content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <meta name="generator" content="meshbed\((version.map { " \($0)" } ?? "").xmlEscaped)">
        <title>\(title.xmlEscaped)</title>
        <style>
        \(style)</style>
        </head>
        <body>
        \(body)
        <script>
        \(script)</script>
        </body>
        </html>

        """
    }

    struct Part {
        let id: String
        let title: String
        let html: String
    }

    /// The parts of the page, in order; parts without content are left out.
    private var parts: [Part] {
        [failures, entries, matrix, states, notes].compactMap(\.self)
    }

    /// The notes of a report, which stand besides the verdicts.
    private var notes: Part? {
        guard !report.notes.isEmpty else { return nil }
        return Self.section(
            "notes", "Notes",
            ["<pre>" + report.notes.joinedVisibleLines.xmlEscaped.replacing("&#10;", with: "\n") + "</pre>"])
    }

    static func section(_ id: String, _ title: String, _ content: [String]) -> Part {
        let head =
            #"<section id="\#(id)" aria-labelledby="\#(id)-title">"# + "\n"
            + #"<h2 id="\#(id)-title">\#(title.xmlEscaped)</h2>"#
        return Part(id: id, title: title, html: ([head] + content + ["</section>"]).joined(separator: "\n"))
    }

    // MARK: Header

    private var header: String {
        let mood: String =
            switch report.exitCode {
            case 0: "kept"
            case TestReport.invalidExitCode: "invalid"
            default: report.kept + report.broken == 0 ? "notrun" : "broken"
            }
        let run = report.provenance?.run
        let facts = [
            ("Target", report.target), ("Firmware", run?.firmware ?? ""), ("Command", report.call), ("Date", date),
            ("Version", report.provenance?.version.number ?? ""),
            ("Commit", report.provenance?.version.commit ?? ""),
            ("Seed", (report.seed ?? run?.seed).map(String.init) ?? ""), ("Time", run?.time ?? ""),
            ("Quirks off", run?.withoutQuirks.joined(separator: ", ") ?? ""),
            ("Repeatability", run?.repeatability.description ?? ""), ("Took", Self.duration(report.entries)),
            ("Exit code", "\(report.exitCode)"),
        ].filter { !$0.1.isEmpty }.map { "<div><dt>\($0.0)</dt><dd>\($0.1.xmlEscaped)</dd></div>" }.joined()
        let aborted = report.abortedBecause.map {
            #"<p class="alarm" role="alert"><strong>The run ended early:</strong> \#($0.xmlEscaped)</p>"#
        }
        let links = parts.map { ##"<li><a href="#\##($0.id)">\##($0.title.xmlEscaped)</a></li>"## }.joined()
        return """
            <header class="top">
            <div class="heading"><p class="overline">\(report.title.xmlEscaped)</p>
            <h1><span class="verdict \(mood)">\(Verdict(mood).sign) \(report.headline.xmlEscaped)</span></h1></div>
            <dl class="facts">\(facts)</dl>
            \(aborted ?? "")
            \(totals)
            <nav aria-label="Parts of this report"><ul>\(links)</ul></nav>
            </header>
            """
    }

    /// A tile for each verdict, and a bar of them.
    private var totals: String {
        let counts = Verdict.counts(of: report.entries)
            .filter { ($0.verdict != .couldNotRun && $0.verdict != .invalid) || $0.count > 0 }
        let tiles = counts.map { verdict, count in
            let isQuiet = count == 0 ? " zero" : ""
            return """
                <li class="tile \(verdict.style)\(isQuiet)"><span class="number">\(count)</span>\
                <span class="what"><span aria-hidden="true">\(verdict.sign) </span>\(verdict.words)</span></li>
                """
        }
        return #"<ul class="tiles" aria-label="Verdicts">\#(tiles.joined())</ul>"# + Self.bar(report.entries)
    }

    /// Parts of a whole, as wide as their shares; the words for it stand beside it.
    static func bar(_ entries: [TestReport.Entry]) -> String {
        let parts = Verdict.counts(of: entries).filter { $0.count > 0 }
        let spans = parts.map { #"<span class="\#($0.verdict.style)" style="flex:\#($0.count)"></span>"# }
        return #"<div class="bar" aria-hidden="true">\#(spans.joined())</div>"#
    }

    /// `2026-11-22 18:52:56 UTC`.
    private var date: String {
        guard let date = report.provenance?.date else { return "" }
        guard date.hasSuffix("Z") else { return date }
        return date.dropLast().replacing("T", with: " ") + " UTC"
    }

    /// `0.4 ms`, `12 s` for all entries together; nothing where nobody looked at a clock.
    private static func duration(_ entries: [TestReport.Entry]) -> String {
        let seconds = entries.reduce(0) { $0 + $1.seconds }
        return seconds > 0
            ? TimelineDrawing.words(TimeSpan.microseconds(Int64(nearest: min(seconds, 1e9) * 1e6))) : ""
    }

    /// A verdict as the page shows it: a class of the style sheet, a sign and words.
    struct Verdict: Hashable {
        let style: String
        let sign: String
        let words: String

        static let kept = Verdict(style: "kept", sign: "✓", words: "kept")
        static let broken = Verdict(style: "broken", sign: "✗", words: "broken")
        static let differs = Verdict(style: "differs", sign: "≈", words: "differs from a quirk")
        static let lacks = Verdict(style: "lacks", sign: "⊘", words: "lacks an optional command")
        static let notApplicable = Verdict(style: "na", sign: "–", words: "not applicable")
        static let notRun = Verdict(style: "notrun", sign: "○", words: "not run")
        static let couldNotRun = Verdict(style: "failed", sign: "!", words: "could not run")
        static let invalid = Verdict(style: "invalid", sign: "?", words: "invalid")
        static let all = [kept, broken, couldNotRun, invalid, differs, lacks, notRun, notApplicable]

        init(style: String, sign: String, words: String) {
            self.style = style
            self.sign = sign
            self.words = words
        }

        init(_ style: String) {
            self = Self.all.first { $0.style == style } ?? .notRun
        }

        init(_ verdict: TestReport.Verdict) {
            switch verdict {
            case .kept: self = .kept
            case .broken: self = .broken
            case .differs: self = .differs
            case .lacks: self = .lacks
            case .notApplicable: self = .notApplicable
            case .notRun: self = .notRun
            case .couldNotRun: self = .couldNotRun
            case .invalid: self = .invalid
            }
        }

        var badge: String {
            #"<span class="badge \#(style)"><span aria-hidden="true">\#(sign) </span>\#(words)</span>"#
        }

        static func counts(of entries: [TestReport.Entry]) -> [(verdict: Verdict, count: Int)] {
            all.map { verdict in (verdict, entries.count { Verdict($0.verdict) == verdict }) }
        }
    }
}
