import MeshTestbed

/// Apps that come and go, and find everything as it should be.
enum SyncStories {
    static let all = [
        metWhileClosed, linkLost, writtenWhileClosed, tenAndNoMore, lostWhileSending, loseAndFind, channelsStay,
    ]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let eve = Person.stack("eve")
    private static let hill = Repeater("hill")

    static let metWhileClosed = Scenario(
        "met-while-closed", .sync,
        """
        Alice's phone is in her bag while Bob adverts and writes. Her radio meets him and keeps his text; when she opens the \
        app, the synchronisation brings the contact first and then the text, which is therefore shown as his.
        """,
        tags: [.smoke]
    ) {
        alice.hears(bob)
        bob.knowsNextDoor(alice)

        alice.closesApp()
        bob.advertsNextDoor()
        pause(.seconds(5))
        bob.sends("I came by", to: alice)
        bob.sees("I came by", as: .delivered).within(.seconds(20))
        alice.radioHolds(.once).now
        alice.opensApp()
        alice.lists(bob, as: "bob").within(.seconds(10))
        alice.has("I came by").within(.seconds(10))
        alice.radioHolds(.none).now
    }

    static let linkLost = Scenario(
        "link-lost", .sync,
        """
        The link between phone and radio breaks for half a minute while Bob writes. The radio keeps his text, the app finds \
        its radio again by itself, and the text is there without anybody pressing anything.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.losesLink().lasts(.seconds(30))
        pause(.seconds(5))
        Not(alice.isConnected).now
        bob.sends("still there?", to: alice)
        bob.sees("still there?", as: .delivered).within(.seconds(20))
        alice.radioHolds(.once).now
        alice.isConnected.within(.seconds(60))
        alice.has("still there?").within(.seconds(20))
        alice.sends("now I am", to: bob)
        bob.has("now I am").within(.seconds(20))
    }

    static let writtenWhileClosed = Scenario(
        "written-while-closed", .sync,
        """
        Alice writes two texts while her radio is out of reach. They wait in the app, visibly, and go out in their order as \
        soon as the radio is back; she need not think of them again.
        """
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.losesLink().lasts(.seconds(40))
        pause(.seconds(5))
        alice.sends("first thing", to: bob)
        alice.sends("second thing", to: bob)
        alice.sees("first thing", as: .waiting).now
        alice.sees("second thing", as: .waiting).now
        alice.sees("first thing", as: .delivered).within(.seconds(120))
        alice.sees("second thing", as: .delivered).within(.seconds(60))
        bob.has("first thing").now
        bob.has("second thing").now
    }

    static let tenAndNoMore = Scenario(
        "ten-and-no-more", .sync,
        """
        An app that follows the requirements keeps ten texts for a radio that is away. The eleventh is refused there and then, \
        so nobody believes that it will be sent, and all ten arrive later.
        """
    ) {
        let ann = Person.stack("ann", preset: .prd)
        let texts = (1...10).map { "note \($0)" }
        ann.hears(eve)
        ann.knowsNextDoor(eve)
        eve.knowsNextDoor(ann)

        ann.losesLink().lasts(.seconds(60))
        pause(.seconds(5))
        for text in texts { ann.sends(text, to: eve) }
        ann.sends("note 11", to: eve).isRefused
        for text in texts { eve.has(text).within(.seconds(300)) }
        pause(.seconds(60))
        never(eve.has("note 11"))
    }

    static let lostWhileSending = Scenario(
        "lost-while-sending", .sync,
        """
        The link breaks right after Alice has pressed send. Whether her radio has the text already, nobody can tell; the app \
        goes on when the link is back, and Eve has the text once in any case.
        """,
        tags: [.faults]
    ) {
        alice.hears(eve)
        alice.knowsNextDoor(eve)
        eve.knowsNextDoor(alice)

        alice.sends("did it go?", to: eve)
        alice.losesLink().lasts(.seconds(20))
        eve.has("did it go?").within(.seconds(180))
        alice.sees("did it go?", as: .delivered).within(.seconds(180))
        eve.has("did it go?").stays(for: .seconds(60))
    }

    static let loseAndFind = Scenario(
        "lose-and-find", .sync,
        """
        Alice walks around her house, and her phone loses the radio five times. Each time it finds it again, and every text \
        that Bob sends meanwhile is there in the end, in its order and once.
        """,
        tags: [.faults]
    ) {
        let texts = (1...5).map { "message \($0)" }
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        for text in texts {
            alice.losesLink().lasts(.seconds(15))
            pause(.seconds(2))
            bob.sends(text, to: alice)
            bob.sees(text, as: .delivered).within(.seconds(20))
            alice.isConnected.within(.seconds(60))
        }
        alice.has(inOrder: texts).within(.seconds(30))
        alice.radioHolds(.none).within(.seconds(10))
    }

    static let channelsStay = Scenario(
        "channels-stay", .sync,
        """
        Alice takes up a channel, closes the app and opens it again. The channel is still hers, because it lives in the radio, \
        and what was said there meanwhile waits for her.
        """
    ) {
        let club = ChannelWord("#club")
        alice.hears(bob)

        alice.joins(club)
        bob.joins(club)
        alice.closesApp()
        bob.says("while you were away", on: club)
        pause(.seconds(20))
        alice.opensApp()
        alice.has("while you were away").within(.seconds(10))
        alice.says("I am back", on: club)
        bob.has("I am back").within(.seconds(20))
    }
}
