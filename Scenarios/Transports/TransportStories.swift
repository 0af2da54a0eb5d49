import MeshTestbed

/// Links between app and radio that misbehave.
enum TransportStories {
    static let all = [slowLink, doubledFrames, linkGoesInTheMiddle, stalledLink, comesAndGoes]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")

    static let slowLink = Scenario(
        "slow-link", .transports,
        """
        Every frame between Alice's app and her radio takes up to half a second, as over a bad Bluetooth link. Everything \
        takes longer and everything works.
        """
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.linkFault(.delays(.milliseconds(500)), .toRadio)
        alice.linkFault(.delays(.milliseconds(500)), .toApp)
        alice.sends("slowly", to: bob)
        bob.has("slowly").within(.seconds(30))
        bob.sends("take your time", to: alice)
        alice.has("take your time").within(.seconds(30))
        alice.sees("slowly", as: .delivered).within(.seconds(30))
    }

    static let doubledFrames = Scenario(
        "doubled-frames", .transports,
        """
        One frame in three arrives at Alice's app twice, as happens on links that repeat what they are not sure of. No text \
        is shown twice and no confirmation is mistaken for another.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.linkFault(.doubles(0.33), .toApp)
        for number in 1...4 {
            bob.sends("text \(number)", to: alice)
            alice.has("text \(number)").within(.seconds(30))
            bob.sees("text \(number)", as: .delivered).within(.seconds(10))
        }
        alice.sends("got them", to: bob)
        bob.has("got them").within(.seconds(60))
    }

    static let linkGoesInTheMiddle = Scenario(
        "link-goes-in-the-middle", .transports,
        """
        The link ends a few frames after Alice has pressed send. The app connects again by itself, and the text arrives \
        exactly once.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.linkFault(.cutsAfter(1), .toApp)
        alice.sends("cut off", to: bob)
        alice.isConnected.within(.seconds(60))
        bob.has("cut off").within(.seconds(120))
        never(bob.has("cut off", times: 2))
    }

    static let stalledLink = Scenario(
        "stalled-link", .transports,
        """
        The link hangs for ten seconds and then goes on. What was on its way arrives late, nothing of it is lost, and the \
        conversation continues.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        alice.linkFault(.stalls(.seconds(10)), .toApp)
        bob.sends("while it hangs", to: alice)
        alice.has("while it hangs").within(.seconds(60))
        alice.isConnected.within(.seconds(60))
        alice.sends("it moves again", to: bob)
        bob.has("it moves again").within(.seconds(60))
    }

    static let comesAndGoes = Scenario(
        "comes-and-goes", .transports,
        """
        Alice walks in and out of range of her radio three times. What Bob writes meanwhile waits in the radio, and she \
        has all of it, once, in the end.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        acquainted(alice, bob)

        for number in 1...3 {
            alice.losesLink().lasts(.seconds(30))
            bob.sends("walk \(number)", to: alice)
            pause(.seconds(60))
        }
        for number in 1...3 { alice.has("walk \(number)").within(.seconds(60)) }
    }
}
