import MeshTestbed

/// Scenarios about pictures, each drawn from a seed.
enum DrawnPictures {
    static let all = [anyPicture]

    private static let alice = Person.stack("alice")
    private static let bob = Person.stack("bob")
    private static let hills = [Repeater("hill"), Repeater("valley"), Repeater("tower")]

    static let anyPicture = DrawnScenario(
        "any-picture", .images,
        """
        A picture of 600 bytes to 8 kB goes over up to three repeaters, and each link loses up to 30 % of the frames. \
        It arrives whole, once, and its sender comes to know it.
        """,
        tags: [.faults]
    ) { draw in
        let ways = Array(hills.prefix(draw.count("repeaters", in: 0...hills.count)))
        let loss = draw.share("loss", in: 0...0.3)
        // What is lost costs its time again.
        for share in [20, 40, 60, 70] { sometimes(bob.gotPicture(from: alice, atPace: share)) }
        for share in [50, 70] { sometimes(bob.gotPicture(from: alice, atPace: share, withLoss: loss)) }

        let bytes = draw.count("bytes", in: 600...8000)
        chain([alice] + ways + [bob], loss: loss)
        known(bob, to: alice, over: ways)
        known(alice, to: bob, over: ways.reversed())

        alice.sendsPicture(to: bob, bytes: bytes)
        bob.hasPicture(from: alice, bytes: bytes).within(.seconds(7200))
        alice.knowsOfPicture(at: bob).within(.seconds(1800))
    }

    private static func known(_ whom: Person, to who: Person, over ways: [Repeater]) -> KnownContact {
        var contact = who.knowsNextDoor(whom)
        contact.path = ways.map(\.member)
        return contact
    }
}
