import MeshTestbed

/// Texts to people in range.
enum DirectStories {
    static let all = [
        nextDoor, bothWays, longestText, emojiAtTheLimit, tooLong, bothAtOnce, sameWordsTwice, severalContacts,
        whileBusy,
    ]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let carol = Person.client("carol")
    private static let dave = Person.client("dave")

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

    static let bothWays = Scenario(
        "both-ways", .direct,
        """
        Two whole apps chat: six short texts to and fro, each written when the one before has come. Every text is one frame \
        on the air and every confirmation another, and each side has the conversation in its order.
        """
    ) {
        let eve = Person.stack("eve", preset: .upstreamFinal)
        alice.hears(eve)
        alice.knowsNextDoor(eve)
        eve.knowsNextDoor(alice)

        for round in 1...3 {
            alice.sends("ping \(round)", to: eve)
            eve.has("ping \(round)", by: .direct).within(.seconds(10))
            eve.sends("pong \(round)", to: alice)
            alice.has("pong \(round)", by: .direct).within(.seconds(10))
            eve.sees("pong \(round)", as: .delivered).within(.seconds(10))
        }
        alice.has(inOrder: "pong 1", "pong 2", "pong 3").now
        eve.has(inOrder: "ping 1", "ping 2", "ping 3").now
        alice.hasTransmitted(.exactly(6)).now
        eve.hasTransmitted(.exactly(6)).now
    }

    static let longestText = Scenario(
        "longest-text", .direct,
        """
        A text may have 160 bytes. Alice fills them to the last one with plain letters, and Bob has the text with every \
        letter in its place: nothing is cut on the way, in the packet or between radio and app.
        """
    ) {
        let text = String(repeating: "abcdefgh", count: 20)
        alice.hears(bob)
        acquainted(alice, bob)

        alice.sends(text, to: bob)
        bob.has(text).within(.seconds(20))
        alice.sees(text, as: .delivered).within(.seconds(20))
    }

    static let emojiAtTheLimit = Scenario(
        "emoji-at-the-limit", .direct,
        """
        An emoji takes four bytes and an umlaut two, so the limit comes sooner than people think. Forty emoji fill a text \
        exactly, and eighty umlauts do; both arrive whole, because no character is ever cut in the middle.
        """
    ) {
        let emoji = String(repeating: "🦊", count: 40)
        let umlauts = String(repeating: "ü", count: 80)
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.sends(emoji, to: bob)
        bob.has(emoji).within(.seconds(20))
        alice.sees(emoji, as: .delivered).within(.seconds(20))
        alice.sends(umlauts, to: bob)
        bob.has(umlauts).within(.seconds(20))
        alice.sees(umlauts, as: .delivered).within(.seconds(20))
    }

    static let tooLong = Scenario(
        "too-long", .direct,
        """
        A text of 161 bytes does not fit, and forty emoji and a full stop are as many. The app says so at once instead of \
        sending a part of it, and nothing goes on the air.
        """
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.sends(String(repeating: "x", count: 161), to: bob).isRefused
        alice.sends(String(repeating: "🦊", count: 40) + ".", to: bob).isRefused
        alice.sends("", to: bob).isRefused
        pause(.seconds(20))
        always(alice.hasTransmitted(.none))
    }

    static let bothAtOnce = Scenario(
        "both-at-once", .direct,
        """
        Alice and Bob press send in the same moment. Their frames may meet on the air and be lost, or one radio hears the \
        other and waits; the attempts that follow bring both texts over, and neither shows up twice.
        """
    ) {
        let eve = Person.stack("eve", preset: .prd)
        alice.hears(eve)
        alice.knowsNextDoor(eve)
        eve.knowsNextDoor(alice)

        meanwhile {
            alice.sends("you first", to: eve)
            eve.sends("no, you", to: alice)
        }
        eve.has("you first").within(.seconds(90))
        alice.has("no, you").within(.seconds(90))
        alice.sees("you first", as: .delivered).within(.seconds(90))
        eve.sees("no, you", as: .delivered).within(.seconds(90))
        sometimes(collisions(.atLeast(1)))
    }

    static let sameWordsTwice = Scenario(
        "same-words-twice", .direct,
        """
        Alice sends the same word two times within one second, as impatient people do. They are two messages, and Bob's app \
        shows both: what tells them apart is their time, which the app makes differ.
        """
    ) {
        let eve = Person.stack("eve")
        alice.hears(eve)
        alice.knowsNextDoor(eve)
        eve.knowsNextDoor(alice)

        alice.sends("hey", to: eve)
        alice.sends("hey", to: eve)
        eve.has("hey", times: 2).within(.seconds(30))
        eve.has("hey", times: 2).stays(for: .seconds(60))
    }

    static let severalContacts = Scenario(
        "several-contacts", .direct,
        """
        Alice writes to Bob, Carol and Dave without waiting for any of them. Each text finds its own reader and nobody \
        else's app shows it, although all four radios hear every frame.
        """
    ) {
        together(alice, bob, carol, dave)
        alice.knowsNextDoor(bob)
        alice.knowsNextDoor(carol)
        alice.knowsNextDoor(dave)
        acquainted(alice, bob, carol, dave).filter { $0.who != alice.member }

        alice.sends("for bob", to: bob)
        alice.sends("for carol", to: carol)
        alice.sends("for dave", to: dave)
        meanwhile {
            bob.has("for bob").within(.seconds(60))
            carol.has("for carol").within(.seconds(60))
            dave.has("for dave").within(.seconds(60))
            alice.sees("for bob", as: .delivered).within(.seconds(60))
            alice.sees("for carol", as: .delivered).within(.seconds(60))
            alice.sees("for dave", as: .delivered).within(.seconds(60))
        }
        never(carol.has("for bob"))
        never(dave.has("for bob"))
        never(bob.has("for dave"))
    }

    static let whileBusy = Scenario(
        "while-busy", .direct,
        """
        Alice has eight texts for Eve and types faster than radio is. At most four are under way at once, because a radio \
        remembers only eight confirmations; the others wait their turn. Each text waits for the confirmation of the one before, \
        or for a part of its time. All eight arrive and are delivered, each once.
        """
    ) {
        let texts = (1...8).map { "line \($0) of a long story" }
        let eve = Person.stack("eve")
        alice.hears(eve)
        alice.knowsNextDoor(eve)
        eve.knowsNextDoor(alice)

        for text in texts { alice.sends(text, to: eve) }
        alice.sees(texts[7], as: .waiting).now
        for text in texts {
            eve.has(text).within(.seconds(120))
            alice.sees(text, as: .delivered).within(.seconds(30))
        }
    }
}
