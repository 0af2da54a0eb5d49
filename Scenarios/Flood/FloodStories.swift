import MeshTestbed

/// Texts to people whose way is not known.
enum FloodStories {
    static let all = [overTheHill, fiveRepeatersAway, twoWaysOneCopy, peopleDoNotRepeat, silentRepeater, onceEach]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let dave = Person.client("dave")
    private static let eve = Person.stack("eve", preset: .architectureV1)
    private static let hill = Repeater("hill"), valley = Repeater("valley")

    static let overTheHill = Scenario(
        "over-the-hill", .flood,
        """
        Alice does not know the way to Bob, who lives behind the hill. Her first text floods, and Bob's confirmation \
        brings the way back, so her second text takes it.
        """,
        tags: [.smoke]
    ) {
        chain(alice, hill, bob)
        acquainted(alice, bob)

        alice.sends("are you there?", to: bob)
        bob.has("are you there?", by: .flood).within(.seconds(20))
        alice.sees("are you there?", as: .delivered).within(.seconds(20))
        alice.knowsWay(to: bob, hops: 1).within(.seconds(20))

        alice.sends("good", to: bob)
        bob.has("good", by: .direct).within(.seconds(20))
        alice.sees("good", as: .delivered).within(.seconds(20))
    }

    static let fiveRepeatersAway = Scenario(
        "five-repeaters-away", .flood,
        """
        Five repeaters stand between Alice and Eve, and neither knows the way. The text takes its time, for every repeater \
        waits a little before it sends, and the confirmation may come when the app has lost patience and tries again. Eve \
        has the text once all the same, and Alice's app comes to an end of its own.
        """
    ) {
        let posts = [Repeater].row("post", 5)
        chain([alice] + posts + [eve])
        acquainted(alice, eve)

        alice.sends("a long way", to: eve)
        eve.has("a long way", by: .flood).within(.seconds(120))
        alice.isDone(with: "a long way").within(.seconds(180))
        eve.has("a long way").stays(for: .seconds(60))
        sometimes(alice.sees("a long way", as: .delivered))
        sometimes(alice.knowsWay(to: eve, hops: 5))
        sometimes(alice.hasTried("a long way", .atLeast(2)))
    }

    static let twoWaysOneCopy = Scenario(
        "two-ways-one-copy", .flood,
        """
        The text reaches Bob over the hill and through the valley, for both repeaters carry it on. His radio knows the second \
        copy by its content and does not even hand it to the app, which shows the text once.
        """
    ) {
        chain(alice, hill, bob)
        chain(alice, valley, bob)
        acquainted(alice, bob)

        alice.sends("only once, please", to: bob)
        bob.has("only once, please").within(.seconds(120))
        alice.isDone(with: "only once, please").within(.seconds(180))
        bob.has("only once, please").stays(for: .seconds(60))
        sometimes(alice.sees("only once, please", as: .delivered))
        hill.hasTransmitted(.atLeast(1)).now
        valley.hasTransmitted(.atLeast(1)).now
    }

    static let peopleDoNotRepeat = Scenario(
        "people-do-not-repeat", .flood,
        """
        Dave sits between Alice and Bob and hears both. His radio is a companion and carries nothing on for others, so Alice's \
        text does not arrive, her app says so in the end, and Dave does not see it either.
        """
    ) {
        chain(alice, dave, bob)
        acquainted(alice, bob)
        dave.knowsNextDoor(alice)

        alice.sends("hand it on?", to: bob)
        alice.sees("hand it on?", as: .failed).within(.seconds(180))
        never(bob.has("hand it on?"))
        never(dave.has("hand it on?"))
        always(dave.hasTransmitted(.none))
    }

    private static let mute = Repeater("mute") { $0.isRelaying = false }

    static let silentRepeater = Scenario(
        "silent-repeater", .flood,
        """
        The owner of the only repeater has switched repeating off. Alice's text is sent four times and goes nowhere; when the \
        app shows it as failed, that is the truth, and no confirmation is ever made up.
        """
    ) {
        chain(alice, mute, bob)
        acquainted(alice, bob)

        alice.sends("anybody?", to: bob)
        alice.sees("anybody?", as: .failed).within(.seconds(180))
        alice.hasTried("anybody?", .exactly(4)).now
        alice.hasTransmitted(.exactly(4)).now
        never(alice.sees("anybody?", as: .delivered))
        always(mute.hasTransmitted(.none))
    }

    static let onceEach = Scenario(
        "once-each", .flood,
        """
        Nine repeaters hear each other, Alice the first and Bob the last of them. Her advert reaches Bob, and each repeater \
        has sent it once and no more, however often it heard it from all sides.
        """
    ) {
        let posts = [Repeater].row("post", 9)
        together(posts)
        alice.hears(posts[0])
        posts[8].hears(bob)

        alice.advertsToEverybody()
        bob.hasMet(alice).within(.seconds(30))
        pause(.seconds(30))
        for post in posts { always(post.hasTransmitted(.atMost(1))) }
        posts[8].hasTransmitted(.once).now
    }
}
