import MeshTestbed
import MeshTime
import Testing

/// The words of scenarios about versions; the testbed brings their names.
@Suite struct FirmwareWordTests {
    @Test func `a node runs the version that it is told`() {
        let alice = Person.client("alice").runs(.v1_14)
        let hill = Repeater("hill") { $0.isRelaying = true }.runs(.v1_18)

        #expect(alice.member.settings.firmware == .v1_14)
        #expect(hill.member.settings.firmware == .v1_18 && hill.member.settings.isRelaying == true)
        #expect(Person.client("bob").member.settings.firmware == nil)
    }

    @Test(arguments: FirmwareVersion.all)
    func `people with radios of any version write to each other over a repeater of any`(_ version: FirmwareVersion) {
        let alice = Person.stack("alice").runs(version)
        let bob = Person.stack("bob")
        let hill = Repeater("hill").runs(version)
        let scenario = Scenario("mixed", .sync, "An old and a new radio exchange texts.") {
            chain(alice, hill, bob)
            acquainted(alice, bob)

            alice.sends("to bob", to: bob)
            bob.sends("to alice", to: alice)
        }

        #expect(ScenarioRun(scenario, seed: Seed(3)).onVirtualTime().verdict == .kept)
    }
}
