import MeshTestbed
import MeshTime
import Testing

/// The words of scenarios about displays and buttons.
@Suite struct DisplayWordTests {
    @Test func `somebody sends an advert and switches a radio off by its button`() {
        let alice = Person.stack("alice")
        let carl = Person.client("carl")
        let scenario = Scenario("button", .firstContact, "Carl turns the pages of his radio's display.") {
            alice.hears(carl)
            acquainted(alice, carl)

            pause(.seconds(20))
            carl.displaysNothing().now
            carl.presses(.click)
            carl.displays("< Connected >").now
            carl.presses(.click)
            carl.displays("Recent adverts").now
            for _ in 0..<3 { carl.presses(.click) }
            carl.displays("advert: long press").now
            carl.presses(.long)
            carl.displays("Advert sent!").now
            carl.presses(.click)
            carl.presses(.click)
            carl.displays("hibernate:long press").now
            carl.presses(.long)
            carl.isOff().now
            carl.isSwitchedOn()
            carl.isOn().within(.seconds(10))
        }

        let result = ScenarioRun(scenario, seed: Seed(3)).onVirtualTime()

        #expect(result.verdict == .kept, "\(result.text())")
    }
}
