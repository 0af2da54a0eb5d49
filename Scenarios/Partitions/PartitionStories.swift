import MeshTestbed

/// Meshes that fall apart and grow together again.
enum PartitionStories {
    static let all = [splitAndHealed, lifeGoesOn, justInTime, islandTalk, bridgeBack]

    private static let alice = Person.stack("alice")
    private static let carol = Person.stack("carol")
    private static let bob = Person.client("bob")
    private static let eve = Person.stack("eve")
    private static let west = Repeater("west"), east = Repeater("east"), ford = Repeater("ford")

    static let splitAndHealed = Scenario(
        "split-and-healed", .partitions,
        """
        A storm cuts the valley in two. Alice's text to Eve on the other side fails, and the app says so; when the storm is \
        over, she taps it once more and it arrives. Nothing else is needed for the mesh to be whole again.
        """,
        tags: [.faults, .smoke]
    ) {
        chain(alice, west, east, eve)
        alice.knows(eve, over: west, east)
        eve.knows(alice, over: east, west)

        partition(alice, west, for: .seconds(200))
        alice.sends("are you dry?", to: eve)
        alice.sees("are you dry?", as: .failed).within(.seconds(180))
        Not(eve.has("are you dry?")).now
        at(.seconds(210)) {
            alice.triesAgain("are you dry?", to: eve)
            eve.has("are you dry?").within(.seconds(60))
            alice.sees("are you dry?", as: .delivered).within(.seconds(60))
        }
    }

    static let lifeGoesOn = Scenario(
        "life-goes-on", .partitions,
        """
        While the two halves of a mesh do not hear each other, each goes on for itself: Alice writes to Carol on her side, Eve \
        to Bob on hers. Neither half notices the other's traffic, and neither is slowed down by the split.
        """,
        tags: [.faults]
    ) {
        chain(alice, west, carol)
        chain(eve, east, bob)
        chain(west, east)
        alice.knows(carol, over: west)
        carol.knows(alice, over: west)
        eve.knows(bob, over: east)
        bob.knows(eve, over: east)

        partition(alice, carol, west)
        alice.sends("west side story", to: carol)
        eve.sends("east of eden", to: bob)
        meanwhile {
            alice.sees("west side story", as: .delivered).within(.seconds(30))
            eve.sees("east of eden", as: .delivered).within(.seconds(30))
        }
        alice.says("anybody in the east?")
        carol.has("anybody in the east?").within(.seconds(20))
        pause(.seconds(30))
        never(eve.has("anybody in the east?"))
        never(bob.has("anybody in the east?"))
    }

    static let justInTime = Scenario(
        "just-in-time", .partitions,
        """
        The mesh is split for ten seconds only. The first attempts of Alice's text are lost, and one of those that follow finds \
        it whole: an app that tries again makes short splits invisible.
        """,
        tags: [.faults]
    ) {
        chain(alice, west, east, eve)
        alice.knows(eve, over: west, east)
        eve.knows(alice, over: east, west)

        partition(eve, east, for: .seconds(10))
        alice.sends("hold on", to: eve)
        eve.has("hold on").within(.seconds(90))
        alice.sees("hold on", as: .delivered).within(.seconds(90))
        alice.hasTried("hold on", .atLeast(2)).now
    }

    static let islandTalk = Scenario(
        "island-talk", .partitions,
        """
        What is said on a channel during a split stays on its side. A mesh has no memory: when both halves are one again, \
        nobody brings the old lines over, and new ones reach everybody.
        """,
        tags: [.faults]
    ) {
        chain(alice, west, east, bob)

        partition(alice, west, for: .seconds(60))
        alice.says("only we hear this")
        bob.says("and only we this")
        pause(.seconds(90))
        alice.says("together again")
        bob.has("together again").within(.seconds(30))
        never(bob.has("only we hear this"))
        never(alice.has("and only we this"))
    }

    static let bridgeBack = Scenario(
        "bridge-back", .partitions,
        """
        West and east were never in range of each other. Then somebody puts a repeater at the ford that hears both, and the \
        two meshes are one: adverts cross, and Alice and Eve can write to each other.
        """
    ) {
        alice.hears(west)
        east.hears(eve)
        ford

        eve.advertsToEverybody()
        pause(.seconds(30))
        Not(alice.hasMet(eve)).now
        ford.isInRadioRange(of: west)
        ford.isInRadioRange(of: east)
        eve.advertsToEverybody()
        alice.lists(eve, as: "eve").within(.seconds(60))
        pause(.seconds(10))
        alice.advertsToEverybody()
        eve.lists(alice, as: "alice").within(.seconds(60))
        pause(.seconds(10))
        alice.sends("over the ford", to: eve)
        eve.has("over the ford").within(.seconds(90))
        alice.isDone(with: "over the ford").within(.seconds(180))
        sometimes(alice.knowsWay(to: eve, hops: 3))
    }
}
