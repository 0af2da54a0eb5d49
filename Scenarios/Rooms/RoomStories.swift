import MeshTestbed

/// Rooms keep what is said for those who were away.
enum RoomStories {
    static let all = [postReachesMembers, absentMember, roomBehindHill, wrongPassword, lossyRoom]

    private static let alice = Person.stack("alice")
    private static let bob = Person.client("bob")
    private static let carol = Person.client("carol")
    private static let dora = Person.stack("dora"), emil = Person.stack("emil")
    private static let club = Room("club")
    private static let hill = Repeater("hill")

    static let postReachesMembers = Scenario(
        "post-reaches-members", .rooms,
        """
        Alice, Bob and Carol enter the club. What Alice posts is brought to the two others, once each, and what Carol \
        answers is brought to Alice and Bob. Nobody gets the own post back.
        """,
        tags: [.smoke]
    ) {
        together(alice, bob, carol, club)
        alice.knows(club)
        bob.knows(club)
        carol.knows(club)

        alice.enters(club)
        bob.enters(club)
        carol.enters(club)
        pause(.seconds(3))
        alice.posts("who brings the cake?", in: club)
        bob.has("who brings the cake?").within(.seconds(60))
        carol.has("who brings the cake?").within(.seconds(60))
        carol.posts("I do", in: club)
        alice.has("I do").within(.seconds(60))
        bob.has("I do").within(.seconds(60))
        never(bob.has("who brings the cake?", times: 2))
        eventually(alice.has("who brings the cake?", times: 0))
    }

    static let absentMember = Scenario(
        "absent-member", .rooms,
        """
        Bob enters the club and then drives out of range. Alice posts twice meanwhile. The room tries to reach Bob, gives \
        up after a few attempts, and brings both posts when he enters again.
        """,
        tags: [.faults]
    ) {
        together(alice, bob, club)
        alice.knows(club)
        bob.knows(club)

        alice.enters(club)
        bob.enters(club)
        pause(.seconds(3))
        Cut(bob, club)
        Cut(bob, alice)
        alice.posts("first", in: club)
        pause(.seconds(30))
        alice.posts("second", in: club)
        pause(.seconds(120))
        bob.has("first", times: 0).now
        Mend(bob, club)
        bob.enters(club)
        bob.has("first").within(.seconds(120))
        bob.has("second").within(.seconds(120))
    }

    static let roomBehindHill = Scenario(
        "room-behind-the-hill", .rooms,
        """
        The club is behind the hill. Both members enter it over the repeater, and posts reach them over it: the room \
        learns the way to each member when it is entered.
        """
    ) {
        chain(alice, hill, club)
        bob.hears(hill)
        alice.knows(club)
        bob.knows(club)

        alice.enters(club)
        bob.enters(club)
        pause(.seconds(3))
        alice.posts("over the hill", in: club)
        bob.has("over the hill").within(.seconds(90))
        bob.posts("and back", in: club)
        alice.has("and back").within(.seconds(90))
    }

    static let wrongPassword = Scenario(
        "wrong-room-password", .rooms,
        """
        Bob does not know the password of the club. The room leaves him without an answer, and what is posted inside \
        never reaches him; with the right password he is let in.
        """
    ) {
        together(alice, bob, club)
        alice.knows(club)
        bob.knows(club)

        bob.isNotLetIn(at: club, password: "please")
        alice.enters(club)
        pause(.seconds(3))
        alice.posts("just us", in: club)
        bob.has("just us", times: 0).stays(for: .seconds(60))
        bob.enters(club)
        bob.has("just us").within(.seconds(60))
    }

    static let lossyRoom = Scenario(
        "lossy-room", .rooms,
        """
        A third of all frames between the members and the club is lost. Logins, posts and their delivery take more \
        attempts, and in the end everybody has every post exactly once.
        """,
        tags: [.faults]
    ) {
        together(alice, dora, emil, club)
        alice.knows(club)
        dora.knows(club)
        emil.knows(club)

        alice.enters(club)
        dora.enters(club)
        emil.enters(club)
        pause(.seconds(3))
        loss(0.3, for: .seconds(120))
        alice.posts("can you hear me", in: club)
        pause(.seconds(40))
        alice.posts("now?", in: club)
        dora.has("can you hear me").within(.seconds(400))
        dora.has("now?").within(.seconds(400))
        emil.has("can you hear me").within(.seconds(400))
        emil.has("now?").within(.seconds(400))
        never(dora.has("now?", times: 2))
    }
}
