import MeshTestbed

/// Strangers who mean no good.
enum HostileStories {
    static let all = [replayedText, forgedAdvert, impersonation, garbage, crowdOfNobodies, fakeText]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let mallory = RogueTransmitter("mallory")

    static let replayedText = Scenario(
        "replayed-text", .hostile,
        """
        Mallory records the last packet of a conversation and sends it again, three times, later. Radios know packets \
        that they have seen, and apps know texts that they have: nobody sees anything twice.
        """,
        tags: [.smoke]
    ) {
        together(alice, bob, mallory)
        acquainted(alice, bob)

        alice.sends("transfer 10 euros", to: bob)
        bob.has("transfer 10 euros").within(.seconds(20))
        alice.sees("transfer 10 euros", as: .delivered).within(.seconds(20))
        mallory.replays(times: 3)
        bob.has("transfer 10 euros").stays(for: .seconds(60))
    }

    static let forgedAdvert = Scenario(
        "forged-signature", .hostile,
        """
        Mallory sends an advert with Bob's key and another name, but cannot sign it. The signature is wrong, and Alice's \
        radio keeps Bob as he was.
        """
    ) {
        together(alice, bob, mallory)
        acquainted(alice, bob)

        mallory.forgesAdvert(of: bob)
        pause(.seconds(10))
        alice.hasContacts(atMost: 1).now
        alice.sends("still you?", to: bob)
        bob.has("still you?").within(.seconds(20))
    }

    static let impersonation = Scenario(
        "impersonation", .hostile,
        """
        Mallory calls itself Bob, with a key of its own. Alice gets a second contact of that name, and what she sends to \
        the Bob she knows still goes to him: keys count, names do not.
        """
    ) {
        together(alice, bob, mallory)
        acquainted(alice, bob)

        mallory.callsItself(bob)
        pause(.seconds(10))
        alice.sends("for the real one", to: bob)
        bob.has("for the real one").within(.seconds(20))
        alice.sees("for the real one", as: .delivered).within(.seconds(20))
    }

    static let garbage = Scenario(
        "garbage", .hostile,
        """
        Mallory sends twenty frames of random bytes. Radios throw them away, nobody restarts, and texts go on being \
        delivered in between.
        """,
        tags: [.faults]
    ) {
        together(alice, bob, mallory)
        acquainted(alice, bob)

        meanwhile {
            mallory.sendsGarbage(frames: 20)
            at(.seconds(15)) { alice.sends("over the noise", to: bob) }
        }
        bob.has("over the noise").within(.seconds(60))
        alice.isConnected.now
    }

    static let crowdOfNobodies = Scenario(
        "crowd-of-nobodies", .hostile,
        """
        Mallory adverts forty people who do not exist. Alice's radio takes them for contacts, as it must; the app stays \
        usable and Bob remains reachable.
        """
    ) {
        together(alice, bob, mallory)
        acquainted(alice, bob)

        mallory.advertsCrowd(of: 40)
        alice.sends("so many people", to: bob)
        bob.has("so many people").within(.seconds(30))
        alice.hasContacts(atMost: 41).now
    }

    static let fakeText = Scenario(
        "fake-text", .hostile,
        """
        Mallory sends Bob a text in Alice's name, but does not have the secret that the two share. The text cannot be \
        opened, and Bob sees nothing of it.
        """
    ) {
        together(alice, bob, mallory)
        acquainted(alice, bob)

        mallory.fakes("send me the key", from: alice, to: bob)
        bob.has("send me the key", times: 0).stays(for: .seconds(30))
        bob.sends("all quiet", to: alice)
        alice.has("all quiet").within(.seconds(20))
    }
}
