import MeshTestbed

/// Scenarios in which people come to know each other.
enum FirstContactStories {
    static let all = [
        heardNextDoor, heardOverRepeaters, askedFirst, onlyNearOnes, cardInHand, cardOfAThird, sharedNextDoor,
        newName, forgedAdvert, removedAndHeardAgain,
    ]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let carol = Person.client("carol")
    private static let hill = Repeater("hill"), valley = Repeater("valley")

    static let heardNextDoor = Scenario(
        "heard-next-door", .firstContact,
        """
        Bob tells those in range that he is there. Alice hears him and has him among her contacts without doing \
        anything; Carol, who lives behind the hill, does not, because nobody carries such an advert on.
        """,
        tags: [.smoke]
    ) {
        alice.hears(bob)
        chain(bob, hill, carol)

        bob.advertsNextDoor()
        alice.hasMet(bob).within(.seconds(10))
        alice.lists(bob, as: "bob").within(.seconds(10))
        pause(.seconds(20))
        never(carol.hasMet(bob))
        always(hill.hasTransmitted(.none))
    }

    static let heardOverRepeaters = Scenario(
        "heard-over-repeaters", .firstContact,
        """
        Bob adverts to everybody. Two repeaters carry it on, once each, and Alice at the far end has him among her \
        contacts. She can write to him at once, although they have never been in range of each other.
        """
    ) {
        chain(alice, hill, valley, bob)

        bob.advertsToEverybody()
        alice.lists(bob, as: "bob").within(.seconds(20))
        hill.hasTransmitted(.once).now
        valley.hasTransmitted(.once).now

        alice.advertsToEverybody()
        bob.hasMet(alice).within(.seconds(20))
        alice.sends("nice to meet you", to: bob)
        bob.has("nice to meet you").within(.seconds(30))
        alice.sees("nice to meet you", as: .delivered).within(.seconds(30))
    }

    static let askedFirst = Scenario(
        "asked-first", .firstContact,
        """
        Alice does not want everybody who drives by among her contacts. Her radio adds nobody by itself: the app offers \
        Bob as somebody new, and he is a contact only when she accepts him.
        """
    ) {
        alice.hears(bob)
        bob.knowsNextDoor(alice)

        alice.adds(.nobody)
        bob.advertsNextDoor()
        alice.hasDiscovered(bob).within(.seconds(10))
        Not(alice.hasMet(bob)).stays(for: .seconds(20))

        alice.accepts(bob)
        alice.hasMet(bob).within(.seconds(5))
        Not(alice.hasDiscovered(bob)).now
        alice.sends("now I know you", to: bob)
        bob.has("now I know you").within(.seconds(20))
    }

    static let onlyNearOnes = Scenario(
        "only-near-ones", .firstContact,
        """
        Alice's radio adds only those whose advert came over fewer than two repeaters. Carol lives behind one and becomes \
        a contact; Bob lives behind two and is merely offered by the app.
        """
    ) {
        chain(alice, hill, valley, bob)
        hill.hears(carol)

        alice.adds(.fewerHops(than: 2))
        carol.advertsToEverybody()
        alice.hasMet(carol).within(.seconds(20))
        pause(.seconds(5))
        bob.advertsToEverybody()
        alice.hasDiscovered(bob).within(.seconds(20))
        never(alice.hasMet(bob))
    }

    static let cardInHand = Scenario(
        "card-in-hand", .firstContact,
        """
        Alice and Bob meet in a café and hand each other their cards by phone. Nothing has gone over the air, and back \
        home, with a hill between them, they can write to each other at once.
        """
    ) {
        chain(alice, hill, bob)

        bob.handsCard(to: alice)
        alice.handsCard(to: bob)
        alice.hasMet(bob).within(.seconds(5))
        bob.hasMet(alice).within(.seconds(5))
        alice.hasTransmitted(.none).now
        bob.hasTransmitted(.none).now

        alice.lists(bob, as: "bob").within(.seconds(10))
        alice.sends("safely home", to: bob)
        bob.has("safely home").within(.seconds(20))
        alice.sees("safely home", as: .delivered).within(.seconds(20))
    }

    static let cardOfAThird = Scenario(
        "card-of-a-third", .firstContact,
        """
        Alice has heard Carol, Bob has not. Alice gives Bob the card that her radio has kept of Carol's advert: it is \
        signed by Carol herself, so Bob's radio takes it as if it had heard her.
        """
    ) {
        alice.hears(bob)
        alice.hears(carol)

        carol.advertsNextDoor()
        alice.lists(carol, as: "carol").within(.seconds(10))
        Not(bob.hasMet(carol)).now
        alice.handsCard(of: carol, to: bob)
        bob.hasMet(carol).within(.seconds(5))
        bob.lists(carol, as: "carol").now
    }

    static let sharedNextDoor = Scenario(
        "shared-next-door", .firstContact,
        """
        Bob is out of Carol's range. Alice hears both, and shares Carol with those around her: her radio sends Carol's \
        advert once more, word for word, and Bob's radio knows her by it. No repeater carries it further.
        """
    ) {
        alice.hears(bob)
        alice.hears(carol)
        alice.hears(hill)

        carol.advertsNextDoor()
        alice.lists(carol, as: "carol").within(.seconds(10))
        alice.shares(carol)
        bob.lists(carol, as: "carol").within(.seconds(10))
        pause(.seconds(10))
        always(hill.hasTransmitted(.none))
    }

    static let newName = Scenario(
        "new-name", .firstContact,
        """
        Bob calls himself bob-on-tour while he travels. His next advert tells Alice's radio; her app takes the new name over \
        with the next synchronisation, on the same contact and with everything that they have written before.
        """
    ) {
        alice.hears(bob)
        bob.knowsNextDoor(alice)

        bob.advertsNextDoor()
        alice.lists(bob, as: "bob").within(.seconds(10))
        bob.sends("I am off", to: alice)
        alice.has("I am off").within(.seconds(10))

        bob.takesName("bob-on-tour")
        pause(.seconds(5))
        bob.advertsNextDoor()
        pause(.seconds(5))
        alice.closesApp()
        alice.opensApp()
        alice.lists(bob, as: "bob-on-tour").within(.seconds(10))
        alice.has("I am off").now
    }

    private static let mallory = RogueTransmitter("mallory")

    static let forgedAdvert = Scenario(
        "forged-advert", .firstContact,
        """
        Mallory adverts with Bob's key under the name of a bank. He cannot sign for Bob, so no radio believes it: those who \
        know Bob keep his name, those who do not know him do not meet him, and the repeater does not carry it on.
        """
    ) {
        together(alice, bob, mallory, hill)
        mallory.hears(carol)

        bob.advertsNextDoor()
        alice.lists(bob, as: "bob").within(.seconds(10))
        mallory.forgesAdvert(of: bob, by: "bank")
        pause(.seconds(20))
        mallory.hasTransmitted(.once).now
        never(alice.lists(bob, as: "bank"))
        never(carol.hasMet(bob))
        always(hill.hasTransmitted(.none))
    }

    static let removedAndHeardAgain = Scenario(
        "removed-and-heard-again", .firstContact,
        """
        Alice removes Bob from her contacts. His next advert brings him back, as if they had never met: what was removed is \
        the entry, not the right to be heard.
        """
    ) {
        alice.hears(bob)

        bob.advertsNextDoor()
        alice.hasMet(bob).within(.seconds(10))
        alice.removes(bob)
        Not(alice.hasMet(bob)).now
        pause(.seconds(5))
        bob.advertsNextDoor()
        alice.hasMet(bob).within(.seconds(10))
    }
}
