import MeshCrypto
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct ScenarioTests {
    /// A repeater as the recordings had it.
    private func repeater(_ id: String) -> Repeater {
        var setup = ServerSetup(.repeater, board: .vectors)
        setup.preferences.advertInterval = id.hasPrefix("SC-ADVERT-FRESH") ? 1 : 0
        return Repeater(
            identity: InfrastructureVectors.server, board: .vectors, setup: setup,
            random: Seed(11).stream("scenario", id), clock: RealTimeClock(unixSeconds: 1_715_770_351, at: .start))
    }

    @Test(arguments: ["SC-REP-DIRECT", "SC-REP-DISCOVER", "SC-ADVERT-FRESH-repeater"])
    func `a repeater sends what the reference sent`(id: String) {
        var player = ScenarioPlayer(InfrastructureVectors.scenario(id), node: repeater(id))

        player.play()

        #expect(player.differences == [])
    }

    @Test(arguments: ["route", "type", "path", "raw", "payload", "delay_ms", "delay_range_ms"])
    func `the player names scenario, step and field of what differs`(field: String) throws {
        var scenario = InfrastructureVectors.scenario("SC-REP-DIRECT")
        var expected = try #require(scenario.steps[0].expect?.first)
        switch field {
        case "route": expected.route = "FLOOD"
        case "type": expected.type = "ACK"
        case "path": expected.path = "2234"
        case "raw": expected.raw = "00"
        case "payload": expected.payload = "00"
        case "delay_ms": expected.delayMs = 9000
        default: expected.delayRangeMs = [9000, 9001]
        }
        scenario.steps[0].expect = [expected]
        var player = ScenarioPlayer(scenario, node: repeater("spoilt"))

        player.play()

        #expect(player.differences.count == 1)
        #expect(player.differences.allSatisfy { $0.hasPrefix("SC-REP-DIRECT, step 0 (next hop), \(field): expected") })
    }

    @Test func `the player misses what is not sent, and reports what nobody expects`() {
        var scenario = InfrastructureVectors.scenario("SC-REP-DIRECT")
        let forward = scenario.steps[0].expect
        scenario.steps[0].expect = []
        scenario.steps[2].expect = forward
        var player = ScenarioPlayer(scenario, node: repeater("spoilt"))

        player.play()

        #expect(player.differences.map { $0.hasSuffix("got nothing") } == [false, true])
    }
}
