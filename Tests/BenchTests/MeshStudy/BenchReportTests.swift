import MeshFiles
import MeshWorlds
import Testing

@testable import MeshStudy

/// Figures that are saved, read again, and compared.
@Suite struct BenchReportTests {
    private static func report(_ figures: [BenchFigure], bench: String = "contacts") -> BenchReport {
        var report = BenchReport(
            bench, provenance: .init(version: "1.2.3", commit: "0123456789"), machine: "2 × a processor")
        report.add(figures)
        return report
    }

    private static func time(_ samples: [Double], _ name: String = "sync") -> BenchFigure {
        var figure = BenchFigure.time(name, 0)
        figure.samples = samples
        return figure
    }

    private static func comparison(_ old: BenchFigure, _ new: BenchFigure) throws -> BenchComparison.Row {
        try #require(BenchComparison(old: report([old]), new: report([new])).rows.first)
    }

    // MARK: Files

    @Test func `what is printed as JSON is read again`() throws {
        var report = Self.report([.count("frames", 12, ""), .time("sync", 0.25), .rate("of raw", 0.6, "")])
        report.add([.count("frames", 12, ""), .time("sync", 0.5), .memory("peak", 64)])
        report.add(digest: "0123", of: "S3")

        let read = try BenchReport(reading: Array(report.jsonText(inOneLine: true).utf8))

        #expect(read == report)
        #expect(read.figures.map(\.samples) == [[12, 12], [0.25, 0.5], [0.6], [64]])
    }

    @Test(
        arguments: [
            ("[]", "must be an object"), (#"{"bench": "sync"}"#, "provenance: is missing"),
            (#"{"bench": "sync", "more": 1}"#, "more: is not known here"),
            (figures(#"{"name": "a", "unit": "s", "kind": "hope", "samples": [1]}"#), "kind: is none of count, time"),
            (figures(#"{"name": "a", "unit": "s", "kind": "time", "samples": []}"#), "samples: is missing"),
            (figures(#"{"name": "a", "unit": "s", "kind": "count", "samples": [1.5]}"#), "samples: 1.5 is no count"),
            (figures(#"{"name": "a", "unit": "s", "kind": "time", "samples": ["1"]}"#), "samples: must be numbers"),
            (figures(#"{"name": "a", "unit": "s", "kind": "time", "samples": [1e301]}"#), "samples: must be numbers"),
            (
                figures(
                    #"{"name": "a", "unit": "s", "kind": "time", "samples": [1]}, "#
                        + #"{"name": "a", "unit": "s", "kind": "time", "samples": [1]}"#),
                "figures[1].name: is there twice"
            ),
        ])
    func `a file that is no report says where it is wrong`(text: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try BenchReport(reading: Array(text.utf8)) }

        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    private static func figures(_ list: String) -> String {
        #"{"bench": "sync", "provenance": {"version": "1"}, "machine": "one", "figures": [\#(list)]}"#
    }

    // MARK: Comparing

    @Test func `counts compare exactly, and the worst of the repetitions counts`() throws {
        var unsteady = BenchFigure.count("frames", 10, "")
        unsteady.samples = [10, 11]

        #expect(try Self.comparison(.count("frames", 10, ""), .count("frames", 10, "")).verdict == .same)
        #expect(try Self.comparison(.count("frames", 10, ""), .count("frames", 9, "")).verdict == .better)
        #expect(try Self.comparison(.count("frames", 10, ""), unsteady).verdict == .worse)
        #expect(
            try Self.comparison(.count("a", 10, "", better: nil), .count("a", 11, "", better: nil)).verdict == .differs)
        #expect(
            try Self.comparison(.count("a", 10, "", better: .more), .count("a", 11, "", better: .more)).verdict
                == .better)
    }

    @Test func `only a count that got worse is a regression`() {
        let old = Self.report([.count("frames", 10, ""), .count("rows", 5, "", better: nil), Self.time([1, 1, 1])])

        let slow = Self.report([.count("frames", 10, ""), .count("rows", 6, "", better: nil), Self.time([9, 9, 9])])
        let worse = Self.report([.count("frames", 11, ""), .count("rows", 5, "", better: nil), Self.time([1, 1, 1])])

        #expect(BenchComparison(old: old, new: slow).rows.map(\.verdict) == [.same, .differs, .worse])
        #expect(!BenchComparison(old: old, new: slow).isRegression)
        #expect(BenchComparison(old: old, new: worse).isRegression)
    }

    @Test func `a ratio of times has an interval from three samples a side on`() throws {
        #expect(try Self.comparison(Self.time([1, 1]), Self.time([2, 2, 2])).interval == nil)
        #expect(try Self.comparison(Self.time([1, 1]), Self.time([2, 2, 2])).verdict == .unclear)
        #expect(try Self.comparison(Self.time([0, 1, 1]), Self.time([2, 2, 2])).interval == nil)

        let exact = try Self.comparison(Self.time([1, 1, 1]), Self.time([2, 2, 2]))
        #expect(exact.ratio == 2 && exact.interval == 2...2 && exact.verdict == .worse)
    }

    /// Logarithms 0, 1, 2 and 3, 4, 5: the standard errors are √(1/3) each, so there are 4 degrees of freedom, and half
    /// of the interval is 2.776 × √(2/3) = 2.26659.
    @Test func `the interval is that of Welch's test on logarithms`() throws {
        let e = 2.718281828459045
        let interval = try #require(
            BenchComparison.interval([1, e, e * e], [e * e * e, e * e * e * e, e * e * e * e * e]))

        #expect(abs(interval.lowerBound - 2.08216) < 1e-4)
        #expect(abs(interval.upperBound - 193.755) < 1e-2)
    }

    @Test func `what is noise is called unclear, and what is not has a side`() throws {
        #expect(try Self.comparison(Self.time([1.0, 1.1, 0.9]), Self.time([1.0, 0.95, 1.1])).verdict == .unclear)
        #expect(try Self.comparison(Self.time([1.0, 1.01, 0.99]), Self.time([0.5, 0.51, 0.49])).verdict == .better)
    }

    @Test func `figures that only one report has, other machines and other digests are named`() {
        var old = BenchReport("mesh", provenance: .init(version: "1", commit: nil), machine: "another one")
        old.add([.count("gone", 1, "")])
        old.add(digest: "1", of: "S3")
        var new = Self.report([.count("fresh", 1, "")], bench: "mesh")
        new.add(digest: "2", of: "S3")

        let comparison = BenchComparison(old: old, new: new)

        #expect(comparison.rows.map(\.verdict) == [.new, .gone])
        #expect(!comparison.isRegression)
        #expect(comparison.text.contains("of another machine"))
        #expect(comparison.text.contains("The digest of S3 has changed."))
    }
}
