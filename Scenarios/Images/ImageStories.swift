import MeshTestbed

/// Pictures, chunk by chunk.
enum ImageStories {
    static let all = [smallPicture, pictureOverHill, pictureInTheRain]

    private static let alice = Person.stack("alice")
    private static let bob = Person.stack("bob")
    private static let hill = Repeater("hill")

    static let smallPicture = Scenario(
        "small-picture", .images,
        """
        Alice sends Bob, who is in range, a picture of 600 bytes. It goes in chunks, and Bob's app shows the very same \
        picture, once.
        """,
        tags: [.smoke]
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        alice.sendsPicture(to: bob)
        bob.hasPicture(from: alice).within(.seconds(120))
    }

    static let pictureOverHill = Scenario(
        "picture-over-the-hill", .images,
        """
        The picture has to go over a repeater, along the way that Alice knows. It is small enough for one chunk, which \
        is all that a repeater is asked to carry at a time.
        """
    ) {
        chain(alice, hill, bob)
        alice.knows(bob, over: hill)
        bob.knows(alice, over: hill)

        alice.sendsPicture(to: bob, bytes: 130)
        bob.hasPicture(from: alice, bytes: 130).within(.seconds(60))
    }

    static let pictureInTheRain = Scenario(
        "picture-in-the-rain", .images,
        """
        Half of the frames are lost while the picture travels, and chunks are not sent again. Bob's app shows no half \
        picture, and when the rain is over Alice sends it once more: now he has it, once.
        """,
        tags: [.faults]
    ) {
        alice.hears(bob)
        alice.knowsNextDoor(bob)
        bob.knowsNextDoor(alice)

        loss(0.5, for: .seconds(60))
        alice.sendsPicture(to: bob, bytes: 900)
        pause(.seconds(60))
        Not(bob.hasPicture(from: alice, bytes: 900)).now
        alice.sendsPicture(to: bob, bytes: 900)
        bob.hasPicture(from: alice, bytes: 900).within(.seconds(120))
    }
}
