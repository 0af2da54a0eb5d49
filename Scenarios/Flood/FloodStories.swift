import MeshTestbed

/// Texts to somebody whose way is not known.
enum FloodStories {
    static let all = [overTheHill]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let hill = Repeater("hill")

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
        bob.has("are you there?").within(.seconds(20))
        alice.sees("are you there?", as: .delivered).within(.seconds(20))
        alice.knowsWay(to: bob, hops: 1).within(.seconds(20))

        alice.sends("good", to: bob)
        bob.has("good").within(.seconds(20))
        alice.sees("good", as: .delivered).within(.seconds(20))
    }
}
