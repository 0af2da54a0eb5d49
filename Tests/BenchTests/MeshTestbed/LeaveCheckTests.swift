import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import MeshCompliance
@testable import MeshReports

/// The checks in which an app leaves at a place and returns.
@Suite struct LeaveCheckTests {
    private static func report(
        on target: Target = .emulator, mutant: Mutant? = nil, only pattern: String = ""
    ) throws -> ComplianceReport {
        var run = ComplianceRun(target: target, only: Selection(pattern))
        (run.leavesAndReturns, run.mutant) = (true, mutant)
        return try run.perform()
    }

    @Test func `the emulator keeps every check`() throws {
        let report = try Self.report()

        #expect(report.entries.map(\.id) == Check.ofLeaving.map(\.id))
        #expect(report.kept == Check.ofLeaving.count && report.exitCode == 0, "\(report.text(isVerbose: true))")
    }

    @Test(arguments: Target.Modelled.allCases)
    func `so does it over modelled Bluetooth, where no half of a command arrives`(link: Target.Modelled) throws {
        let report = try Self.report(on: Target(.modelled(link)))

        #expect(report.kept == Check.ofLeaving.count - 1 && report.broken == 0, "\(report.text(isVerbose: true))")
        #expect(report.entries.filter(\.isNotRun).map(\.id) == ["LEAVE-half-a-command"])
    }

    @Test func `a run without the option has none of them, and one is run by its name`() throws {
        #expect(!Check.all.contains { $0.id.hasPrefix("LEAVE-") })
        #expect(Set(Check.ofLeaving.map(\.id)).count == Check.ofLeaving.count)

        let report = try ComplianceRun(target: .emulator, only: Selection("LEAVE-contacts-*")).perform()

        #expect(report.kept == 4 && report.entries.count == 4)
        #expect(report.entries[0].repeatCommand == "meshbed comply --target emulator --only LEAVE-contacts-begun")
        #expect(TestReport(report).entries.allSatisfy { $0.kind == .check })
    }

    @Test func `a radio that hangs is told to hang, with advice, and the run goes on`() throws {
        let mutant = try #require(Mutant.named("hangs-when-left-often"))
        let report = try Self.report(mutant: mutant)
        let broken = report.entries.filter(\.isBroken)

        #expect(broken.map(\.id) == ["LEAVE-contacts-ten-times"])
        guard case .broken(let lines, _)? = broken.first?.verdict else { return }
        #expect(lines.contains("expected  SELF_INFO after the return"))
        #expect(lines.last?.contains("It hangs. Before you restart it") == true)
    }

    /// An app that leaves a Wi-Fi radio in the middle of its contacts and is back at once gets the rest of them first:
    /// replies that wait go to the next client, and a listing goes on until APP_START ends it.
    @Test(arguments: [AppLink.wifi, .bluetooth])
    func `what a listing leaves behind comes before SELF_INFO, and nothing behind it`(link: AppLink) throws {
        let radio = EmulatorTarget(over: link == .bluetooth ? .bluetoothNRF52 : nil, on: link)
        let probe = Probe(radio)
        var setup = Setup()
        setup.isAboutLeaving = true
        try probe.prepare(setup)
        for number in 0..<40 { try probe.add(Peer(number: number)) }
        try probe.ask("04", "02 28000000", contactLayout, contactLayout)

        try probe.reconnect()
        try probe.send("01 00×7")
        let frames = try probe.collect { $0.first == ResponseCode.selfInfo.rawValue }

        let old = frames.dropLast().compactMap(\.first)
        // Over the air a connection takes longer than a listing that nobody reads.
        #expect(link == .wifi ? old.contains(3) : old.isEmpty, "\(old)")
        #expect(old.allSatisfy { $0 == 3 || $0 == 4 })
        try probe.expectSilence()
        #expect(try probe.contacts().keys.count == 40)
    }

    /// The firmware forgets a central that never pairs at the end of its link alone: 1.17.1 has no limit for that.
    @Test func `a central that connects and never pairs keeps an nRF52 from advertising`() throws {
        let radio = EmulatorTarget(over: .bluetoothNRF52)
        let probe = Probe(radio)
        var setup = Setup(interface: .bluetooth)
        setup.platform = .nrf52
        try probe.prepare(setup)
        try probe.connectCentral()

        try probe.wait(.seconds(600))

        #expect(try probe.central().isLinked)
        #expect(try probe.central().find(within: .seconds(30)) == nil)
        try probe.hangUp()
        _ = try probe.found()
    }
}
