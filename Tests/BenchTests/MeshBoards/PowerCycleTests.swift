import MeshBoards
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance

/// A loss of power by commands of a user counts only when the radio's uptime begins anew.
@Suite struct PowerCycleTests {
    private static let unproven =
        "needs the power cut, and the radio went on running: a battery, or another port"

    /// A radio that has been running for twenty seconds.
    private static func radio(_ power: SomebodysRadio.Power) throws -> SomebodysRadio {
        let radio = try SomebodysRadio.withSettings()
        radio.power = power
        radio.abilities.insert(.power)
        try radio.wait(.seconds(20))
        return radio
    }

    @Test func `a radio whose uptime begins anew was without power`() throws {
        let probe = Probe(try Self.radio(.cut))
        let before = try #require(probe.uptime())

        try probe.powerCycle()

        let after = try #require(probe.uptime())
        #expect(before >= 20 && after < before)
    }

    @Test func `a radio that went on running shows nothing`() throws {
        let probe = Probe(try Self.radio(.kept))

        let refusal = #expect(throws: OutOfSight.self) { try probe.powerCycle() }

        #expect(refusal?.reason == Self.unproven)
    }

    @Test func `a radio that does not tell its uptime is believed`() throws {
        let radio = try Self.radio(.kept)
        radio.fault = { $0.first == 0x38 ? .refusal(.unsupportedCmd) : nil }

        #expect(throws: Never.self) { try Probe(radio).powerCycle() }
    }

    @Test(arguments: [SomebodysRadio.Power.cut, .kept])
    func `a statement about a loss of power is shown by one alone`(_ power: SomebodysRadio.Power) throws {
        let target = Target(.tcp(host: "127.0.0.1", port: 1), allowing: .destructive)

        let report = try ComplianceRun(target: target, only: Selection("82")).perform(on: Self.radio(power))

        #expect(report.entries.map(\.verdict) == [power == .cut ? .kept : .notRun(Self.unproven)])
    }
}
