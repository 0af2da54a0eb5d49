import Foundation
import FoundationXML
import MeshFiles
import Testing

@testable import MeshReports

/// Reports of several implementations beside each other.
@Suite struct ImplementationMatrixTests {
    private static func report(
        _ name: String, as role: TestedNode.Role = .companion, date: String = "2026-11-22T18:52:56Z",
        _ verdicts: [(id: String, verdict: TestReport.Verdict)]
    ) -> TestReport {
        var report = TestReport(title: "Compliance", command: "comply", target: "tcp://\(name)")
        report.provenance = Provenance(version: MeshbedVersion(number: "0.3.0"), date: date)
        var node = TestedNode(role, against: "1.17.1")
        (node.model, node.version, node.level) = (name, "v1", role == .companion ? 13 : nil)
        report.node = node
        report.entries = verdicts.map { id, verdict in
            var entry = TestReport.Entry(
                kind: .statement, id: id, group: String(id.prefix(3)), title: "about \(id)", verdict: verdict)
            entry.repeatCommand = "meshbed comply --only \(id)"
            if !entry.details.isEmpty { entry.exchange = ["app> 01", "<app 02"] }
            return entry
        }
        return report
    }

    private static func matrix(_ reports: TestReport...) throws -> ImplementationMatrix {
        try ImplementationMatrix(
            reports.enumerated().map { ImplementationMatrix.Source(file: "\($0.offset).json", report: $0.element) })
    }

    private static let alpha = report(
        "alpha",
        [("CMP-001", .kept), ("CMP-002", .broken(["got  01"])), ("CMP-003", .kept), ("MATRIX-01", .notRun("later"))])
    private static let beta = report(
        "beta", date: "2026-11-23T00:00:00Z",
        [("CMP-002", .kept), ("CMP-003", .lacks("has no CMD", ["got  03"])), ("CMP-009", .kept)])
    private static let gamma = report("gamma", as: .repeater, [("INF-001", .kept), ("INF-002", .broken(["got  no"]))])

    private static func problem(_ reports: TestReport...) -> String? {
        do {
            _ = try ImplementationMatrix(
                reports.enumerated().map { ImplementationMatrix.Source(file: "\($0.offset).json", report: $0.element) })
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Order and counts

    @Test func `each role has its own statements, those of the longest report first`() throws {
        let matrix = try Self.matrix(Self.gamma, Self.beta, Self.alpha)

        #expect(matrix.count == 3)
        #expect(matrix.sections.map(\.role) == [.companion, .repeater])
        #expect(matrix.sections[0].columns.map(\.name) == ["beta v1", "alpha v1"])
        #expect(
            matrix.sections[0].groups.map { $0.rows.map(\.id) }
                == [["CMP-001", "CMP-002", "CMP-003", "CMP-009"], ["MATRIX-01"]])
        #expect(matrix.sections[1].groups.flatMap(\.rows).map(\.id) == ["INF-001", "INF-002"])
        #expect(matrix.date == "2026-11-23T00:00:00Z")
    }

    @Test func `the tables have a row for each implementation, and for each statement that one departs in`() throws {
        let matrix = try Self.matrix(Self.alpha, Self.beta, Self.gamma)

        #expect(
            matrix.rows[0] == ["1", "companion", "alpha v1", "1.17.1", "2026-11-22", "2", "1", "0", "0", "1", "0"])
        #expect(
            matrix.rows[1] == ["2", "companion", "beta v1", "1.17.1", "2026-11-23", "2", "0", "0", "1", "0", "0"])
        #expect(matrix.rows.allSatisfy { $0.count == ImplementationMatrix.heading.count })
        let departures = matrix.departures
        #expect(departures.map(\.role) == ["companion radios", "repeaters"])
        #expect(departures[0].heading == ["statement", "1", "2", "about"])
        #expect(
            departures[0].rows == [
                ["CMP-002", "BROKEN", "kept", "about CMP-002"], ["CMP-003", "kept", "lacks", "about CMP-003"],
            ])
        #expect(departures[1].heading == ["statement", "3", "about"])
    }

    @Test func `JSON names implementations with versions and dates, and each departure with its exchange`() throws {
        let json = try Self.matrix(Self.alpha, Self.beta).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let implementations = try #require(object["implementations"] as? [[String: Any]])
        let statements = try #require(object["statements"] as? [[String: Any]])

        #expect(object["format"] as? String == "meshbed-matrix/1")
        #expect(implementations.map { $0["name"] as? String } == ["alpha v1", "beta v1"])
        #expect(implementations.map { $0["date"] as? String } == ["2026-11-22T18:52:56Z", "2026-11-23T00:00:00Z"])
        #expect((implementations[0]["counts"] as? [String: Int])?["broken"] == 1)
        let second = try #require(statements.first { $0["id"] as? String == "CMP-002" })
        #expect(second["verdicts"] as? [String: String] == ["alpha v1": "broken", "beta v1": "kept"])
        let departure = try #require((second["departures"] as? [String: [String: Any]])?["alpha v1"])
        #expect(departure["exchange"] as? [String] == ["app> 01", "<app 02"])
        #expect(departure["repeat"] as? String == "meshbed comply --only CMP-002")
    }

    // MARK: Refusals

    @Test func `two reports of one implementation in one role are refused, in two roles they are not`() {
        #expect(
            Self.problem(Self.alpha, Self.alpha)
                == "1.json: is of the companion 'alpha v1', and so is 0.json; comply --name gives another name")
        #expect(Self.problem(Self.alpha, Self.report("alpha", as: .room, [("INF-001", .kept)])) == nil)
    }

    @Test func `a name that the user gave comes before what a radio says`() throws {
        var named = Self.alpha
        named.node?.name = "mine"
        #expect(try Self.matrix(Self.alpha, named).sections[0].columns.map(\.name) == ["alpha v1", "mine"])
    }

    @Test func `what is no report on a node, or has a statement twice, is refused`() {
        var other = Self.alpha
        other.command = "scenario run"
        #expect(Self.problem(other) == "0.json: is a report of 'scenario run', not of comply")
        other = Self.alpha
        other.node = nil
        #expect(Self.problem(other) == "0.json: says nothing of the node that was checked")
        other = Self.alpha
        other.entries.append(other.entries[0])
        #expect(Self.problem(other) == "0.json: has the statement CMP-001 twice")
        #expect(
            Self.problem(Self.report("much", (0...10_000).map { ("CMP-\($0)", .kept) }))
                == "0.json: has 10001 statements, and 10000 are read")
    }

    @Test func `so many reports are refused before they are compared`() {
        let sources = (0..<65).map { ImplementationMatrix.Source(file: "\($0)", report: Self.report("\($0)", [])) }

        let problem = #expect(throws: FileProblem.self) { try ImplementationMatrix(sources) }

        #expect(problem?.description == "a matrix has at most 64 reports, not 65")
    }

    // MARK: Badges

    @Test func `each implementation has a badge by its name, and its files a name of their own`() throws {
        let matrix = try Self.matrix(
            Self.report("Alpha/../β ", [("CMP-001", .kept)]), Self.report("alpha", [("CMP-001", .broken([]))]),
            Self.report("ALPHA", [("CMP-001", .kept)]), Self.report("\u{1B}", as: .room, []))

        #expect(
            matrix.badges.map(\.file) == [
                "companion-alpha-..-v1", "companion-alpha-v1", "companion-alpha-v1--2", "room-v1",
            ])
        #expect(matrix.badges[1].badge.json.contains(#""label" : "alpha v1""#))
        #expect(matrix.badges[1].badge.json.contains(#""message" : "1 of 1 broken""#))
        #expect(matrix.badges.allSatisfy { !$0.file.contains("/") && !$0.file.hasPrefix(".") })
    }

    @Test(arguments: [StatusBadge.Color.good, .partly, .bad, .unknown])
    func `a badge is a picture that a parser reads, whatever it says`(_ color: StatusBadge.Color) {
        let svg = StatusBadge(label: HostileNameTests.hostile, message: "<1 & 2>", color).svg
        let parser = XMLParser(data: Data(svg.utf8))

        #expect(parser.parse(), "\(svg)")
        #expect(svg.contains("&lt;1 &amp; 2&gt;"))
        #expect(svg.matches(of: #/<text /#).count == 2 && svg.contains("role=\"img\""))
    }
}

/// The page of a matrix.
@Suite struct ImplementationPageTests {
    private static func matrix(_ hostile: Bool) throws -> ImplementationMatrix {
        var first = ReportReadingTests.sample
        first.node?.name = "first"
        var second = ReportReadingTests.sample
        second.node?.name = hostile ? HostileNameTests.hostile : "second"
        second.abortedBecause = nil
        if hostile {
            for index in second.entries.indices { second.entries[index].repeatCommand = HostileNameTests.hostile }
            second.entries[1].exchange = [HostileNameTests.hostile]
            second.entries[1].verdict = .broken([HostileNameTests.hostile])
            second.node?.version = HostileNameTests.hostile
        }
        return try ImplementationMatrix([
            ImplementationMatrix.Source(file: "a", report: first),
            ImplementationMatrix.Source(file: "b", report: second),
        ])
    }

    @Test func `every link leads to a place of the page, and no place is there twice`() throws {
        let html = ImplementationPage(try Self.matrix(false)).html
        let ids = html.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
        let links = html.matches(of: /href="#([^"]*)"/).map { String($0.1) }

        #expect(Set(ids).count == ids.count)
        #expect(links.count > 8)
        #expect(Set(links).subtracting(ids).sorted() == [])
        #expect(html.matches(of: /href="([^"]*)"/).allSatisfy { $0.1.hasPrefix("#") })
    }

    @Test func `tables have captions, and all their headings a scope`() throws {
        let html = ImplementationPage(try Self.matrix(false)).html

        #expect(html.matches(of: /<table/).count == 2)
        #expect(html.matches(of: /<table[^>]*><caption>/).count == 2)
        #expect(html.matches(of: /<th[ >]/).count == html.matches(of: /<th scope="(col|row|rowgroup)"/).count)
        #expect(html.contains(#"<th scope="col"><span>second</span></th>"#))
        #expect(html.contains("<dt>Newest report</dt><dd>2026-11-22T18:52:56Z</dd>"))
    }

    @Test func `elements that are opened are closed, in order`() throws {
        let html = ImplementationPage(try Self.matrix(true)).html
        let body = html.components(separatedBy: "<script>")[0]
        var open: [Substring] = []
        let empty: Set<Substring> = ["meta", "input"]
        for tag in body.matches(of: /<(\/?)([a-z0-9]+)(?:\s[^<>]*?)?(\/?)>/) {
            if tag.1 == "/" {
                #expect(open.last == tag.2)
                if open.popLast() != tag.2 { break }
            } else if tag.3.isEmpty, !empty.contains(tag.2) {
                open.append(tag.2)
            }
        }
        #expect(open == ["html", "body"])
    }

    @Test func `what files say never becomes part of the page`() throws {
        let html = ImplementationPage(try Self.matrix(true)).html
        let acting = html.unicodeScalars.contains { scalar in
            scalar.value != 0x0A
                && (scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x202A...0x202E ~= scalar.value)
        }

        #expect(!acting)
        #expect(!html.contains("<b>&") && html.matches(of: /<script/).count == 1)
        #expect(html.contains("default-src 'none'"))
    }

    @Test func `each verdict is told apart by word, sign and class, and departures are explained`() throws {
        let html = ImplementationPage(try Self.matrix(false)).html

        for (style, words) in [("broken", "broken"), ("lacks", "lacks"), ("differs", "differs")] {
            #expect(html.matches(of: try Regex(#"<td class="\#(style)" data-verdict="\#(style)"><a href"#)).count == 2)
            #expect(html.contains("</span>\(words)</a>"))
        }
        #expect(html.contains(#"<td class="kept" data-verdict="kept">"#))
        #expect(html.matches(of: /<details class="card departure"/).count == 8)
        #expect(html.contains("<pre>app&gt; 01&#10;&lt;app 02</pre>"))
        #expect(html.contains("The run ended early: the cable"))
        #expect(html.contains("prefers-color-scheme:dark"))
    }
}
