import MeshTestbed
import MeshTime
import Scenarios
import Testing

/// Every scenario that comes with the harness holds, and does the same every time.
@Suite struct ShippedScenarioTests {
    @Test(arguments: ScenarioLibrary.shipped.scenarios.map(\.name))
    func `a shipped scenario is kept, twice the same way`(name: String) throws {
        let scenario = try #require(ScenarioLibrary.shipped[name])

        let first = ScenarioRun(scenario, seed: Seed(1)).onVirtualTime()
        let second = ScenarioRun(scenario, seed: Seed(1)).onVirtualTime()

        #expect(first.verdict == .kept)
        #expect(first.digest == second.digest)
        #expect(first.digest != 0)
    }
}
