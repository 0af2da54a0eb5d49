import MeshCompanion
import MeshCompliance
import MeshScenarios
import MeshTestbed
import MeshTime
import Testing

/// People in scenarios who share one radio, at an interface each.
@Suite struct SharedRadioTests {
    private let alice = Person.stack("alice").runs(.v1_18)
    private var carol: Person { Person.stack("carol").at(alice) }

    private func scenario(@ScenarioBuilder _ parts: () -> [ScenarioPart]) -> Scenario {
        Scenario("shared-radio", .sync, "People share a radio.", parts)
    }

    @Test(arguments: (1...6).map { Seed($0) })
    func `stacks at one radio lose, double and mistake nothing while all of them write at once`(seed: Seed) {
        let bob = Person.client("bob") { $0.attempts = 4 }
        let dave = Person.client("dave") { $0.attempts = 4 }
        let busy = scenario {
            together(alice, bob, dave)
            acquainted(alice, bob, dave)

            for round in 1...10 {
                meanwhile {
                    bob.sends("b\(round)", to: alice)
                    dave.sends("d\(round)", to: alice)
                    alice.sends("a\(round)", to: bob)
                    carol.sends("c\(round)", to: dave)
                    carol.says("all \(round)")
                }
                pause(.seconds(3))
            }
            pause(.seconds(240))
            StoreRules.all
        }

        #expect(ScenarioRun(busy, seed: seed).onVirtualTime().verdict == .kept)
    }

    @Test func `a third app finds an interface, and a fourth does not`() {
        let bob = Person.client("bob")
        let (dora, eve) = (Person.client("dora").at(alice), Person.client("eve").at(alice))
        let three = scenario {
            alice.hears(bob)
            acquainted(alice, bob)
            carol
            bob.sends("to all three", to: alice)
            for who in [alice, carol, dora] { who.has("to all three").within(.seconds(20)) }
        }
        let four = scenario {
            alice.hears(bob)
            carol
            dora
            eve
        }

        #expect(ScenarioRun(three).onVirtualTime().verdict == .kept)
        #expect(
            ScenarioRun(four).onVirtualTime().verdict == .couldNotRun("3 people share the radio of alice, and 2 can"))
    }

    @Test func `a radio of an older version, one that is not there, and a link to itself are refused`() {
        let bob = Person.client("bob")
        let old = Person.stack("alice")
        let onOld = Person.stack("carol").at(old)
        let wrong = [
            scenario {
                old.hears(bob)
                onOld
            },
            scenario {
                bob
                carol
            },
            scenario { alice.hears(carol) },
        ]

        #expect(
            wrong.map { ScenarioRun($0).onVirtualTime().verdict } == [
                .couldNotRun("alice has no radio with several interfaces: firmware 1.18 has them"),
                .couldNotRun("carol is at a radio of alice, and there is none"),
                .couldNotRun("alice and carol have one radio, which does not hear itself"),
            ])
    }

    @Test func `it needs a target with several interfaces, and no second radio`() {
        let alone = scenario {
            alice
            carol
        }

        #expect(alone.needs == .secondInterface)
        #expect(Target.emulator.reasonAgainst(alone) == nil)
        #expect(Target(.wired(.tcp)).reasonAgainst(alone) != nil)
        #expect(alone.text == "there are alice (app), carol (app at alice's radio)")
    }
}
