import MeshTestbed

/// Many people, many repeaters, one frequency.
enum CrowdStories {
    static let all = [acrossTown, marketDay, roundTable, rushHour, everybodyAdverts, bigAdvert]

    private static let alice = Person.stack("alice")
    private static let eve = Person.stack("eve", preset: .upstreamFinal)

    static let acrossTown = Scenario(
        "across-town", .crowds,
        """
        Twenty-five repeaters stand at the corners of a town's streets and hear their neighbours. Alice lives at one end and \
        Eve at the other. The first text may get lost in its own echoes; sooner or later one floods through, and the app \
        always says what became of it.
        """,
        tags: [.slow]
    ) {
        let corners = [Repeater].row("corner", 25)
        grid(corners, columns: 5)
        alice.hears(corners[0])
        eve.hears(corners[24])
        acquainted(alice, eve)

        for hour in 1...3 {
            alice.sends("call \(hour)", to: eve)
            alice.isDone(with: "call \(hour)").within(.seconds(300))
        }
        sometimes(alice.knowsWay(to: eve))
        sometimes(eve.has("call 3"))
        sometimes(collisions(.atLeast(100)))
        for corner in corners { always(corner.hasTransmitted(.atMost(200))) }
    }

    static let marketDay = Scenario(
        "market-day", .crowds,
        """
        Thirty people stand around one market square, each in range of all others. One after the other says a line on the \
        public channel, with time to breathe in between, and everybody has every line.
        """,
        tags: [.slow]
    ) {
        let people = [Person].clients("visitor", 30)
        together(people)

        for (number, person) in people.enumerated() {
            person.says("line of \(number + 1)")
            pause(.seconds(4))
        }
        for number in [1, 15, 30] { people.have("line of \(number)", .exactly(29)).now }
        collisions(.none).now
    }

    static let roundTable = Scenario(
        "round-table", .crowds,
        """
        Twenty people hear one repeater and not each other. Each says one line in his own second; what the repeater understands \
        it carries to all others, what collides at its antenna is lost for all, and nobody has a line twice.
        """,
        tags: [.slow]
    ) {
        let people = [Person].clients("guest", 20)
        let hall = Repeater("hall")
        around(hall, people)

        for (number, person) in people.enumerated() {
            at(.seconds(number * 6)) { person.says("word of \(number + 1)") }
        }
        pause(.seconds(140))
        people.have("word of 1", .exactly(19)).now
        people.have("word of 20", .exactly(19)).now
        hall.hasTransmitted(.atMost(20)).now
    }

    static let rushHour = Scenario(
        "rush-hour", .crowds,
        """
        Eight pairs of people within one range write to each other, one after the other within two seconds, and are answered \
        in as many. Radios wait for each other, frames collide all the same and are sent again; every app comes to an end, and \
        whatever it shows as delivered has been read.
        """,
        tags: [.slow]
    ) {
        let senders = [Person].stacks("caller", 8)
        let readers = [Person].stacks("listener", 8, preset: .prd)
        together(senders + readers)
        for (sender, reader) in zip(senders, readers) {
            sender.knowsNextDoor(reader)
            reader.knowsNextDoor(sender)
        }

        for (sender, reader) in zip(senders, readers) {
            sender.sends("rush", to: reader)
            pause(.milliseconds(250))
        }
        for (sender, reader) in zip(senders, readers) {
            reader.sends("hour", to: sender)
            pause(.milliseconds(250))
        }
        for sender in senders { sender.isDone(with: "rush").within(.seconds(300)) }
        for reader in readers { reader.isDone(with: "hour").within(.seconds(300)) }
        // Radios with an SX126x overlook the frame behind the one that they waited for, so most texts may be lost.
        readers.have("rush", .atLeast(1)).now
        senders.have("hour", .atLeast(1)).now
        sometimes(readers.have("rush", .atLeast(4)))
        sometimes(senders.have("hour", .atLeast(4)))
        sometimes(readers.allHave("rush"))
        sometimes(collisions(.atLeast(10)))
    }

    static let everybodyAdverts = Scenario(
        "everybody-adverts", .crowds,
        """
        At a meeting twenty people advert one after the other, three seconds apart. Afterwards each has nineteen contacts, and \
        two of them can write to each other at once.
        """,
        tags: [.slow]
    ) {
        let people = [Person].clients("member", 20)
        together(people)

        for person in people {
            person.advertsNextDoor()
            pause(.seconds(3))
        }
        for other in people.dropFirst() { people[0].hasMet(other).now }
        for other in people.dropLast() { people[19].hasMet(other).now }
        people[0].sends("nice talk", to: people[19])
        people[19].has("nice talk").within(.seconds(20))
    }

    static let bigAdvert = Scenario(
        "big-advert", .crowds,
        """
        Forty repeaters on the roofs of a city all hear each other. One advert sets them off: each carries it on once at most, \
        in a random order and with pauses, until the air is quiet again, and both ends know of each other.
        """,
        tags: [.slow]
    ) {
        let roofs = [Repeater].row("roof", 40)
        together(roofs)
        alice.hears(roofs[0])
        eve.hears(roofs[39])

        alice.advertsToEverybody()
        eve.hasMet(alice).within(.seconds(120))
        pause(.seconds(120))
        for roof in roofs { always(roof.hasTransmitted(.atMost(1))) }
        sometimes(collisions(.atLeast(1)))
    }
}
