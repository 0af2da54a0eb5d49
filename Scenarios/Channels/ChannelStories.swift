import MeshTestbed

/// Texts to all people who share a word.
enum ChannelStories {
    static let all = [
        publicTalk, everybodyOnce, byInvitation, twoChannels, heardRepeats, nobodyRepeats, fullLine, tooLongForAChannel,
        hiddenNeighbours,
    ]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let carol = Person.client("carol")
    private static let dave = Person.stack("dave", preset: .architectureV1)
    private static let hill = Repeater("hill"), valley = Repeater("valley")
    private static let club = ChannelWord("#club"), family = ChannelWord("#family")

    static let publicTalk = Scenario(
        "public-talk", .channels,
        """
        Every radio has the public channel from the beginning. Alice says good morning, and all who hear her have it, whether \
        they know her or not; her own app shows the text as sent, for nobody confirms what is said to everybody.
        """,
        tags: [.smoke]
    ) {
        together(alice, bob, carol, dave)

        alice.says("good morning")
        [bob, carol, dave].allHave("good morning").within(.seconds(20))
        alice.sees("good morning", as: .sent).now
        alice.sees("good morning", as: .sent).stays(for: .seconds(60))
        alice.hasTransmitted(.once).now
        always(bob.hasTransmitted(.none))
    }

    static let everybodyOnce = Scenario(
        "everybody-once", .channels,
        """
        Bob hears Alice himself, and then the hill and the valley, which carry her text on. That is three times the same frame \
        on his antenna and one text in his app; Carol, who is out of her range, has it by the repeaters.
        """
    ) {
        together(alice, bob, hill, valley)
        chain(hill, carol)
        chain(valley, carol)

        alice.says("one of a kind")
        bob.has("one of a kind").within(.seconds(20))
        bob.has("one of a kind").stays(for: .seconds(60))
        hill.hasTransmitted(.once).now
        valley.hasTransmitted(.once).now
        sometimes(carol.has("one of a kind"))
    }

    static let byInvitation = Scenario(
        "by-invitation", .channels,
        """
        Alice and Bob have taken up the club's channel, Carol has not. All three radios receive what Alice says there; Bob's \
        app shows it, and Carol's shows nothing, because her radio lacks the key.
        """
    ) {
        together(alice, bob, carol)

        alice.joins(club)
        bob.joins(club)
        alice.says("members only", on: club)
        bob.has("members only").within(.seconds(20))
        pause(.seconds(20))
        never(carol.has("members only"))
        carol.radioHolds(.none).now

        carol.joins(club)
        alice.says("welcome", on: club)
        carol.has("welcome").within(.seconds(20))
    }

    static let twoChannels = Scenario(
        "two-channels", .channels,
        """
        Alice is in the club and in the family, Bob in the club, Carol in the family. What she says reaches those it is meant \
        for, although all frames look alike to those without the key, and the public channel stays empty.
        """
    ) {
        together(alice, bob, carol)

        alice.joins(club)
        alice.joins(family)
        bob.joins(club)
        carol.joins(family)
        alice.says("who plays tonight?", on: club)
        bob.has("who plays tonight?").within(.seconds(20))
        alice.says("dinner is ready", on: family)
        carol.has("dinner is ready").within(.seconds(20))
        bob.says("me", on: club)
        alice.has("me").within(.seconds(20))
        never(bob.has("dinner is ready"))
        never(carol.has("who plays tonight?"))
        never(carol.has("me"))
    }

    static let heardRepeats = Scenario(
        "heard-repeats", .channels,
        """
        Nobody confirms a channel text, but Alice's radio hears the hill carry it on, and her app counts that: one repeat is \
        proof that it left the room. Her own text does not come back to her as somebody's message.
        """
    ) {
        chain(alice, hill, bob)

        alice.says("does this go out?")
        alice.hearsRepeats(of: "does this go out?", .once).within(.seconds(20))
        bob.has("does this go out?").within(.seconds(20))
        pause(.seconds(20))
        alice.hearsRepeats(of: "does this go out?", .once).now
        never(alice.has("does this go out?"))
    }

    static let nobodyRepeats = Scenario(
        "nobody-repeats", .channels,
        """
        The repeater is off. Alice's text on the channel is shown as sent, for so it was, and the number of repeats stays at \
        none: that is all an app can say about a text that nobody has heard.
        """
    ) {
        chain(alice, hill, bob)

        hill.hasNoPower()
        alice.says("hello, wall")
        alice.sees("hello, wall", as: .sent).within(.seconds(5))
        alice.hearsRepeats(of: "hello, wall", .none).stays(for: .seconds(90))
        never(bob.has("hello, wall"))
    }

    static let fullLine = Scenario(
        "full-line", .channels,
        """
        On a channel the sender's name travels in front of the text and takes its share of the 160 bytes. Alice fills what is \
        left to the last byte, and everybody has the text whole, with her name cut off cleanly in front.
        """
    ) {
        // 160 bytes less "alice" and ": ".
        let text = String(repeating: "0123456789", count: 15) + "abc"
        chain(alice, hill, bob)
        alice.hears(dave)

        alice.says(text)
        bob.has(text).within(.seconds(20))
        dave.has(text).within(.seconds(20))
    }

    static let tooLongForAChannel = Scenario(
        "too-long-for-a-channel", .channels,
        """
        A text that would fit in a message to one person is too long for a channel, because of the name in front. The app \
        refuses it before anything is sent, instead of having the radio cut its end off.
        """
    ) {
        alice.hears(bob)

        alice.says(String(repeating: "0123456789", count: 15) + "abcd").isRefused
        pause(.seconds(20))
        always(alice.hasTransmitted(.none))
        always(bob.radioHolds(.none))
    }

    static let hiddenNeighbours = Scenario(
        "hidden-neighbours", .channels,
        """
        Alice and Carol do not hear each other and speak in the same moment; Bob between them hears a mess. Nobody repeats on a \
        channel what was lost, so he may miss both, but he never has a text twice or a spoiled one.
        """,
        tags: [.faults]
    ) {
        chain(alice, bob, carol)

        meanwhile {
            alice.says("left")
            carol.says("right")
        }
        pause(.seconds(30))
        sometimes(collisions(.atLeast(1)))
        never(alice.has("right"))
        never(carol.has("left"))
        alice.says("alone")
        bob.has("alone").within(.seconds(20))
    }
}
