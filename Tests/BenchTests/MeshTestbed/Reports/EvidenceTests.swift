import MeshBoards
import MeshFirmware
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance
@testable import MeshReports

/// The evidence that a broken statement leaves.
struct EvidenceTests {
    /// The emulator whose answers are a byte too long, and the statements chosen.
    private func spoilt(_ only: String) throws -> TestReport {
        let target = EmulatorTarget()
        target.tamper = { $0 = $0.isEmpty ? $0 : [$0[0], $0[1] &+ 1] + $0.dropFirst(2) + [0xEE] }
        return TestReport(try ComplianceRun(target: .emulator, only: Selection(only)).perform(on: target))
    }

    @Test func `a broken statement has its frames in order, with virtual times, and ends with what was wrong`() throws {
        let report = try spoilt("CMP-056")
        let entry = try #require(report.entries.first)
        let timeline = try #require(entry.timeline)

        #expect(entry.isBroken)
        #expect(timeline.lanes.map(\.name) == ["app", "radio", "air"])
        #expect(timeline.events.last?.kind == .failure)
        #expect(timeline.events.contains { $0.kind == .frame && $0.lane == 0 })
        #expect(timeline.events.contains { $0.kind == .frame && $0.lane == 1 })
        #expect(timeline.arrows.count == timeline.events.count { $0.kind == .frame })
        #expect(entry.frames.map(\.way).contains(.toApp))
        #expect(zip(timeline.events, timeline.events.dropFirst()).allSatisfy { $0.at <= $1.at })
    }

    @Test func `a kept statement leaves nothing but how to repeat it`() throws {
        let report = TestReport(try ComplianceRun.emulator(only: "CMP-034"))
        let entry = try #require(report.entries.first)

        #expect(entry.timeline == nil)
        #expect(entry.frames.isEmpty)
        #expect(entry.repeatCommand == "meshbed comply --target emulator --only CMP-034")
    }

    @Test func `what the radio sent is in the picture with its airtime, looked at or not`() throws {
        let target = EmulatorTarget()
        let probe = Probe(target)
        try target.prepare(Setup())
        probe.begin()
        try probe.ask("07 01", "00")
        try probe.wait(.seconds(5))

        let timeline = probe.evidence.timeline(failure: ["got nothing"])
        let packet = try #require(timeline.events.first { $0.kind == .packet })

        #expect(packet.label.contains("advert") || packet.label.contains("ADVERT"))
        #expect(packet.length > .milliseconds(100))
        #expect(packet.at < probe.moment)
        #expect(packet.lane == 2)
        #expect(timeline.arrows.contains { timeline.events[$0.from] == packet && $0.start == 1 && $0.to == 2 })
    }

    @Test func `a repetition is on the same radio, by the same rig, and may do the same`() throws {
        var name = try Target("serial:/dev/tty USB0")
        name.rig = try LinkAddress(control: "tcp://127.0.0.1:5999")
        let check = try #require(Check.all.first { $0.id == "CMP-037" })
        name.allowed = .destructive

        let command = ComplianceRun(target: name).repeatCommand([check.id])

        #expect(
            command == "meshbed comply --target 'serial:/dev/tty USB0' --rig tcp://127.0.0.1:5999 --only CMP-037 "
                + "--destructive")
    }

    @Test func `a fault that was switched on is switched on again`() throws {
        let mutant = try #require(Mutant.all.first)
        let check = try #require(Check.all.first { $0.id == "CMP-034" })
        var run = ComplianceRun(target: .emulator)
        run.mutant = mutant

        #expect(
            run.repeatCommand([check.id]) == "meshbed comply --target emulator --only CMP-034 --mutant \(mutant.name)")
    }

    @Test(arguments: [
        ("emulator", "emulator"), ("serial:/dev/tty USB", "'serial:/dev/tty USB'"), ("it's", #"'it'\''s'"#), ("", "''"),
        ("conversation/*", "'conversation/*'"),
    ])
    func `words for a shell are quoted where they must be`(_ word: String, _ quoted: String) {
        #expect(word.shellQuoted == quoted)
    }
}
