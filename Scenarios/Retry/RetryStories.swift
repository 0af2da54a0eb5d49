import MeshTestbed

/// Texts that need more than one attempt.
enum RetryStories {
    static let all =
        [floodFallback, firstTimeLucky, brokenBehindFirstHop, lostConfirmation, lateConfirmation, tooLateConfirmation]
        + [doubledConfirmation, afterGivingUp, noWayKnown]
        + deadFirstHop + nobodyThere

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let eve = Person.stack("eve")
    private static let hill = Repeater("hill"), valley = Repeater("valley"), ridge = Repeater("ridge")

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

    static let firstTimeLucky = Scenario(
        "first-time-lucky", .retry,
        """
        The way is known and works. One attempt is enough: the repeater carries the text once and the confirmation once, and \
        the app does not send again what has been confirmed.
        """,
        tags: [.smoke]
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        alice.sends("straight on", to: bob)
        bob.has("straight on", by: .direct).within(.seconds(20))
        alice.sees("straight on", as: .delivered).within(.seconds(20))
        pause(.seconds(60))
        alice.hasTried("straight on", .once).now
        alice.hasTransmitted(.once).now
        hill.hasTransmitted(.exactly(2)).now
    }

    static let brokenBehindFirstHop = Scenario(
        "broken-behind-first-hop", .retry,
        """
        The way leads over the hill and the ridge, and the ridge has no power. The hill still carries the text each time, so \
        all looks well from Alice's side; only the missing confirmation tells. The flood finds the way through the valley.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, ridge, eve)
        chain(hill, valley, eve)
        alice.knows(eve, over: hill, ridge)
        eve.knows(alice)

        ridge.hasNoPower()
        alice.sends("mind the gap", to: eve)
        hill.hasTransmitted(.exactly(2)).within(.seconds(30))
        eve.has("mind the gap").within(.seconds(90))
        alice.sees("mind the gap", as: .delivered).within(.seconds(90))
        alice.knowsWay(to: eve, hops: 2).within(.seconds(30))
        always(ridge.hasTransmitted(.none))
    }

    static let lostConfirmation = Scenario(
        "lost-confirmation", .retry,
        """
        Eve has the text, and her confirmations get lost: the hill does not hear her for a while. Alice's app sends again, \
        because it cannot know. Eve's app knows the text by its time and shows it once; in the end Alice sees it delivered.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, eve)
        alice.knows(eve, over: hill)
        eve.knows(alice, over: hill)

        hill.doesNotHear(eve, for: .seconds(12))
        alice.sends("say something", to: eve)
        eve.has("say something").within(.seconds(10))
        alice.sees("say something", as: .delivered).within(.seconds(90))
        alice.hasTried("say something", .atLeast(2)).now
        eve.has("say something").stays(for: .seconds(60))
        eve.hasTransmitted(.atLeast(2)).now
    }

    /// Hears Eve and is heard by Alice, and sends only what it has recorded.
    private static let echo = Repeater("echo") { $0.isRelaying = false }

    static let lateConfirmation = Scenario(
        "late-confirmation", .retry,
        """
        Eve hears Alice, but Alice does not hear Eve: what Eve confirms comes by a slow relay, most of a minute later. The app \
        has given up by then and shows the text as failed; the late confirmation still counts, and corrects it.
        """,
        tags: [.faults]
    ) {
        alice.isHeard(by: eve)
        eve.isHeard(by: echo)
        echo.isHeard(by: alice)
        alice.knowsNextDoor(eve)
        eve.knowsNextDoor(alice)

        echo.echoes(after: .seconds(50))
        alice.sends("hello?", to: eve)
        eve.has("hello?").within(.seconds(10))
        alice.sees("hello?", as: .failed).within(.seconds(49))
        alice.sees("hello?", as: .delivered).within(.seconds(40))
        alice.sees("hello?", as: .delivered).stays(for: .seconds(60))
        eve.has("hello?").now
    }

    static let tooLateConfirmation = Scenario(
        "too-late-confirmation", .retry,
        """
        The slow relay is slower still: Eve's confirmation comes four minutes late. Nobody waits for that long, and the text \
        stays failed, although Eve has it. That is as honest as an app can be that has heard nothing in time.
        """,
        tags: [.faults]
    ) {
        let ann = Person.stack("ann", preset: .upstreamFinal)
        ann.isHeard(by: eve)
        eve.isHeard(by: echo)
        echo.isHeard(by: ann)
        ann.knowsNextDoor(eve)
        eve.knowsNextDoor(ann)

        echo.echoes(after: .seconds(240))
        ann.sends("hello?", to: eve)
        ann.sees("hello?", as: .failed).within(.seconds(120))
        ann.sees("hello?", as: .failed).stays(for: .seconds(240))
        eve.has("hello?").now
    }

    static let doubledConfirmation = Scenario(
        "doubled-confirmation", .retry,
        """
        Bob's radio sends every confirmation twice, against losses. The first is what Alice's radio waits for and tells the \
        app; of the second the app hears nothing, and nothing else happens.
        """
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        bob.confirmsTwice()
        alice.sends("loud and clear?", to: bob)
        bob.has("loud and clear?").within(.seconds(10))
        alice.sees("loud and clear?", as: .delivered).within(.seconds(10))
        bob.hasTransmitted(.exactly(2)).within(.seconds(10))
        alice.sees("loud and clear?", as: .delivered).stays(for: .seconds(30))
        alice.hearsRepeats(of: "loud and clear?", .none).now
        alice.hasTransmitted(.once).now
    }

    static let afterGivingUp = Scenario(
        "after-giving-up", .retry,
        """
        The hill has no power, and Alice's text fails after four attempts. When the power is back she taps the text, and it is \
        sent anew and delivered: a failed text is never lost, and never sent again behind the user's back.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, eve)
        alice.knows(eve, over: hill)
        eve.knows(alice, over: hill)

        hill.hasNoPower(for: .seconds(150))
        alice.sends("one more time", to: eve)
        alice.sees("one more time", as: .failed).within(.seconds(120))
        at(.seconds(180)) {
            Not(eve.has("one more time")).now
            alice.triesAgain("one more time", to: eve)
            eve.has("one more time").within(.seconds(60))
            alice.sees("one more time", as: .delivered).within(.seconds(60))
        }
    }

    static let noWayKnown = Scenario(
        "no-way-known", .retry,
        """
        Alice knows no way to Eve, so every attempt floods, and there is no path to forget. The repeater comes to life after \
        some seconds; the attempt that finds it awake delivers the text and brings the way.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, eve)
        acquainted(alice, eve)

        hill.hasNoPower(for: .seconds(10))
        alice.sends("wake up", to: eve)
        eve.has("wake up", by: .flood).within(.seconds(90))
        alice.sees("wake up", as: .delivered).within(.seconds(90))
        alice.hasTried("wake up", .atLeast(2)).now
        alice.knowsWay(to: eve, hops: 1).within(.seconds(20))
    }
}
