import MeshTestbed

/// Ways that are learned, lost and found.
enum PathStories {
    static let all =
        learned + [bothLearn, thereAndBackDiffer, shorterWay, walkedOn, repeaterDies, forgotten, askedFor]
        + [setByHand, twoByteHashes, mixedHashes]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let eve = Person.stack("eve")
    private static let hill = Repeater("hill"), valley = Repeater("valley"), tower = Repeater("tower")

    /// Over one, two and three repeaters.
    static let learned = (1...3).map { hops in
        let posts = [Repeater].row("post", hops)
        let plural = hops == 1 ? "one repeater" : "\(hops) repeaters"
        return Scenario(
            "way-over-\(hops)", .paths,
            """
            Between Alice and Bob there \(hops == 1 ? "is" : "are") \(plural). Each writes its mark on the text that floods by, \
            Bob sends the marks back with his confirmation, and from then on Alice's texts go this way and no other.
            """
        ) {
            chain([alice] + posts + [bob])
            acquainted(alice, bob)

            alice.sends("which way?", to: bob)
            bob.has("which way?", by: .flood).within(.seconds(30))
            alice.sees("which way?", as: .delivered).within(.seconds(60))
            alice.knowsWay(to: bob, hops: hops).within(.seconds(60))
            pause(.seconds(60))
            alice.sends("this way", to: bob)
            bob.has("this way", by: .direct).within(.seconds(30))
            alice.sees("this way", as: .delivered).within(.seconds(30))
            alice.hasTried("this way", .once).now
        }
    }

    static let bothLearn = Scenario(
        "both-learn", .paths,
        """
        Alice writes to Eve over two repeaters. Not only Alice learns the way from the confirmation: her radio tells Eve's \
        radio the way back, so Eve's first answer needs no flood. Should that be lost on the air, the answer floods and \
        teaches Eve the way itself.
        """
    ) {
        chain(alice, hill, valley, eve)
        acquainted(alice, eve)

        alice.sends("your turn", to: eve)
        eve.has("your turn", by: .flood).within(.seconds(60))
        alice.knowsWay(to: eve, hops: 2).within(.seconds(60))
        pause(.seconds(60))
        sometimes(eve.knowsWay(to: alice, hops: 2))
        eve.sends("my turn", to: alice)
        alice.has("my turn").within(.seconds(60))
        eve.sees("my turn", as: .delivered).within(.seconds(60))
        eve.knowsWay(to: alice, hops: 2).within(.seconds(30))
        sometimes(alice.has("my turn", by: .direct))
    }

    static let thereAndBackDiffer = Scenario(
        "there-and-back-differ", .paths,
        """
        Some repeaters are heard further than they hear. Alice reaches Bob over the hill, and what Bob sends reaches her \
        through the valley only. The way she learns is the one that her text took, not the one that the answer came by.
        """
    ) {
        alice.isHeard(by: hill)
        hill.isHeard(by: bob)
        bob.isHeard(by: valley)
        valley.isHeard(by: alice)
        acquainted(alice, bob)

        alice.sends("there", to: bob)
        bob.has("there", by: .flood).within(.seconds(30))
        alice.sees("there", as: .delivered).within(.seconds(60))
        alice.knowsWay(to: bob, hops: 1).within(.seconds(30))
        alice.sends("and again", to: bob)
        bob.has("and again", by: .direct).within(.seconds(30))
        alice.sees("and again", as: .delivered).within(.seconds(30))
    }

    static let shorterWay = Scenario(
        "shorter-way", .paths,
        """
        Ann's texts take a way over three repeaters. Then a tower is built that hears both her and Bob. Nothing changes as \
        long as the old way works; when Ann has her radio forget it, the next text floods and finds the tower.
        """
    ) {
        let ann = Person.stack("ann", preset: .upstreamFinal)
        let posts = [Repeater].row("post", 3)
        chain([ann] + posts + [bob])
        acquainted(ann, bob)
        tower

        ann.sends("the long way", to: bob)
        ann.knowsWay(to: bob, hops: 3).within(.seconds(60))
        ann.sees("the long way", as: .delivered).within(.seconds(30))
        pause(.seconds(60))
        tower.isInRadioRange(of: ann)
        tower.isInRadioRange(of: bob)
        ann.sends("still the long way", to: bob)
        bob.has("still the long way", by: .direct).within(.seconds(30))
        ann.sees("still the long way", as: .delivered).within(.seconds(30))
        ann.knowsWay(to: bob, hops: 3).now

        ann.forgetsWay(to: bob)
        ann.sends("the short way", to: bob)
        ann.sees("the short way", as: .delivered).within(.seconds(60))
        ann.knowsWay(to: bob, hops: 1).within(.seconds(30))
    }

    static let walkedOn = Scenario(
        "walked-on", .paths,
        """
        Eve was behind the hill, and Alice's app knows that way. Eve walks on to the valley without telling anybody. The next \
        text goes over the hill in vain, floods, and finds her; the one after it goes to the valley at once.
        """
    ) {
        chain(alice, hill, eve)
        alice.hears(valley)
        alice.knows(eve, over: hill)
        eve.knows(alice, over: hill)

        alice.sends("at home?", to: eve)
        eve.has("at home?", by: .direct).within(.seconds(30))
        valley.hasTransmitted(.none).now
        eve.walks(to: valley)
        alice.sends("where are you?", to: eve)
        eve.has("where are you?", by: .flood).within(.seconds(90))
        alice.sees("where are you?", as: .delivered).within(.seconds(60))
        alice.sends("found you", to: eve)
        eve.has("found you", by: .direct).within(.seconds(30))
        alice.sees("found you", as: .delivered).within(.seconds(30))
    }

    static let repeaterDies = Scenario(
        "repeater-dies", .paths,
        """
        The hill has learned to be the way to Eve, and its battery is empty. Alice loses the way and finds the longer one \
        through the valley and past the tower. When the hill has power again nobody goes back to it by himself.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, eve)
        chain(alice, valley, tower, eve)
        acquainted(alice, eve)

        alice.sends("short", to: eve)
        alice.knowsWay(to: eve, hops: 1).within(.seconds(60))
        alice.sees("short", as: .delivered).within(.seconds(30))
        pause(.seconds(30))
        hill.hasNoPower(for: .seconds(120))
        alice.sends("long", to: eve)
        eve.has("long").within(.seconds(90))
        alice.knowsWay(to: eve, hops: 2).within(.seconds(60))
        pause(.seconds(120))
        alice.sends("still long", to: eve)
        eve.has("still long", by: .direct).within(.seconds(30))
        alice.knowsWay(to: eve, hops: 2).now
    }

    static let forgotten = Scenario(
        "forgotten", .paths,
        """
        Alice tells her radio to forget the way to Bob, as people do when texts do not arrive. The next text floods although \
        the old way would still do, and the way is known again afterwards.
        """
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        alice.sends("by the book", to: bob)
        bob.has("by the book", by: .direct).within(.seconds(20))
        alice.sees("by the book", as: .delivered).within(.seconds(20))
        alice.forgetsWay(to: bob)
        Not(alice.knowsWay(to: bob)).now
        alice.sends("by ear", to: bob)
        bob.has("by ear", by: .flood).within(.seconds(30))
        alice.knowsWay(to: bob, hops: 1).within(.seconds(30))
    }

    static let askedFor = Scenario(
        "asked-for", .paths,
        """
        Alice wants to know the way to Bob before she writes. Her radio asks the mesh and Bob's radio answers by itself, if he \
        lets contacts ask. The app shows two repeaters on the way; the radio itself learns it with the first text.
        """
    ) {
        chain(alice, hill, valley, bob)
        acquainted(alice, bob)

        alice.asksForWay(to: bob).isRefused
        bob.answersContacts()
        alice.asksForWay(to: bob)
        alice.showsWay(to: bob, hops: 2).within(.seconds(10))
        Not(alice.knowsWay(to: bob)).now
        alice.sends("there you are", to: bob)
        bob.has("there you are", by: .flood).within(.seconds(60))
        alice.knowsWay(to: bob, hops: 2).within(.seconds(60))
    }

    static let setByHand = Scenario(
        "set-by-hand", .paths,
        """
        Alice knows from the map which repeaters lead to Bob and sets the way by hand. Her first text needs no flood: it goes \
        over these two, and a third one within her range stays silent.
        """
    ) {
        chain(alice, hill, valley, bob)
        alice.hears(tower)
        acquainted(alice, bob)

        alice.setsWay(to: bob, over: hill, valley)
        bob.setsWay(to: alice, over: valley, hill)
        alice.sends("by the map", to: bob)
        bob.has("by the map", by: .direct).within(.seconds(30))
        alice.sees("by the map", as: .delivered).within(.seconds(30))
        alice.knowsWay(to: bob, hops: 2).now
        tower.hasTransmitted(.none).now
    }

    static let twoByteHashes = Scenario(
        "two-byte-hashes", .paths,
        """
        In a big mesh many repeaters share the first byte of their key. Alice's radio asks them to sign with two bytes; the \
        way comes back in that form, and her texts follow it.
        """
    ) {
        chain(alice, hill, valley, bob)
        acquainted(alice, bob)

        alice.usesHashes(ofBytes: 2)
        alice.sends("sign twice", to: bob)
        alice.knowsWay(to: bob, hashBytes: 2).within(.seconds(60))
        alice.knowsWay(to: bob, hops: 2).now
        pause(.seconds(60))
        alice.sends("like this", to: bob)
        bob.has("like this", by: .direct).within(.seconds(30))
        alice.sees("like this", as: .delivered).within(.seconds(30))
    }

    static let mixedHashes = Scenario(
        "mixed-hashes", .paths,
        """
        Eve keeps the short form of one byte while Alice uses two. Each text says itself which form its way has, so the same \
        repeaters serve both, and both learn a way that works.
        """
    ) {
        chain(alice, hill, eve)
        acquainted(alice, eve)

        alice.usesHashes(ofBytes: 2)
        alice.sends("two", to: eve)
        alice.knowsWay(to: eve, hashBytes: 2).within(.seconds(60))
        pause(.seconds(60))
        eve.forgetsWay(to: alice)
        eve.sends("one", to: alice)
        alice.has("one", by: .flood).within(.seconds(60))
        eve.knowsWay(to: alice, hashBytes: 1).within(.seconds(60))
        pause(.seconds(60))
        alice.sends("both", to: eve)
        eve.has("both").within(.seconds(30))
        alice.sees("both", as: .delivered).within(.seconds(30))
    }
}
