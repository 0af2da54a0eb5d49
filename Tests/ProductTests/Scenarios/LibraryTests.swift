import MeshTestbed
import Scenarios
import Testing

/// The properties that readers may expect of the library as a whole.
@Suite struct LibraryTests {
    private let scenarios = ScenarioLibrary.shipped.scenarios

    @Test func `every summary is a paragraph that ends in a full stop`() {
        for scenario in scenarios {
            #expect(scenario.summary.count >= 120, "\(scenario.name)")
            #expect(scenario.summary.hasSuffix("."), "\(scenario.name)")
            #expect(!scenario.summary.contains("\n") && !scenario.summary.contains("  "), "\(scenario.name)")
        }
    }

    @Test func `names are lower-case words with dashes, each used once`() {
        let names = scenarios.map(\.name)

        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(name)")
        }
    }

    @Test(arguments: Scenario.Story.allCases)
    func `every story is told`(story: Scenario.Story) {
        #expect(scenarios.count { $0.story == story } >= 2)
    }

    @Test func `the library has sixty scenarios and more`() {
        #expect(scenarios.count >= 60)
    }

    @Test func `a smoke test of each of the first stories is there`() {
        let smoke = ScenarioLibrary.shipped.matching("#smoke")

        #expect(Set(smoke.map(\.story)).isSuperset(of: [.firstContact, .direct, .flood, .retry]))
    }
}
