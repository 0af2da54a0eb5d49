import MeshTestbed

/// Scenarios of messages that radios keep for absent apps.
enum OfflineQueueStories {
    static let all = [appClosed, overnight, mixedBag, channelRush, friendsFirst, directWins]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let carol = Person.client("carol")

    static let appClosed = Scenario(
        "app-closed", .offlineQueue,
        """
        Alice's app is closed while Bob writes three texts. Her radio confirms each, so Bob sees them delivered, and keeps \
        them; when she opens the app they are all there, in the order in which he wrote them.
        """,
        tags: [.smoke]
    ) {
        let texts = ["one", "two", "three"]
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.closesApp()
        for text in texts {
            bob.sends(text, to: alice)
            bob.sees(text, as: .delivered).within(.seconds(20))
        }
        alice.radioHolds(.exactly(3)).now
        alice.opensApp()
        alice.has(inOrder: texts).within(.seconds(10))
        alice.radioHolds(.none).now
    }

    static let overnight = Scenario(
        "overnight", .offlineQueue,
        """
        The app is closed at night and opened in the morning, six hours later. The radio has kept the good-night text all the \
        time, and the app shows it once, however often it is opened after that.
        """
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.closesApp()
        bob.sends("good night", to: alice)
        pause(.seconds(21_600))
        alice.radioHolds(.once).now
        alice.opensApp()
        alice.has("good night").within(.seconds(10))
        alice.closesApp()
        alice.opensApp()
        alice.has("good night").stays(for: .seconds(30))
    }

    static let mixedBag = Scenario(
        "mixed-bag", .offlineQueue,
        """
        While Carol's app is closed, Alice writes to her and says things on the channel by turns. The radio keeps both kinds in \
        one queue, and Carol reads them in the order in which they came.
        """
    ) {
        alice.hears(carol)
        alice.knowsNextDoor(carol)
        carol.knowsNextDoor(alice)

        carol.closesApp()
        for round in 1...3 {
            alice.sends("to you \(round)", to: carol)
            alice.sees("to you \(round)", as: .delivered).within(.seconds(20))
            alice.says("to all \(round)")
            carol.radioHolds(.exactly(2 * round)).within(.seconds(10))
        }
        carol.opensApp()
        carol.has(
            inOrder: "to you 1", "to all 1", "to you 2", "to all 2", "to you 3", "to all 3"
        ).within(.seconds(10))
    }

    /// As many as a radio with an ESP32 keeps.
    private static let capacity = 256

    /// Bob speaks on the channel until Alice's radio has heard so many texts.
    private static func chatter(_ range: ClosedRange<Int>) -> [Step] {
        range.flatMap { [Step.does(bob.says("line \($0)")), pause(.seconds(2))] }
    }

    static let channelRush = Scenario(
        "channel-rush", .offlineQueue,
        """
        A busy channel says 260 things while Alice's app is closed, and her radio has room for 256. It gives up the oldest for \
        the newest: she misses the first four, and has all others in their order.
        """,
        tags: [.slow]
    ) {
        alice.hears(bob)

        alice.closesApp()
        chatter(1...capacity + 4)
        alice.radioHolds(.exactly(capacity)).now
        alice.opensApp()
        alice.has("line \(capacity + 4)").within(.seconds(60))
        alice.has(inOrder: (5...capacity + 4).map { "line \($0)" }).within(.seconds(10))
        Not(alice.has("line 4")).now
        always(alice.radioHolds(.atMost(capacity)))
    }

    static let friendsFirst = Scenario(
        "friends-first", .offlineQueue,
        """
        The radio holds Carol's text when the channel fills it to the brim. Room is made by giving up what was said on the \
        channel, never what was written to Alice herself: Carol's text, the oldest of all, is still there in the morning.
        """,
        tags: [.slow]
    ) {
        alice.hears(bob)
        alice.hears(carol)
        alice.knowsNextDoor(carol)
        carol.knowsNextDoor(alice)

        alice.closesApp()
        carol.sends("read me first", to: alice)
        carol.sees("read me first", as: .delivered).within(.seconds(20))
        chatter(1...capacity + 2)
        alice.radioHolds(.exactly(capacity)).now
        alice.opensApp()
        alice.has("line \(capacity + 2)").within(.seconds(60))
        alice.has("read me first").now
        Not(alice.has("line 3")).now
        alice.has("line 4").now
    }

    static let directWins = Scenario(
        "direct-wins", .offlineQueue,
        """
        The queue is full of chatter, and then Carol writes. Her text is not turned away: the oldest line of the channel goes \
        instead, and what Carol sees as delivered Alice can read.
        """,
        tags: [.slow]
    ) {
        alice.hears(bob)
        alice.hears(carol)
        alice.knowsNextDoor(carol)
        carol.knowsNextDoor(alice)

        alice.closesApp()
        chatter(1...capacity)
        alice.radioHolds(.exactly(capacity)).now
        carol.sends("am I too late?", to: alice)
        carol.sees("am I too late?", as: .delivered).within(.seconds(20))
        alice.radioHolds(.exactly(capacity)).now
        alice.opensApp()
        alice.has("am I too late?").within(.seconds(60))
        Not(alice.has("line 1")).now
        alice.has("line 2").now
    }
}
