import MeshTestbed

/// Texts to somebody in range.
enum DirectStories {
    static let all = [nextDoor]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")

    static let nextDoor = Scenario(
        "next-door", .direct,
        """
        Alice and Bob hear each other and each knows it. A text goes straight from one radio to the other, and the \
        confirmation straight back: no repeater is involved, and Alice sees her text delivered within seconds.
        """,
        tags: [.smoke]
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.sends("hello", to: bob)
        bob.has("hello").within(.seconds(10))
        alice.sees("hello", as: .delivered).within(.seconds(10))

        bob.sends("hello yourself", to: alice)
        alice.has("hello yourself").within(.seconds(10))
        bob.sees("hello yourself", as: .delivered).within(.seconds(10))
    }
}
