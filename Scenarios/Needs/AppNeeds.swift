import MeshTestbed

/// Needs of apps.
enum AppNeeds {
    static let all = [doubledMessages, lostResponse, cutSynchronisation, firstCommand]

    static let doubledMessages = FieldNeed(
        "Retries that double messages in rooms and on channels",
        threads: [
            FieldNeeds.address("Yeraze/meshmonitor", .issue, 5202), FieldNeeds.firmware(.issue, 791),
            FieldNeeds.address("openhop-dev/openhop_repeater", .issue, 341),
        ],
        finding: """
            What makes an attempt the same message is its time. A room keeps a post of a time that it has once, and \
            confirms it again. A line on a channel with the same time is the same packet, which no radio takes \
            twice.
            """,
        breaking: "Each attempt gets the time at which it is made."
    ) { isBroken in
        let alice = Person.client("alice") {
            $0.attempts = 4
            $0.datesEachAttempt = isBroken
        }
        let bob = Person.client("bob")
        let club = Room("club")
        return Scenario(
            "doubled-messages", .needs,
            """
            Alice's radio does not hear the room for a while, and her app posts again. She also repeats a line on \
            the channel, in case that nobody has heard it. The room keeps one post, and Bob has each text once.
            """,
            tags: [.faults]
        ) {
            together(alice, bob, club)
            alice.knows(club)
            bob.knows(club)

            alice.enters(club)
            bob.enters(club)
            pause(.seconds(10))
            alice.doesNotHear(club, for: .seconds(12))
            alice.posts("once is enough", in: club)
            bob.has("once is enough").within(.seconds(90))
            pause(.seconds(30))
            alice.says("anybody there?")
            bob.has("anybody there?").within(.seconds(20))
            alice.repeatsLine()
            pause(.seconds(60))
            bob.has("once is enough").now
            bob.has("anybody there?").now
        }
    }

    static let lostResponse = FieldNeed(
        "An app that loses one response frame and stays in step",
        threads: [FieldNeeds.firmware(.pull, 3362), FieldNeeds.address("meshcore-dev/meshcore_py", .pull, 70)],
        finding: """
            Responses carry no number. An app stays in step when it waits for the responses that its command has, \
            and gives up after a time. A lost message is gone: the radio keeps no copy of what it has handed out.
            """,
        breaking: "The link loses three frames in five while Bob writes, so that messages are among them."
    ) { isBroken in
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        let carol = Person.client("carol")
        return Scenario(
            "lost-response", .needs,
            """
            The link to Alice's radio loses the answer to her first text. Her app does not know what became of it \
            and gives it up later. What she writes next is not mistaken for it, and each of Bob's texts is there.
            """,
            tags: [.faults]
        ) {
            together(alice, bob)
            acquainted(alice, bob)
            alice.knows(carol)

            alice.linkFault(.dropsNext(1), .toApp)
            alice.sends("is lost on the link", to: carol)
            alice.sends("comes behind it", to: bob)
            bob.has("comes behind it").within(.seconds(60))
            alice.sees("comes behind it", as: .delivered).within(.seconds(60))
            alice.sees("is lost on the link", as: .failed).within(.seconds(240))
            pause(.seconds(30))
            if isBroken { alice.linkFault(.drops(0.6), .toApp).lasts(.seconds(60)) }
            for number in 1...6 {
                bob.sends("answer \(number)", to: alice)
                pause(.seconds(10))
            }
            for number in 1...6 { alice.has("answer \(number)").within(.seconds(120)) }
        }
    }

    static let cutSynchronisation = FieldNeed(
        "A reconnection in the middle of contact synchronisation",
        threads: [
            FieldNeeds.address("OffbandMesh/meshcore-firmware", .issue, 178),
            FieldNeeds.address("Avi0n/MeshCoreOne", .pull, 133),
            FieldNeeds.address("JacekZubielik/meshnomad", .issue, 142),
        ],
        finding: """
            A listing has a beginning with the number of contacts, and an end. Without the end nothing may be taken \
            for gone, and the time to ask again from stays. The radio begins a new listing for each request.
            """,
        breaking: "The app takes a listing that broke off for the whole table.",
        defect: .trustsCutListing
    ) { _ in
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        let mallory = RogueTransmitter("mallory")
        return Scenario(
            "cut-synchronisation", .needs,
            """
            Twenty people have driven by while Alice's app was closed. She opens it, and the link is gone in the \
            middle of the list of contacts. Her app connects again by itself and lists all of them in the end.
            """,
            tags: [.faults]
        ) {
            together(alice, bob, mallory)
            acquainted(alice, bob)

            alice.closesApp()
            mallory.advertsCrowd(of: 20)
            bob.advertsNextDoor()
            pause(.seconds(5))
            alice.linkFault(.cutsAfter(14), .toApp)
            alice.opensApp().ifPossible
            alice.listsContacts(.exactly(21)).within(.seconds(120))
            alice.sends("who are all these people?", to: bob)
            bob.has("who are all these people?").within(.seconds(60))
        }
    }

    static let firstCommand = FieldNeed(
        "A login lost behind a flooded reply",
        threads: [
            FieldNeeds.firmware(.issue, 1140), FieldNeeds.firmware(.issue, 3114), FieldNeeds.firmware(.pull, 3106),
            FieldNeeds.firmware(.issue, 3330),
        ],
        finding: """
            The firmware does the same. The app learns of a flooded answer with its first copy, while repeaters \
            still carry the flood on. Nothing keeps a command back, and nobody who sends it hears them. With 40 \
            seeds the first command within half a second was lost in 14 to 20. After 4 s it was lost in none. An app \
            should wait for that time, or ask again with a new time stamp: a command of the same time is taken for a \
            repetition, and not answered.
            """,
        breaking: "The app sends its first command half a second after it is let in."
    ) { isBroken in
        let alice = Person.client("alice")
        let bob = Person.client("bob")
        let room = Room("room")
        let west = Repeater("west")
        let hall = Repeater("hall")
        let east = Repeater("east")
        return Scenario(
            "first-command", .needs,
            """
            Alice logs in at the next repeater by flood, and the answer runs on through the town. Her app lets the \
            flood pass before it sends the first command, and each is answered at once.
            """
        ) {
            chain(alice, west, hall, east, bob)
            hall.hears(room)
            alice.knows(west)

            for _ in 1...10 {
                alice.forgetsWay(to: west)
                alice.logsIn(at: west)
                pause(isBroken ? .milliseconds(500) : .seconds(5))
                alice.tells(west, "get name", answer: "west").askedOnce
                pause(.seconds(5))
            }
        }
    }
}
