import MeshTestbed

/// Clocks that are wrong.
enum ClockStories {
    static let all = [lateClock, farAhead, repeaterInThePast, jumpWhileTalking]

    private static let alice = Person.stack("alice")
    private static let bob = Person.stack("bob")
    private static let hill = Repeater("hill")

    static let lateClock = Scenario(
        "late-clock", .clocks,
        """
        Alice's radio has lost its time and stands two days back. When the app connects it sets the clock right, and \
        texts are sent and received as if nothing had been.
        """
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.closesApp()
        alice.clockJumps(by: .seconds(-172_800))
        alice.opensApp()
        alice.hasRightClock().within(.seconds(10))
        alice.sends("what time is it?", to: bob)
        bob.has("what time is it?").within(.seconds(20))
    }

    static let farAhead = Scenario(
        "far-ahead", .clocks,
        """
        Bob's radio believes that it is a month later. It refuses to be set back, and Bob's texts carry dates of the \
        future; they are delivered and shown all the same, each once.
        """
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        bob.clockJumps(by: .seconds(2_592_000))
        bob.sends("hello from the future", to: alice)
        alice.has("hello from the future").within(.seconds(20))
        alice.sends("hello from today", to: bob)
        bob.has("hello from today").within(.seconds(20))
    }

    static let repeaterInThePast = Scenario(
        "repeater-in-the-past", .clocks,
        """
        A repeater starts without a battery for its clock and lives in the past. It relays as always, and its \
        administrator sets its clock by command.
        """
    ) {
        chain(alice, hill, bob)
        acquainted(alice, bob)
        alice.knows(hill)

        hill.clockJumps(by: .seconds(-31_536_000))
        alice.sends("does it relay?", to: bob)
        bob.has("does it relay?").within(.seconds(20))
        alice.logsIn(at: hill)
        alice.tells(hill, "time 1750003600", answer: "OK")
        alice.tells(hill, "clock", answer: "2025")
    }

    static let jumpWhileTalking = Scenario(
        "jump-while-talking", .clocks,
        """
        In the middle of a conversation the clock of Alice's radio jumps an hour ahead. Nothing is lost and nothing is \
        shown twice.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.sends("one", to: bob)
        bob.has("one").within(.seconds(20))
        alice.clockJumps(by: .seconds(3600))
        alice.sends("two", to: bob)
        alice.sees("two", as: .delivered).within(.seconds(20))
        bob.has("two").now
        bob.sends("three", to: alice)
        alice.has("three").within(.seconds(20))
    }
}
