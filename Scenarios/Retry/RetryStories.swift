import MeshTestbed

/// Texts that need more than one attempt.
enum RetryStories {
    static let all = [floodFallback]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let hill = Repeater("hill"), valley = Repeater("valley")

    static let floodFallback = Scenario(
        "flood-fallback", .retry,
        """
        Alice knows a way to Bob over the hill. The repeater there loses its power, and her text is not confirmed. The \
        app tries the known way again, then floods, and the text arrives through the valley.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, bob)
        chain(alice, valley, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: valley)

        hill.hasNoPower()
        alice.sends("does it work?", to: bob)
        bob.has("does it work?").within(.seconds(90))
        alice.sees("does it work?", as: .delivered).within(.seconds(90))
        never(alice.sees("does it work?", as: .failed))
    }
}
