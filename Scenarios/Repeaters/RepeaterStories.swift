import MeshTestbed

/// Looking after repeaters from afar.
enum RepeaterStories {
    static let all = [adminNextDoor, adminOverHops, wrongAdminPassword, neighbours, switchedOffRelay, guestReadsStatus]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let hill = Repeater("hill"), peak = Repeater("peak")

    static let adminNextDoor = Scenario(
        "admin-next-door", .repeaters,
        """
        Alice logs in at the repeater in her range with the administrator's password, reads its name, changes it and \
        reads the new one, and looks at its status.
        """,
        tags: [.smoke]
    ) {
        alice.hears(hill)
        alice.knows(hill)

        alice.logsIn(at: hill)
        alice.tells(hill, "get name", answer: "hill")
        alice.tells(hill, "set name summit", answer: "OK")
        alice.tells(hill, "get name", answer: "summit")
        alice.readsStatus(of: hill)
    }

    static let adminOverHops = Scenario(
        "admin-over-hops", .repeaters,
        """
        The repeater that Alice looks after is two hops away. Her login floods and brings the way back; commands and \
        answers take it.
        """
    ) {
        chain(alice, hill, peak)
        alice.knows(peak)

        alice.logsIn(at: peak)
        alice.knowsWay(to: peak, hops: 1).within(.seconds(20))
        alice.tells(peak, "ver", answer: "v1")
        alice.tells(peak, "set flood.max 5", answer: "OK")
        alice.tells(peak, "get flood.max", answer: "5")
    }

    static let wrongAdminPassword = Scenario(
        "wrong-admin-password", .repeaters,
        """
        Somebody guesses at the administrator's password. The repeater does not answer wrong guesses, and stays as it \
        was; with the right one Alice is let in.
        """
    ) {
        together(alice, bob, hill)
        alice.knows(hill)
        bob.knows(hill)

        bob.isNotLetIn(at: hill, password: "admin")
        bob.isNotLetIn(at: hill, password: "1234")
        alice.logsIn(at: hill)
        alice.tells(hill, "get name", answer: "hill")
    }

    static let neighbours = Scenario(
        "neighbours", .repeaters,
        """
        Two repeaters hear each other's adverts, and one of them tells its administrator so: a map of the mesh begins \
        with such tables.
        """
    ) {
        chain(alice, hill, peak)
        alice.knows(hill)
        alice.knows(peak)

        alice.logsIn(at: peak)
        // An advert that meets another packet is lost, and the next one is not.
        for _ in 1...3 {
            alice.tells(peak, "advert.zerohop", answer: "OK")
            pause(.seconds(30))
        }
        alice.logsIn(at: hill)
        alice.readsNeighbours(of: hill, with: peak)
    }

    static let switchedOffRelay = Scenario(
        "switched-off-relay", .repeaters,
        """
        The administrator switches relaying off. Alice and Bob, who need the repeater, lose each other; switched on \
        again it carries their texts as before.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, bob)
        acquainted(alice, bob)
        alice.knows(hill)

        alice.logsIn(at: hill)
        alice.tells(hill, "set repeat off", answer: "OK")
        bob.sends("hello?", to: alice)
        alice.has("hello?", times: 0).stays(for: .seconds(40))
        alice.tells(hill, "set repeat on", answer: "OK")
        bob.sends("and now?", to: alice)
        alice.has("and now?").within(.seconds(30))
    }

    static let guestReadsStatus = Scenario(
        "guest-reads-status", .repeaters,
        """
        The repeater has a guest password. Bob may read its status with it, and not change anything: his command line \
        stays without effect.
        """
    ) {
        together(alice, bob, guestHill)
        alice.knows(guestHill)
        bob.knows(guestHill)

        bob.logsIn(at: guestHill, password: "visitor")
        bob.readsStatus(of: guestHill)
        alice.logsIn(at: guestHill)
        alice.tells(guestHill, "get name", answer: "hill")
    }

    private static let guestHill = Repeater("hill") { $0.guestPassword = "visitor" }
}
