import MeshBluetoothHost
import MeshBoards
import MeshReports
import MeshTime
import MeshTransports
import Testing

@testable import MeshScenarios

/// A story in which alice's link has a fault while she sends a text.
enum LinkStory {
    static let alice = Person.stack("alice")
    static let bob = Person.client("bob")

    static func story(
        _ fault: PlannedLinkFault, @ScenarioBuilder then more: () -> [ScenarioPart] = { [] }
    ) -> Scenario {
        story([fault], then: more)
    }

    static func story(
        _ faults: [PlannedLinkFault], @ScenarioBuilder then more: () -> [ScenarioPart] = { [] }
    ) -> Scenario {
        let lines = faults.map { Step.fault(alice.linkFault($0), lasting: nil) }
        let rest = more()
        return Scenario("below", .direct, "Alice's text arrives, whatever happens at her link.") {
            alice.hears(bob)
            acquainted(alice, bob)
            lines
            alice.sends("hello", to: bob)
            bob.has("hello").within(.seconds(60))
            rest
        }
    }
}

/// Faults of Bluetooth as words of scenarios.
struct BluetoothWordTests {
    private static func story(_ fault: BluetoothFault) -> Scenario {
        LinkStory.story(PlannedLinkFault(.bluetooth(fault)))
    }

    @Test(arguments: Target.Modelled.allCases)
    func `one that fires is counted, and the run is the same every time`(link: Target.Modelled) async throws {
        let story = Self.story(BluetoothFault(.lateAnswer(by: .seconds(1)), at: .write))

        let first = await ScenarioRun(story).on(Target(.modelled(link)))
        let second = await ScenarioRun(story).on(Target(.modelled(link)))

        #expect(first.verdict == .kept)
        #expect(first.digest == second.digest)
        let outcome = try #require(first.faults.first)
        #expect(first.faults.count == 1 && outcome.count.hasFired && outcome.nodes == ["alice"])
    }

    @Test func `one that never fires makes the run invalid`() async {
        let story = Self.story(BluetoothFault(.mtu(64)))

        let result = await ScenarioRun(story).on(Target(.modelled(.bluetoothESP32)))

        guard case .invalid(let reasons) = result.verdict else {
            Issue.record("\(result.text())")
            return
        }
        #expect(reasons.count == 1 && reasons[0].contains("alice's link has the fault mtu"), "\(reasons)")
    }

    @Test func `without Bluetooth nothing starts`() async {
        let story = Self.story(BluetoothFault(.mtu(64)))

        let result = await ScenarioRun(story).on(.emulator)

        guard case .couldNotRun(let reason) = result.verdict else {
            Issue.record("\(result.text())")
            return
        }
        #expect(reason.contains("mtu needs a link over Bluetooth"), "\(reason)")
    }
}
