import MeshScenarios
import MeshTestbed
import MeshTime
import Scenarios
import Testing

/// Field needs whose stories hold, and break with the fault that each names.
@Suite struct FieldNeedTests {
    private static let seeds = (1...5).map { Seed($0) }

    private func need(_ name: String) throws -> FieldNeed {
        try #require(FieldNeeds.all.first { $0.story.name == name })
    }

    @Test(arguments: FieldNeeds.all.map(\.story.name))
    func `the story of a need holds with every seed`(name: String) throws {
        let need = try need(name)
        for seed in Self.seeds {
            let result = ScenarioRun(need.story, seed: seed).onVirtualTime()
            #expect(result.verdict == .kept, "seed \(seed.value)")
        }
    }

    @Test(arguments: FieldNeeds.all.map(\.story.name))
    func `the story of a need breaks with every seed when what it hangs on is gone`(name: String) throws {
        let need = try need(name)
        for seed in Self.seeds {
            var run = ScenarioRun(need.broken, seed: seed)
            run.defect = need.defect
            let result = run.onVirtualTime()
            #expect(result.isBroken, "seed \(seed.value): \(result.verdict)")
        }
    }

    @Test func `there are sixteen, each with a thread that a story names`() {
        #expect(FieldNeeds.all.count == 16)
        for need in FieldNeeds.all {
            #expect(!need.threads.isEmpty && need.story.threads == need.threads)
            #expect(
                need.threads.allSatisfy {
                    $0.wholeMatch(of: /https:\/\/github\.com\/[\w-]+\/[\w-]+\/(issues|pull)\/\d+/) != nil
                })
            #expect(ScenarioLibrary.shipped[need.story.name]?.threads == need.threads)
        }
    }
}
