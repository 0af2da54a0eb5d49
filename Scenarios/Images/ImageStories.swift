import MeshTestbed

/// Pictures, chunk by chunk.
enum ImageStories {
    static let all = [smallPicture, pictureOverHill, pictureOverThreeHills, pictureInTheRain, pictureAfterABreak]

    private static let alice = Person.stack("alice")
    private static let bob = Person.stack("bob")
    private static let hill = Repeater("hill")
    private static let valley = Repeater("valley")
    private static let tower = Repeater("tower")

    static let smallPicture = Scenario(
        "small-picture", .images,
        """
        Alice sends Bob, who is in range, a picture of 600 bytes. It goes in chunks, and Bob's app shows the very same \
        picture, once. His app says so, and Alice reads that it has arrived.
        """,
        tags: [.smoke]
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.sendsPicture(to: bob)
        bob.hasPicture(from: alice).within(.seconds(120))
        alice.knowsOfPicture(at: bob).within(.seconds(30))
    }

    static let pictureOverHill = Scenario(
        "picture-over-the-hill", .images,
        """
        The picture has to go over a repeater, along the way that Alice knows. Her app sends the next chunk when the \
        repeater has passed on the one before, so that they do not meet on the air.
        """
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        alice.sendsPicture(to: bob, bytes: 2000)
        bob.hasPicture(from: alice, bytes: 2000).within(.seconds(60))
        alice.knowsOfPicture(at: bob).within(.seconds(60))
        bob.gotPicture(from: alice, atPace: 70).now
    }

    static let pictureOverThreeHills = Scenario(
        "picture-over-three-hills", .images,
        """
        Three repeaters lie between Alice and Bob. Nothing is lost because the chunks keep their distance, and the \
        picture arrives at the pace that the air allows.
        """
    ) {
        chain(alice, hill, valley, tower, bob)
        alice.knows(bob, over: hill, valley, tower)
        bob.knows(alice, over: tower, valley, hill)

        alice.sendsPicture(to: bob, bytes: 3000)
        bob.hasPicture(from: alice, bytes: 3000).within(.seconds(120))
        alice.knowsOfPicture(at: bob).within(.seconds(120))
        bob.gotPicture(from: alice, atPace: 70).now
    }

    static let pictureInTheRain = Scenario(
        "picture-in-the-rain", .images,
        """
        A third of the frames are lost while the picture travels over a repeater. Bob's app shows no half picture. It \
        says which chunks lack, Alice's app sends these again, and in the end he has the picture, once.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        loss(0.3)
        alice.sendsPicture(to: bob, bytes: 1200)
        bob.hasPicture(from: alice, bytes: 1200).within(.seconds(900))
        alice.knowsOfPicture(at: bob).within(.seconds(600))
    }

    static let pictureAfterABreak = Scenario(
        "picture-after-a-break", .images,
        """
        Bob's app is closed while half of the picture is still to come, and what the radio hears meanwhile is lost. When \
        he opens it, it has kept the first half and asks for the rest.
        """,
        tags: [.faults]
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        at(.seconds(20)) { bob.closesApp() }
        alice.sendsPicture(to: bob, bytes: 2000)
        Not(bob.hasPicture(from: alice, bytes: 2000)).now
        bob.opensApp()
        bob.hasPicture(from: alice, bytes: 2000).within(.seconds(300))
        alice.knowsOfPicture(at: bob).within(.seconds(120))
    }
}
