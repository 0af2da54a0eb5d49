import MeshTime
import Scenarios
import Testing

@testable import MeshScenarios

/// Eight texts typed faster than radio is, on radios that overlook frames as the firmware does.
@Suite struct BusyAirTests {
    /// Of so many seeds, those with which the scenario fails.
    private func failures(of seeds: ClosedRange<UInt64>, _ defect: StackDefect?) throws -> [UInt64] {
        let scenario = try #require(ScenarioLibrary.shipped["while-busy"])
        return seeds.filter { seed in
            var run = ScenarioRun(scenario, seed: Seed(seed))
            run.defect = defect
            return run.onVirtualTime().verdict != .kept
        }
    }

    @Test func `texts that are spaced and spread arrive with every seed, and back to back they do not`() throws {
        #expect(try failures(of: 1...20, nil) == [])
        // About one seed of eight: a sampling of the noise floor saves most of the others.
        #expect(try failures(of: 1...40, .sendsAtOnce).count >= 4)
    }
}
