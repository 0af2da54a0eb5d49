import MeshBoards
import MeshTime
import Testing

@testable import MeshCompliance
@testable import MeshReports
@testable import MeshScenarios

/// Lines that repeat a run name the program that the user has called.
@Suite struct ProgramNameTests {
    private static let alice = Person.stack("alice")
    private let mute = Scenario("mute", .direct, "Nothing comes.") { alice.has("hello").within(.seconds(1)) }

    @Test(arguments: [
        ("/home/me/my-stories/.build/x86_64-unknown-linux-gnu/debug/my-stories", "swift run my-stories"),
        ("/home/me/my-stories/.build/x86_64-unknown-linux-gnu/release/my-stories", "swift run -c release my-stories"),
        ("/usr/local/bin/my-stories", "my-stories"), ("my-stories", "my-stories"),
    ])
    func `a package's program is called as its user can`(path: String, call: String) {
        let program = ProgramName(path: path)

        #expect(program.call == call)
        #expect(program.name == "my-stories")
        #expect(program.isPackage)
    }

    @Test func `a scenario of a package is repeated by the package's program, with target and seed`() async throws {
        var run = ScenarioRun(mute, seed: Seed(7))
        run.program = ProgramName(path: "/me/.build/debug/my-stories")
        let result = run.onVirtualTime()

        #expect(result.repeatCommand == "swift run my-stories run mute --seed 7")
        let report = TestReport(scenarios: [result], target: "emulator", seed: Seed(7))
        #expect(report.call == "swift run my-stories run")
        for text in [report.text(), report.json, report.junit, HTMLReport(report).html] {
            #expect(text.contains("swift run my-stories run mute --seed 7"))
            #expect(!text.contains("meshbed scenario"))
        }
        #expect(report.junit.contains(#"<testsuites name="swift run my-stories run emulator""#))
        #expect(HTMLReport(report).html.contains("Written by <code>swift run my-stories run</code>"))

        let radios = try Target(words: ["tcp://127.0.0.1:1"])
        let there = await run.on(radios)
        #expect(there.repeatCommand == "swift run my-stories run mute --seed 7 --target tcp://127.0.0.1:1")
    }

    @Test func `a soak of a package is repeated by it, shrunk or not`() throws {
        let program = ProgramName("my-stories")
        var soak = SoakResult(name: "mute", path: mute.path, states: [])
        soak.program = program
        let verdict = ScenarioRun(mute, seed: Seed(3)).onVirtualTime().verdict
        soak.add(.init(verdict: verdict, reached: [], scenario: mute), seed: 3)

        let whole = TestReport(soaks: [soak])
        soak.shrunk = soak.failures.map { ShrunkFailure($0, name: "mute", effort: 5, program: program) }
        let small = TestReport(soaks: [soak])

        #expect(whole.call == "my-stories soak")
        #expect(whole.entries.first?.repeatCommand == "my-stories run mute --seed 3")
        #expect(small.entries.first?.repeatCommand.hasPrefix("my-stories run mute --seed 3") == true)
    }

    @Test func `a radio of a package's bench is named by its label, which allows what its owner allows`() throws {
        let bench = Bench {
            Radio("heltec", "serial:/dev/ttyUSB0", near: ["shelf"], allowing: .destructive)
            Radio("shelf", "tcp://192.0.2.7:5000")
        }
        var run = try bench.complianceRun(target: "heltec", peer: "shelf")
        let check = try #require(Check.all.first { $0.id == "CMP-034" })

        let ours = run.repeatCommand([check.id])
        run.program = ProgramName("my-stories")

        #expect(
            ours
                == "meshbed comply --target serial:/dev/ttyUSB0 --peer tcp://192.0.2.7:5000 --only CMP-034 --destructive"
        )
        #expect(run.repeatCommand([check.id]) == "my-stories comply --target heltec --peer shelf --only CMP-034")
    }
}
