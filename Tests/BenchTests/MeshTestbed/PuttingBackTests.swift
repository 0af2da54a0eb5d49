import MeshBoards
import MeshCompanion
import MeshTransports
import MeshWire
import Testing

@testable import MeshCompliance

/// The state of a radio that a run was allowed to erase, when something fails on the way.
@Suite struct PuttingBackTests {
    private static let target = Target(.tcp(host: "127.0.0.1", port: 1), allowing: .destructive)

    private static func run(_ radio: SomebodysRadio, _ checks: String) throws(ComplianceRun.Problem) -> ComplianceReport
    {
        try ComplianceRun(target: target, only: Selection(checks)).perform(on: radio)
    }

    /// A radio with settings, a channel and two contacts, none of which is as a run wants it.
    private static func radio() throws -> SomebodysRadio {
        let radio = SomebodysRadio()
        try radio.prepare(Setup())
        let probe = Probe(radio)
        let commands: [Pattern] = [
            "08 'Mine'", "0E \(Int32(1_000_000)) \(Int32(2_000_000))", "26 01 15 01 02", "3A 06 05", "3D 00 01",
            "3F 'region' 00×25 55×16", "15 DC050000 D0070000", "20 01 'Mine' 00×28 11×16",
        ]
        for command in commands { try probe.ask(command, "00") }
        try probe.add(.bob, type: 1, lastmod: 1_640_000_000)
        try probe.add(.carol, type: 2, path: [1, 2], lastmod: 1_640_000_001)
        return radio
    }

    /// Reads everything in it that a run could change.
    private static func photograph(_ radio: SomebodysRadio) throws -> [[UInt8]] {
        radio.fault = { _ in nil }
        try radio.connect()
        let probe = Probe(radio)
        try probe.resynchronise()
        let questions: [Pattern] = ["01 00×7", "16 03", "2B", "3B", "40", "1F 00", "1F 01", "1F 02"]
        let frames = try questions.map { try probe.ask($0, "…").frame }
        return try frames
            + probe.contacts().keys.sorted { $0.lexicographicallyPrecedes($1) }
            .map { try probe.contact($0).frame }
    }

    /// The first frame with this code meets the fault.
    private static func once(_ code: UInt8, _ fault: SomebodysRadio.Fault) -> ([UInt8]) -> SomebodysRadio.Fault? {
        var hasCome = false
        return { frame in
            guard frame.first == code, !hasCome else { return nil }
            hasCome = true
            return fault
        }
    }

    @Test func `a radio that is out of reach for a while gets everything back when the run ends for it`() throws {
        let radio = try Self.radio()
        let before = try Self.photograph(radio)
        radio.fault = Self.once(0x08, .loss(refusals: 2))

        let report = try Self.run(radio, "50-52")

        #expect(report.abortedBecause == "cannot reach the radio: connection refused")
        #expect(report.entries.count < 3)
        #expect(report.notes == [])
        #expect(try Self.photograph(radio) == before)
    }

    @Test(arguments: [(SomebodysRadio.Fault.refusal(.badState), "answered 01 04"), (.silence, "not answered")])
    func `a radio that does not go to the baseline of a run is judged all the same, and gets everything back`(
        _ fault: SomebodysRadio.Fault, _ words: String
    ) throws {
        let radio = try Self.radio()
        let before = try Self.photograph(radio)
        radio.fault = Self.once(0x15, fault)

        let report = try Self.run(radio, "50-52")

        #expect(report.kept == 3)
        #expect(report.abortedBecause == nil)
        #expect(
            report.notes == [
                "Not as statements expect it on \(radio.title):",
                "  the setting of CMD_SET_TUNING_PARAMS: \(words)",
            ])
        #expect(try Self.photograph(radio) == before)
    }

    /// Contacts are removed before settings are changed.
    @Test(arguments: [SomebodysRadio.Fault.loss(refusals: 1), .crash])
    func `a radio that fails on the way to the baseline of a run gets everything back`(
        _ fault: SomebodysRadio.Fault
    ) throws {
        let radio = try Self.radio()
        let before = try Self.photograph(radio)
        radio.fault = Self.once(0x15, fault)

        let problem = #expect(throws: ComplianceRun.Problem.self) { try Self.run(radio, "50-52") }

        #expect(problem?.description.contains("not put back") == false, "\(problem?.description ?? "")")
        #expect(try Self.photograph(radio) == before)
    }

    @Test func `a run names what the radio does not take back, and puts back the rest`() throws {
        let radio = try Self.radio()
        let before = try Self.photograph(radio)
        let bob = Peer.bob.key
        radio.fault = { $0.first == 0x09 && $0.dropFirst().starts(with: bob) ? .refusal(.tableFull) : nil }

        let report = try Self.run(radio, "50-52")

        #expect(report.kept == 3)
        #expect(report.abortedBecause == "not everything could be put back on \(radio.title)")
        #expect(
            report.notes == [
                "Not put back on \(radio.title):",
                "  the contact \(bob.prefix(6).hex) \(Peer.bob.name): refused, TABLE_FULL",
            ])
        #expect(try Self.photograph(radio) == before.filter { !($0.first == 3 && $0.dropFirst().starts(with: bob)) })
    }

    @Test func `of a radio that stays away a run names everything that was not put back`() throws {
        let radio = try Self.radio()
        radio.fault = Self.once(0x08, .loss(refusals: .max))

        let report = try Self.run(radio, "50-52")

        #expect(report.exitCode == 2)
        #expect(
            report.notes.prefix(2) == [
                "Not put back on \(radio.title):",
                "  The radio is out of reach: cannot reach the radio: connection refused",
            ])
        #expect(report.notes.contains("  the contact \(Peer.carol.key.prefix(6).hex) \(Peer.carol.name): not tried"))
        #expect(report.notes.contains("  the setting of CMD_SET_TUNING_PARAMS: not tried"))
    }

    @Test func `a run that cannot begin says what it could not put back`() throws {
        let radio = try Self.radio()
        radio.fault = Self.once(0x15, .loss(refusals: .max))

        let problem = try #require(#expect(throws: ComplianceRun.Problem.self) { try Self.run(radio, "50-52") })

        #expect(problem.description.hasPrefix("the link is gone: the radio closed the connection; not put back: "))
        #expect(problem.description.contains("the contact \(Peer.carol.key.prefix(6).hex)"))
    }

    @Test func `a radio that answers nothing but the introduction is given up after three steps`() throws {
        let radio = try Self.radio()
        let probe = Probe(radio)
        probe.keeper = try probe.remembered()
        var asked = 0
        radio.fault = { frame in
            if frame.first == 0x01 { return nil }
            asked += 1
            return .silence
        }

        let left = probe.restoreAll()

        // Each step is tried twice.
        #expect(asked == 6)
        #expect(left.filter { $0.hasSuffix(": not tried") }.count == left.count - 3)
    }

    @Test func `what was not put back after a statement still counts as touched`() throws {
        let radio = try Self.radio()
        let before = try Self.photograph(radio)
        let probe = Probe(radio)
        probe.keeper = try probe.remembered()
        try probe.ask("15 00000000 00000000", "00")
        try probe.ask("08 'Other'", "00")
        radio.fault = Self.once(0x15, .silence)

        #expect(throws: Failure.self) { try probe.restoreTouched() }
        #expect(probe.keeper?.hasTouched == true)
        try probe.restoreTouched()

        #expect(probe.keeper?.hasTouched == false)
        #expect(try Self.photograph(radio) == before)
    }
}
