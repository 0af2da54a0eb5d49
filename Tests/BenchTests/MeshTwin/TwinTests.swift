import MeshFiles
import MeshTime
import Testing

@testable import MeshStudy

struct TwinTests {
    @Test func `a run logs floods at observers, and the same seed gives the same values`() throws {
        let run = try SyntheticNetwork.run()

        let first = run.outcome(of: 1)
        let again = run.outcome(of: 1)
        let other = run.outcome(of: 2)

        #expect(first.violations == 0)
        #expect((first.metrics.values["hops.firstPerObserver"] ?? []).count > 5)
        #expect(first.metrics.values == again.metrics.values)
        #expect(first.metrics.values != other.metrics.values)
    }

    @Test func `a comparison names what is missing, and escapes what it shows`() throws {
        let run = try SyntheticNetwork.run()
        let text = SyntheticNetwork.observed.replacing("\"name\":\"ladder\"", with: "\"name\":\"<b>\"")
        let observed = try ObservedFile([UInt8](text.utf8))

        let result = TwinComparison(
            [run.outcome(of: 1)], run: run, parameters: TwinParameters(), observed: observed)

        #expect(result.rows.map(\.metric) == ["hops.firstPerObserver", "copiesPerObserver"])
        #expect(result.missing.contains("secondsPerHop: not in the observation"))
        #expect(result.bars.map(\.name).contains("shortest paths on the same links"))
        #expect(result.html([]).contains("&lt;b&gt;"))
    }

    @Test func `a figure is met within its tolerance`() throws {
        let metric = try #require(TwinMetric.all.first { $0.name == "copiesPerObserver" })
        func figure(_ simulated: Double, noise: Double?) -> Bool {
            TwinFigure(.mean, simulated: simulated, observed: 2, noise: noise, seeds: [], metric: metric).isMet
        }

        #expect(figure(2.4, noise: nil))
        #expect(!figure(2.41, noise: nil))
        #expect(figure(2.5, noise: 0.6))
    }

    @Test func `a fit is no worse than its start, and no thread changes it`() throws {
        let observed = try ObservedFile([UInt8](SyntheticNetwork.observed.utf8))
        let targets = TwinFit.targets(["copiesPerObserver.mean", "hops.firstPerObserver.median"], in: observed)
        var fit = TwinFit(try SyntheticNetwork.network(), targets: targets, backgroundPerHour: 0)
        fit.points = 4
        fit.rounds = 1
        fit.seeds = [1]
        fit.names = [.countBase, .linkLoss]

        let one = try fit.perform(from: TwinParameters())
        fit.jobs = 2
        let two = try fit.perform(from: TwinParameters())

        #expect(targets.count == 2)
        #expect(one.after <= one.before)
        #expect(one.parameters == two.parameters)
        #expect(one.points == 1 + 4 + 4)
    }

    @Test(arguments: [0, 1e-300, .leastNonzeroMagnitude, 1e-9, 20_000])
    func `a run has any rate of background that may be said`(rate: Double) throws {
        var run = try SyntheticNetwork.run()
        run.backgroundPerHour = rate

        #expect(run.outcome(of: 1, span: .seconds(60)).violations == 0)
    }

    @Test(arguments: ["-5", "1e9", "1000001"])
    func `an observed rate that no network has is refused, and says where it is`(rate: String) {
        for (old, new) in [
            (#""p50":100"#, #""p50":\#(rate)"#),
            (#""metrics":{"#, #""metrics":{"hourly":{"packetsPerHour":{"p50":\#(rate)}},"#),
        ] {
            let text = SyntheticNetwork.observed.replacing(old, with: new)
            let problem = #expect(throws: FileProblem.self) { try ObservedFile([UInt8](text.utf8)) }
            #expect(problem?.reason.contains("not within") == true && problem?.field.contains("acketsPerHour") == true)
        }
    }

    @Test(arguments: ["", "{}", #"{"format":"meshbed-observed/1"}"#, "[1]"])
    func `an observation that makes no sense is refused`(_ text: String) {
        #expect(throws: FileProblem.self) { try ObservedFile([UInt8](text.utf8)) }
    }
}
