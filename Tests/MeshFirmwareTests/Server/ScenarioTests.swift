import MeshCrypto
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct ScenarioTests {
    private static let random = Seed(11).stream("scenario")
    private static let clock = RealTimeClock(unixSeconds: 1_715_770_351, at: .start)

    private static let board: BoardProfile = {
        var board = BoardProfile.vectors
        board.batteryMillivolts = 4100
        return board
    }()

    private static func repeater() -> RepeaterNode {
        RepeaterNode(
            identity: InfrastructureVectors.server, board: board, setup: ServerSetup(.repeater, board: board),
            random: random, clock: clock)
    }

    private static func room() -> RoomServer {
        RoomServer(
            identity: InfrastructureVectors.server, board: board, setup: ServerSetup(.roomServer, board: board),
            random: random, clock: clock)
    }

    private static func sensor() -> SensorNode {
        SensorNode(
            identity: InfrastructureVectors.server, board: board, setup: ServerSetup(.sensor, board: board),
            random: random, clock: clock)
    }

    private func differences(_ scenario: InfrastructureVectors.Scenario) -> [String] {
        switch scenario.role {
        case "repeater": differences(scenario, Self.repeater())
        case "room_server": differences(scenario, Self.room())
        default: differences(scenario, Self.sensor())
        }
    }

    private func differences(_ scenario: InfrastructureVectors.Scenario, _ node: some ServerNode) -> [String] {
        var player = ScenarioPlayer(scenario, node: node)
        player.play()
        return player.differences
    }

    @Test(arguments: InfrastructureVectors.all.scenarios)
    func `nodes send what the reference sent`(scenario: InfrastructureVectors.Scenario) {
        #expect(differences(scenario) == [])
    }

    @Test func `all recordings are played`() {
        #expect(InfrastructureVectors.all.scenarios.count == 13)
        #expect(InfrastructureVectors.all.scenarios.map(\.steps.count).reduce(0, +) == 126)
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
        let differences = differences(scenario)

        #expect(differences.count == 1)
        #expect(differences.allSatisfy { $0.hasPrefix("SC-REP-DIRECT, step 0 (next hop), \(field): expected") })
    }

    @Test func `the player misses what is not sent, and reports what nobody expects`() {
        var scenario = InfrastructureVectors.scenario("SC-REP-DIRECT")
        let forward = scenario.steps[0].expect
        scenario.steps[0].expect = []
        scenario.steps[2].expect = forward
        #expect(differences(scenario).map { $0.hasSuffix("got nothing") } == [false, true])
    }
}
