import MeshTime
import Testing

@testable import MeshScenarios

/// Shrunk scenarios must break for the same reason: in the planted ones another cause would break them, too.
@Suite struct ShrinkerReasonTests {
    private static let alice = Person.stack("alice")
    private static let bob = Person.stack("bob")
    private static let carol = Person.client("carol")
    private static let hill = Repeater("hill")
    private static let club = Room("club")

    /// A scenario that is broken, and the lines and ties without which it would break for another reason.
    struct Planted: CustomTestStringConvertible, Sendable {
        let name: String
        let scenario: Scenario
        let mustStay: [String]

        var testDescription: String { name }
    }

    private static func scenario(_ name: String, @ScenarioBuilder _ parts: () -> [ScenarioPart]) -> Scenario {
        Scenario(name, .flood, "Something is lost.") {
            chain(alice, hill, bob)
            chain(carol, hill)
            acquainted(alice, bob, carol)
            carol.advertsNextDoor()
            pause(.seconds(5))
            parts()
        }
    }

    static let planted: [Planted] = [
        Planted(
            name: "the send",
            scenario: scenario("send") {
                hill.hasNoPower(for: .seconds(60))
                alice.sends("hello", to: bob)
                bob.has("hello").within(.seconds(20))
            }, mustStay: ["hill has no power", "alice sends “hello” to bob", "within 20 s: bob has “hello”"]),
        Planted(
            name: "the send of a text that is seen as delivered",
            scenario: scenario("seen") {
                loss(1, for: .seconds(600))
                alice.sends("hello", to: bob)
                alice.sees("hello", as: .delivered).within(.seconds(20))
            }, mustStay: ["100 % of the frames are lost", "alice sends “hello” to bob"]),
        Planted(
            name: "who listens on a channel",
            scenario: scenario("channel") {
                alice.joins(ChannelWord("#club"))
                bob.joins(ChannelWord("#club"))
                carol.joins(ChannelWord("#club"))
                bob.isDeaf(for: .seconds(60))
                alice.says("to all", on: ChannelWord("#club"))
                bob.has("to all").within(.seconds(20))
            }, mustStay: ["bob joins #club", "bob is deaf", "alice says “to all” on #club"]),
        Planted(
            name: "an advert",
            scenario: Scenario("advert", .firstContact, "An advert is lost.") {
                chain(alice, hill, bob)
                carol
                bob.isDeaf(for: .seconds(60))
                alice.advertsToEverybody()
                bob.hasMet(alice).within(.seconds(20))
            }, mustStay: ["bob is deaf", "alice adverts to everybody"]),
    ]

    @Test(arguments: planted)
    func `what the expectation depends on stays`(_ planted: Planted) async throws {
        let result = ScenarioRun(planted.scenario, seed: Seed(3)).onVirtualTime()
        guard case .broken(let failure) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }

        let shrunk = await Shrinker(planted.scenario, seed: Seed(3), failure: failure).performed()

        let lines = shrunk.scenario.script.map(\.sentence)
        for line in planted.mustStay {
            #expect(lines.contains { $0.hasPrefix(line) }, "\(line) is not in \(lines)")
        }
        #expect(!lines.contains { $0.hasPrefix("carol") })
        #expect(shrunk.failure.basis == failure.basis)
    }

    /// Without their link or their known contact they receive nothing, whatever goes wrong besides.
    @Test func `those whom the failure is about keep knowing and reaching each other`() async throws {
        let scenario = Self.scenario("ties") {
            Self.bob.isDeaf(for: .seconds(60))
            Self.alice.sends("hello", to: Self.bob)
            Self.bob.has("hello").within(.seconds(20))
        }
        let result = ScenarioRun(scenario, seed: Seed(3)).onVirtualTime()
        guard case .broken(let failure) = result.verdict else {
            Issue.record("\(result.verdict)")
            return
        }

        let shrunk = await Shrinker(scenario, seed: Seed(3), failure: failure).performed().scenario

        let ties = shrunk.ties(among: ["alice", "bob"])
        #expect(ties.ways.count == 2)
        #expect(ties.knownContacts.count == 2)
        #expect(shrunk.script.contains { $0.sentence.hasPrefix("bob is deaf") })
        #expect(shrunk.cast.map(\.name).sorted() == ["alice", "bob"])
    }

    @Test func `people's radios do not relay, and a way may lead one way only`() {
        let scenario = Scenario("ways", .paths, "Who reaches whom.") {
            chain(Self.alice, Self.hill)
            Self.hill.isHeard(by: Self.bob)
            chain(Self.bob, Self.carol)
        }

        let ways = scenario.ties(among: ["alice", "bob", "carol"]).ways.map { "\($0.from) \($0.to)" }.sorted()

        #expect(ways == ["alice bob", "bob carol", "carol bob"])
    }
}
