import CAllocationTestSupport
import MeshFirmware
import MeshReports
import MeshSimulator
import MeshStudy
import MeshTime
import MeshWorlds
import Testing

@testable import MeshStudy

@Suite struct StudyRunTests {
    @Test func `parts of a study are its whole, also after one was stopped`() throws {
        let plan = try StudyText.plan(StudyText.delays(seeds: 12))
        var run = StudyRun(plan)
        run.stopsEarly = false
        let origin = StudyUnit(plan).origin(version: "1")
        var whole = StudyRows(origin)
        let result = try run.perform(&whole)

        var merged = StudyRows(origin)
        for (first, last) in [(9, 12), (1, 4), (5, 8)] as [(UInt64, UInt64)] {
            var part = StudyRows(origin)
            run.jobs = 2
            // A stopped unit keeps what it has written, and goes on from there.
            try run.run(Array(first...first), into: &part)
            part = try StudyRows(reading: Array(part.csv.utf8))
            try run.run((first...last).filter { part.rows[$0] == nil }, into: &part)
            try merged.merge(part)
        }

        #expect(merged.csv == whole.csv)
        #expect(try StudyResult(plan, merged).text == result.text)
        #expect(result.seeds == 12 && result.unused == 0)
    }

    @Test func `arms that are equal come to the same on a seed, and the control to something else`() throws {
        let text = StudyText.delays(seeds: 8).replacing(
            #""flood_delay_factor": 0}"#, with: #""flood_delay_factor": 2}"#)
        let unit = StudyUnit(try StudyText.plan(text))

        let rows = try (1...8 as ClosedRange<UInt64>).map(unit.values)

        for values in rows { #expect(values[0..<2] == values[2..<4]) }
        #expect(rows.contains { $0[0..<2] != $0[4..<6] })
    }

    @Test func `rows behind a gap are not counted`() throws {
        let plan = try StudyText.plan(StudyText.delays(seeds: 6))
        var rows = StudyRows(StudyUnit(plan).origin(version: "1"))
        try StudyRun(plan).run([1, 2, 4, 5], into: &rows)

        let result = try StudyResult(plan, rows)

        #expect((result.seeds, result.unused) == (2, 4))
        #expect(rows.missing == 2)
    }

    /// Two lines out of each other's reach: draws of a node in one line change nothing in the other.
    @Test func `an arm that draws once more moves nobody else's numbers`() throws {
        func traces(_ delay: Float) -> (changed: [TraceRecord], other: [TraceRecord]) {
            var topology = Topology(name: "islands")
            for island in ["a", "b"] {
                for place in 0..<3 {
                    topology.nodes.append(.init("\(island)\(place)", place == 1 ? .repeater : .companion))
                }
            }
            let signal = Signal(snrHundredths: 800, rssiHundredths: -8000)
            for (from, to) in [(0, 1), (1, 2), (3, 4), (4, 5)] {
                topology.links.append(.init(from, to, signal))
            }
            var plan = WorldPlan(topology)
            plan.equipment[1].setup.preferences.floodDelayFactor = delay
            plan.traffic = Traffic([
                .init(.everybody, .advert, first: .seconds(1), every: .seconds(20))
            ])
            var records: [TraceRecord] = []
            var run = MeshRun(plan, seed: Seed(3), span: .seconds(120)) { time, node, happening in
                if case .event(let event) = happening {
                    records.append(TraceRecord(time: time, node: node, event: event))
                }
            }
            _ = run.perform()
            return (records.filter { $0.node.index < 3 }, records.filter { $0.node.index >= 3 })
        }
        // Without a factor a repeater draws no delay at all.
        let (without, with) = (traces(0), traces(2))

        #expect(without.changed != with.changed)
        #expect(without.other.map(\.time) == with.other.map(\.time))
        #expect(without.other.map(\.node) == with.other.map(\.node))
        #expect(!without.other.isEmpty)
    }

    /// Rows whose second arm differs by `effect`, with noise that both arms share in part.
    private static func rows(_ plan: StudyPlan, effect: Double, controlShift: Double = 0, seed: UInt64) throws
        -> StudyRows
    {
        var rows = StudyRows(StudyUnit(plan).origin(version: "1"))
        var random = Seed(seed).stream("noise")
        func noise() -> Double { Double(random.draw(0, 1001)) / 5000 - 0.1 }
        for number in 1...UInt64(plan.seeds) {
            let common = 0.7 + noise()
            try rows.enter([common, common + effect + noise() / 4, 0.7 + controlShift + noise()], of: number)
        }
        return rows
    }

    /// Judged on delivery alone.
    private static func plan() throws -> StudyPlan {
        try StudyText.plan(StudyText.delays(seeds: 400, metrics: #""delivery": 0.01"#))
    }

    /// Copies of all earlier seeds for each seed would need hours for a million: two allocations a side and seed.
    @Test func `a seed is judged without a copy of those before it`() throws {
        let plan = try Self.plan()
        let rows = try Self.rows(plan, effect: 0, seed: 1)
        func requests(upTo last: Int) throws -> Int {
            var judge = try StudyJudge(plan)
            try judge.take(rows, upTo: 20)
            allocations_begin()
            try judge.take(rows, upTo: last)
            return Int(allocations_end())
        }

        // Looks take the same whatever they look at, and arrays double: 380 seeds more are a few requests more.
        let (few, many) = (try requests(upTo: 21), try requests(upTo: 400))
        #expect(many - few < 379, "\(few), \(many)")
    }

    @Test(arguments: [(0.05, "later is better"), (-0.05, "now is better")])
    func `an effect is found`(_ effect: Double, _ words: String) throws {
        let plan = try Self.plan()
        let result = try StudyResult(plan, try Self.rows(plan, effect: effect, seed: 1))

        #expect(result.comparisons.map { $0.words(first: "now") } == [words])
        #expect(result.isValid)
        #expect(result.text.contains(words) && result.html([]).contains(words))
    }

    @Test func `an alarm of the control takes all verdicts back`() throws {
        let plan = try Self.plan()
        let result = try StudyResult(plan, try Self.rows(plan, effect: 0.05, controlShift: 0.1, seed: 1))

        #expect(!result.isValid)
        #expect(result.text.contains("\nALARM: now differs from itself in delivery: no verdict"))
        #expect(result.article(command: "x", provenance: []).contains("no verdict of this study counts"))
    }

    @Test func `a build server sees the answer of a study, and an alarm of its control as an error`() throws {
        let plan = try Self.plan()
        let good = StudyJobResult(
            try StudyResult(plan, try Self.rows(plan, effect: 0.05, seed: 1)), provenance: ["meshbed 1"])
        let bad = StudyJobResult(
            try StudyResult(plan, try Self.rows(plan, effect: 0.05, controlShift: 0.1, seed: 1)), provenance: [])

        #expect(good.jobSummary.hasPrefix("## ✓ Study delays: 1 of 1 decided\n\nDoes waiting help?\n"))
        #expect(good.jobSummary.contains("**later against now: better in delivery.**"))
        #expect(good.jobSummary.contains(" | later is better |\n") && good.jobSummary.contains("\n\nmeshbed 1\n\n"))
        #expect(good.badge.json.contains(#""color" : "brightgreen""#))
        #expect(good.annotations(.fail).isEmpty)
        #expect(bad.jobSummary.hasPrefix("## ✗ Study delays: no verdict counts\n"))
        #expect(bad.badge.json.contains(#""color" : "red""#))
        #expect(
            bad.annotations(.fail).first?.line
                == "::error title=Study delays::now differs from itself in delivery: no verdict of this study counts.")
        #expect(bad.annotations(.flag).first?.line.hasPrefix("::warning ") == true)
    }

    @Test func `a comparison without a verdict is noticed, and stops no build`() throws {
        let plan = try Self.plan()
        var rows = StudyRows(StudyUnit(plan).origin(version: "1"))
        for seed in 1...2 as ClosedRange<UInt64> { try rows.enter([0.5, 0.6, 0.5], of: seed) }

        let result = StudyJobResult(try StudyResult(plan, rows), provenance: [])

        #expect(result.badge.json.contains(#""color" : "orange""#))
        #expect(
            result.annotations(.fail).map(\.line) == ["::notice title=Study delays::later, delivery: inconclusive"])
    }

    @Test func `every report answers first, then shows the interval, the method, and what to bear in mind`() throws {
        let plan = try Self.plan()
        let result = try StudyResult(plan, try Self.rows(plan, effect: 0.05, seed: 1))
        let bar = try StudyBar(comparison: #require(result.comparisons.first)).text
        let caveats = "\(StudyResult.caveatsTitle) (\(result.caveats.count))"

        let parts = ["Does waiting help?", "later against now: better in delivery.", bar, "At most 5 % of", caveats]
        #expect(Self.misplaced([parts[0], parts[1], bar, caveats], in: result.text) == nil)
        #expect(Self.misplaced(parts, in: result.article(command: "x", provenance: [])) == nil)
        #expect(Self.misplaced(parts, in: StudyJobResult(result, provenance: []).jobSummary) == nil)
        let page = [
            parts[0], parts[1], #"class="bar""#, ": intervals by seeds", "<h2>Method</h2>", "<details>", caveats,
        ]
        #expect(Self.misplaced(page, in: result.html([])) == nil)
    }

    /// The first part that does not stand behind those before it.
    private static func misplaced(_ parts: [String], in text: String) -> String? {
        var rest = Substring(text)
        for part in parts {
            guard let place = rest.firstRange(of: part) else { return part }
            rest = rest[place.upperBound...]
        }
        return nil
    }

    @Test(arguments: [
        (-0.01, 0.0, 0.01, "··········[·===●===·]··········")
    ])
    func `a bar shows margin, interval and difference`(_ low: Double, _ effect: Double, _ high: Double, _ bar: String) {
        let look = StudyResult.Look(seeds: 9, low: low, effect: effect, high: high)
        #expect(StudyBar(comparison: Self.comparison([look])).text == bar)
    }

    @Test func `no label of an axis stands twice`() throws {
        for reach in [0.02, 0.021, 0.05, 0.3] {
            let look = StudyResult.Look(seeds: 9, low: -reach, effect: 0, high: reach)
            let labels = StudyDrawing(comparison: Self.comparison([look])).svg.split(separator: "</text>").dropLast()
                .map { $0.split(separator: ">").last ?? "" }
            #expect(Set(labels).count == labels.count && labels.contains("9 seeds"), "\(labels)")
        }
    }

    @Test func `a plot of a single look shows its interval`() throws {
        let look = StudyResult.Look(seeds: 2, low: -0.5, effect: 0, high: 0.5)
        let svg = StudyDrawing(comparison: Self.comparison([look])).svg

        let area = try #require(svg.split(separator: "class=\"interval\" points=\"").last?.split(separator: "\"").first)
        let places = Set(area.split(separator: " ").compactMap { $0.split(separator: ",").first })
        #expect(places.count == 2, "all corners of the interval stand above each other: \(area)")
    }

    /// A comparison with a margin of 0.02.
    private static func comparison(_ looks: [StudyResult.Look]) -> StudyResult.Comparison {
        StudyResult.Comparison(
            arm: "later", metric: StudyMetric("delivery", "share") { _ in 0 }, margin: 0.02, most: 1, firstMean: 0.5,
            armMean: 0.5,
            looks: looks, verdict: .equivalent, decidedAt: nil, clipped: 0)
    }

    @Test func `studies of arms that are alike seldom call one better`() throws {
        let plan = try Self.plan()
        var wrong = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let result = try StudyResult(plan, try Self.rows(plan, effect: 0, seed: seed))
            if (result.comparisons + result.control).contains(where: {
                [.firstBetter, .secondBetter].contains($0.verdict)
            }) {
                wrong += 1
            }
        }
        #expect(wrong <= 2)
    }

    @Test func `texts of a study reach a page escaped`() throws {
        var plan = try Self.plan()
        plan.question = "<script>alert(1)</script>"
        plan.arms[1].name = "<b>"
        let result = try StudyResult(plan, try Self.rows(plan, effect: 0.05, seed: 1))

        let page = result.html(["<i>"])
        #expect(!page.contains("<script>") && !page.contains("<b>&") && !page.contains("<i>"))
        #expect(page.contains("&lt;script&gt;"))
    }
}
