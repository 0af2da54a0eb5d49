import Foundation
import MeshFiles
import MeshSimulator
import MeshTime
import MeshWorlds
import Testing

@Suite struct AirFieldTests {
    private func read(_ air: String) throws(FileProblem) -> WorldPlan {
        let text = #"{"format": "meshbed world 1", "air": \#(air), "nodes": [{"name": "a"}]}"#
        return try WorldFile.read([UInt8](text.utf8), name: "file", seed: Seed(1))
    }

    @Test func `a file names a model, or changes numbers of one`() throws {
        #expect(try read(#""step""#).air == .step)
        #expect(try read(#"{"model": "field"}"#).air == .field)
        let own = try read(#"{"locked_db": 1.5, "fading_db": 2, "fading_coherence_s": 0.5, "noise_floor_dbm": -104}"#)
        #expect(own.air.lockedThresholdHundredths == 150 && own.air.captureThresholdHundredths == 600)
        #expect(own.air.fading == Fading(deviationHundredths: 200, coherence: .milliseconds(500)))
        #expect(own.air.noiseFloor == -104 && own.air.name == nil)
        #expect(own.description.air == own.air && own.description.plan.air == own.air)
        #expect(own.world(seed: Seed(1)).air == own.air && World(own.description, seed: Seed(1)).air == own.air)
    }

    @Test(arguments: [(#""chips""#, "step, chip, field"), (#"{"model": "x"}"#, "step, chip, field"), ("3", "must be")])
    func `what is no model is refused`(air: String, reason: String) {
        let problem = #expect(throws: FileProblem.self) { try read(air) }
        #expect("\(problem.map { "\($0)" } ?? "")".contains(reason))
    }

    @Test func `a run says by which model, and another model gives another run`() {
        let run = { (air: AirModel) in
            var plan = WorldPlan(.city(60, seed: Seed(3)), traffic: try Traffic("chat:3s"))
            plan.air = air
            var run = MeshRun(plan, seed: Seed(3), span: .seconds(120))
            return run.perform()
        }
        let results = AirModel.named.compactMap { try? run($0.model) }

        #expect(results.map(\.air) == ["step", "chip", "field"])
        #expect(Set(results.map(\.digest)).count == 3)
    }

    /// The article says what the models are kinder about.
    @Test func `the article has every line that reports have`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("../../..")
        let file = root.appendingPathComponent("Sources/MeshTestbed/MeshTestbed.docc/AirModels.md")
        let article = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")

        let field = AirModel.field.kinderThanAir
        #expect(!field.isEmpty && field.allSatisfy { article.contains($0.dropLast()) })
        #expect(AirModel.chip.kinderThanAir.count == field.count + 2)
        #expect(AirModel.step.kinderThanAir.count == field.count + 5)
        for model in AirModel.named { #expect(article.contains("| `\(model.name)` |")) }
    }
}
