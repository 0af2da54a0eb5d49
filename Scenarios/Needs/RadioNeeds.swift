import MeshTestbed

/// Needs of people with one radio.
enum RadioNeeds {
    static let all = [fullTable, severalClients, severalApps, clockAhead]

    static let fullTable = FieldNeed(
        "A contact table that is full",
        threads: [
            FieldNeeds.firmware(.issue, 1227), FieldNeeds.firmware(.pull, 1379),
            FieldNeeds.address("Yeraze/meshmonitor", .issue, 4838),
        ],
        finding: """
            With bit 0 of the setting for new contacts the oldest one gives way, and favourites never do. The \
            contact that was changed longest ago is the oldest, whether people write to it or not.
            """,
        breaking: "Bob is no favourite."
    ) { isBroken in
        let alice = Person.stack("alice") { $0.maxContacts = 12 }
        let bob = Person.client("bob")
        let mallory = RogueTransmitter("mallory")
        return Scenario(
            "full-table", .needs,
            """
            Alice's radio has room for twelve contacts and makes room for new ones by giving up the oldest. Sixteen \
            people drive by. Bob is a favourite of hers and stays, and she can still write to him.
            """
        ) {
            together(alice, bob, mallory)
            acquainted(alice, bob)

            alice.adds(.overwritingOldest)
            if !isBroken { alice.favours(bob) }
            mallory.advertsCrowd(of: 16)
            alice.hasContacts(atMost: 12).now
            alice.hasMet(bob).now
            alice.sends("still my friend", to: bob)
            bob.has("still my friend").within(.seconds(30))
        }
    }

    static let severalClients = FieldNeed(
        "Several clients on one radio",
        threads: [
            FieldNeeds.address("rgregg/meshcore-proxy", .issue, 10),
            FieldNeeds.address("meshcore-dev/meshcore-ha", .pull, 345), FieldNeeds.firmware(.pull, 2972),
        ],
        finding: """
            A radio has one queue, and forgets a message when it has handed it out. Whoever fetches first has it, \
            and nobody else. A second client may do everything but fetch.
            """,
        breaking: "The other app fetches the messages."
    ) { isBroken in
        let alice = Person.stack("alice")
        let bob = Person.client("bob")
        return Scenario(
            "several-clients", .needs,
            """
            A home automation uses Alice's radio, too. It takes the radio for a moment, looks after its battery and \
            leaves the messages where they are. Alice's app takes its radio back and has every text of Bob.
            """
        ) {
            alice.hears(bob)
            acquainted(alice, bob)

            bob.sends("before", to: alice)
            alice.has("before").within(.seconds(20))
            alice.closesApp()
            bob.sends("meanwhile", to: alice)
            pause(.seconds(10))
            alice.lendsRadio(reading: isBroken)
            alice.opensApp()
            alice.has("meanwhile").within(.seconds(60))
            bob.sends("after", to: alice)
            alice.has("after").within(.seconds(30))
        }
    }

    static let severalApps = FieldNeed(
        "Two apps at one radio at the same time",
        threads: [
            FieldNeeds.firmware(.pull, 3049), FieldNeeds.firmware(.pull, 3362), FieldNeeds.firmware(.pull, 1779),
        ],
        finding: """
            A radio that has several interfaces still has one queue, and knows of one app. Each frame that it writes \
            goes to all of them. So a message is with every app that is connected when any of them fetches it, and with \
            no other. No app sees what another one wrote.
            """,
        breaking: "Carol opens her app when Alice's has fetched the message."
    ) { isBroken in
        let alice = Person.stack("alice").runs(.v1_18)
        let carol = Person.stack("carol").at(alice)
        let bob = Person.client("bob")
        return Scenario(
            "several-apps", .needs,
            """
            Carol's app is at the USB port of Alice's radio, while Alice's is connected over Wi-Fi. Bob's texts are with \
            both, each once. What each of the two writes to him is confirmed to the one who wrote it.
            """
        ) {
            alice.hears(bob)
            acquainted(alice, bob)

            if isBroken { carol.closesApp() }
            bob.sends("to whom it concerns", to: alice)
            alice.has("to whom it concerns").within(.seconds(20))
            if isBroken { carol.opensApp() }
            carol.has("to whom it concerns").within(.seconds(60))
            meanwhile {
                alice.sends("from the phone", to: bob)
                carol.sends("from the laptop", to: bob)
            }
            bob.has("from the phone").within(.seconds(60))
            bob.has("from the laptop").within(.seconds(60))
            alice.sees("from the phone", as: .delivered).within(.seconds(60))
            carol.sees("from the laptop", as: .delivered).within(.seconds(60))
            pause(.seconds(5))
            for number in 1...8 {
                bob.sends("line \(number)", to: alice)
                bob.sees("line \(number)", as: .delivered).within(.seconds(20))
            }
            bob.says("to everybody")
            for who in [alice, carol] {
                for number in 1...8 { who.has("line \(number)").within(.seconds(60)) }
                who.has("to everybody").within(.seconds(30))
            }
            carol.closesApp()
            bob.sends("to Alice alone", to: alice)
            alice.has("to Alice alone").within(.seconds(20))
            carol.opensApp()
            pause(.seconds(5))
            bob.sends("to both again", to: alice)
            alice.has("to both again").within(.seconds(20))
            carol.has("to both again").within(.seconds(20))
        }
    }

    static let clockAhead = FieldNeed(
        "A clock that was set back, and messages in order",
        threads: [
            FieldNeeds.firmware(.pull, 2834), FieldNeeds.firmware(.pull, 3195), FieldNeeds.firmware(.issue, 1332),
        ],
        finding: """
            A login carries the time of the radio, a post that of the app. A server takes nothing from a member that \
            is not newer than what came before. A radio refuses to be set back, so a member whose radio is ahead is \
            let in and not heard. An app must not write with a time before that of its radio.
            """,
        breaking: "Alice's radio is a month ahead when she enters."
    ) { isBroken in
        let alice = Person.client("alice")
        let bob = Person.client("bob")
        let club = Room("club")
        return Scenario(
            "clock-set-back", .needs,
            """
            Bob's radio falls back by a day in the middle of a conversation. The room and its members notice \
            nothing. Posts are in the order in which they were written, because the room's clock gives them their \
            time.
            """
        ) {
            together(alice, bob, club)
            alice.knows(club)
            bob.knows(club)
            acquainted(alice, bob)

            if isBroken { alice.clockJumps(by: .seconds(2_592_000)) }
            alice.enters(club)
            bob.enters(club)
            pause(.seconds(5))
            alice.posts("first", in: club)
            bob.has("first").within(.seconds(60))
            pause(.seconds(10))
            bob.clockJumps(by: .seconds(-86_400))
            alice.posts("second", in: club)
            bob.has("second").within(.seconds(60))
            pause(.seconds(10))
            alice.posts("third", in: club)
            bob.has(inOrder: "first", "second", "third").within(.seconds(60))
            pause(.seconds(10))
            bob.sends("in the past", to: alice)
            alice.has("in the past").within(.seconds(20))
        }
    }
}
