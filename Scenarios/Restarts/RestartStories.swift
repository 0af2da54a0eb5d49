import MeshTestbed

/// Firmware that restarts by itself.
enum RestartStories {
    static let all = [ownRadioRestarts, repeaterRestarts, recipientAway, roomRestarts]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let hill = Repeater("hill")
    private static let club = Room("club")

    static let ownRadioRestarts = Scenario(
        "own-radio-restarts", .restarts,
        """
        Alice's radio restarts while her app is open. The app loses the link, connects again by itself, sets the clock, \
        and the next text goes out as if nothing had happened; contacts are still there.
        """,
        tags: [.smoke, .faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.sends("before", to: bob)
        bob.has("before").within(.seconds(20))
        // Radios write their contacts five seconds after the last change.
        pause(.seconds(10))
        alice.restarts()
        pause(.seconds(5))
        alice.isConnected.within(.seconds(60))
        alice.hasMet(bob).now
        alice.sends("after", to: bob)
        bob.has("after").within(.seconds(60))
    }

    static let repeaterRestarts = Scenario(
        "repeater-restarts", .restarts,
        """
        The repeater between Alice and Bob restarts in the middle of a conversation. A text that meets the gap is tried \
        again and arrives when the repeater is back.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        hill.hasNoPower(for: .seconds(15))
        alice.sends("mind the gap", to: bob)
        bob.has("mind the gap").within(.seconds(120))
        alice.sees("mind the gap", as: .delivered).within(.seconds(120))
    }

    static let recipientAway = Scenario(
        "recipient-away", .restarts,
        """
        Bob's radio has no power when Alice writes. Her app tries for a while and says honestly that the text was not \
        delivered; once Bob is back, sending it again works.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        pause(.seconds(10))
        bob.hasNoPower(for: .seconds(200))
        alice.sends("are you home?", to: bob)
        alice.sees("are you home?", as: .failed).within(.seconds(190))
        pause(.seconds(240))
        bob.opensApp()
        alice.sends("and now?", to: bob)
        bob.has("and now?").within(.seconds(60))
    }

    static let roomRestarts = Scenario(
        "room-restarts", .restarts,
        """
        The room server restarts between two posts. It still knows its members, and brings them what is posted \
        afterwards once they have entered again.
        """,
        tags: [.faults]
    ) {
        together(alice, bob, club)
        alice.knows(club)
        bob.knows(club)

        alice.enters(club)
        bob.enters(club)
        pause(.seconds(10))
        alice.posts("before the restart", in: club)
        bob.has("before the restart").within(.seconds(60))
        pause(.seconds(10))
        club.restarts()
        pause(.seconds(10))
        bob.enters(club)
        alice.enters(club)
        pause(.seconds(5))
        alice.posts("after the restart", in: club)
        bob.has("after the restart").within(.seconds(90))
    }
}
