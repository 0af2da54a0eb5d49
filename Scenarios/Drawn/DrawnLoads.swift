import MeshTestbed

/// Scenarios that a seed makes, about many nodes and many texts. They last long, and are played when they are named.
enum DrawnLoads {
    static let all = [stackHour, loadedRoom]

    static let stackHour = DrawnScenario(
        "stack-hour", .crowds,
        """
        Alice's app talks for an hour with fifty contacts, on eight channels and in two rooms. A fifth of all frames is \
        lost, and her radio goes away every few minutes. What arrived is stored once, and every status and count is true.
        """,
        tags: [.long, .faults]
    ) { draw in HourLoad().parts(&draw) }

    static let loadedRoom = DrawnScenario(
        "loaded-room", .rooms,
        """
        Up to twenty members post in a room that they hear badly, each text again until it is confirmed. In the end \
        everybody has every post once, in the room's order, and the room counts what each of them lacks.
        """,
        tags: [.long]
    ) { draw in RoomLoad(members: 4...20, posts: 8...32, loss: 0...0.3).parts(&draw) }
}

/// Members of one room who all post. They hear each other well; only the links to the room lose frames.
struct RoomLoad: Sendable {
    /// Without the room itself, 20 at most: the room's table holds no more.
    var members: ClosedRange<Int>
    /// Of all members together, 32 at most: the room keeps no more.
    var posts: ClosedRange<Int>
    var loss: ClosedRange<Double>
    /// The time that an entry may need, and that the room has to bring the last post.
    var limit = Duration.seconds(3 * 3600)

    @ScenarioBuilder func parts(_ draw: inout Draw) -> [ScenarioPart] {
        let members = [Person].clients("member", draw.count("members", in: members)) { $0.attempts = 8 }
        let posts = draw.count("posts", in: posts)
        let room = Room("tavern")
        let end = 300 + 45 * posts
        together(members)
        around(room, members, loss: draw.share("loss", in: loss))
        members.map { $0.knows(room) }
        States.ofRooms
        always(room.postsAreTrue)
        always(room.postsArrive)
        always(room.countsTruly)
        always(room.keepsDelivered)

        for (number, member) in members.enumerated() {
            // Not all at once, and now and then a word, by which the room knows that a member is there.
            at(.seconds(20 + 8 * number)) { member.enters(room).tried(for: limit) }
            for time in stride(from: 900 + 30 * number, to: end + 1200, by: 600) {
                at(.seconds(time)) { member.readsStatus(of: room).ifPossible }
            }
        }
        for number in 0..<posts {
            at(.seconds(300 + 45 * number)) {
                members[number % members.count].posts("post \(number)", in: room).tried(for: limit)
            }
        }
        pause(.seconds(end))
        everythingIsSettled(within: .seconds(1200))
        members.map { Step.does($0.readsStatus(of: room).ifPossible) }
        room.hasBroughtAll(within: limit)
        pause(.seconds(75))
    }
}

/// An hour of a whole stack in a lossy mesh, with a link to its radio that keeps going away.
///
/// Behind the hour is a quiet while, in which what is owed arrives.
struct HourLoad: Sendable {
    /// Contacts in alice's range, and contacts that only repeaters in her range hear.
    var near = 25
    var far = 25
    var channels = 8
    var rooms = 2
    /// Peers that are members of each room, beside alice.
    var membersOfARoom = 3
    /// Texts from alice to contacts; as many come from them.
    var directEachWay = 1600
    var channelTextsEachWay = 320
    var postsEachWay = 80
    /// The time for which they talk, and for which they listen after that.
    var talk = Duration.seconds(3600)
    var quiet = Duration.seconds(300)
    /// Of every link, in each direction.
    var loss = 0.2
    /// The time for which alice's link to her radio lasts, and for which it is gone then.
    var untilCut: ClosedRange<Duration> = .seconds(120)...(.seconds(300))
    var cut: ClosedRange<Duration> = .seconds(2)...(.seconds(20))
    /// Errors that a sender or a member may see when the link goes, or when request or answer is lost. A post before
    /// the first entry has no permission; a member who never gets it breaks the scenario.
    private static let errors = ["not-connected", "node-not-connected", "no-answer", "timeout", "permission-denied"]
    private static let patience = Duration.seconds(600)

    @ScenarioBuilder func parts(_ draw: inout Draw) -> [ScenarioPart] {
        let alice = Person.stack("alice") { $0.hasShortSymbols = true }
        let peers = (0..<near + far).map { number in
            Person.client("peer-\(number)") { ($0.attempts, $0.hasShortSymbols) = (8, true) }
        }
        let repeaters = (1...2).map { Repeater("hill-\($0)") { $0.hasShortSymbols = true } }
        let rooms = (0..<self.rooms).map { Room("room-\($0)") { $0.hasShortSymbols = true } }
        let channels = (0..<self.channels).map { ChannelWord("#lane\($0)") }
        links(alice, peers, repeaters, rooms)
        rooms.map { alice.knows($0) }
        peers.map { alice.knows($0) }
        peers.flatMap { peer in [peer.knows(alice)] + rooms.map { peer.knows($0) } }
        StoreRules.all
        eventually(alice.seesOnlyErrors(Self.errors))
        for room in rooms {
            always(room.keepsDelivered)
            eventually(room.bringsAll)
        }

        for person in [alice] + peers { channels.map { Step.does(person.joins($0)) } }
        for (number, room) in rooms.enumerated() {
            at(.seconds(5)) { alice.staysIn(room, for: talk + quiet) }
            members(of: number).map { member in
                Step.at(.seconds(5), [.does(peers[member].enters(room).tried(for: Self.patience))])
            }
        }
        texts(&draw, alice, peers, rooms, channels)
        cuts(&draw, alice)
        pause(talk + quiet)
        everythingIsSettled(within: .seconds(600))
        rooms.map { $0.hasBroughtAll(within: .seconds(600)) }
        pause(.seconds(30))
    }

    /// The peers of a room: the last one is behind a repeater, when anybody is.
    private func members(of room: Int) -> [Int] {
        let inRange = (0..<membersOfARoom).map { $0 * rooms + room }.filter { $0 < near }
        return far > room ? inRange.dropLast() + [near + room] : inRange
    }

    // MARK: Who hears whom

    private func links(
        _ alice: Person, _ peers: [Person], _ repeaters: [Repeater], _ rooms: [Room]
    ) -> [RadioRange] {
        var links = repeaters.map { alice.hears($0) } + rooms.map { alice.hears($0) }
        links += [repeaters[0].hears(repeaters[1])]
        links += rooms.flatMap { room in repeaters.map { room.hears($0) } }
        for (number, peer) in peers.enumerated() {
            links += number < near ? [peer.hears(alice)] : hearers(of: number).map { peer.hears(repeaters[$0]) }
            for (room, node) in rooms.enumerated() where number < near && members(of: room).contains(number) {
                links.append(peer.hears(node))
            }
            links += (0..<number).filter { isTogether(number, $0) }.map { peer.hears(peers[$0]) }
        }
        for index in links.indices { links[index].loss = loss }
        return links
    }

    /// The repeaters that a far contact reaches: one, the other, or both.
    private func hearers(of number: Int) -> [Int] { [[0], [1], [0, 1]][number % 3] }

    /// Contacts in alice's range hear each other; so do far ones at the same repeater.
    private func isTogether(_ one: Int, _ other: Int) -> Bool {
        if one < near || other < near { return one < near && other < near }
        return hearers(of: one).contains(where: hearers(of: other).contains)
    }

    // MARK: Who says what

    private func texts(
        _ draw: inout Draw, _ alice: Person, _ peers: [Person], _ rooms: [Room], _ channels: [ChannelWord]
    ) -> [Step] {
        var steps: [Step] = []
        // Not before everybody has joined the channels.
        func plan(_ action: some Action) {
            steps.append(.at(.seconds(30) + draw.moment("a text", talk - .seconds(30)), [.does(action)]))
        }
        for number in 0..<directEachWay {
            let peer = peers[number % peers.count]
            plan(alice.sends(text("alice \(number)", &draw), to: peer).ifPossible)
            plan(peer.sends(text("\(peer.member.name) \(number)", &draw), to: alice).ifPossible)
        }
        for number in 0..<channelTextsEachWay {
            let (peer, channel) = (peers[number % peers.count], channels[number % channels.count])
            plan(alice.says(text("alice says \(number)", &draw), on: channel).ifPossible)
            plan(peer.says(text("\(peer.member.name) says \(number)", &draw), on: channel).tried(for: Self.patience))
        }
        for number in 0..<postsEachWay {
            let room = number % rooms.count
            let members = members(of: room)
            let peer = peers[members[number / rooms.count % members.count]]
            plan(alice.posts(text("alice posts \(number)", &draw), in: rooms[room]).tried(for: Self.patience))
            plan(
                peer.posts(text("\(peer.member.name) posts \(number)", &draw), in: rooms[room])
                    .tried(for: Self.patience))
        }
        return steps
    }

    /// Short or long, as people write.
    private func text(_ beginning: String, _ draw: inout Draw) -> String {
        let words = ["over", "the", "hill", "rain", "at", "noon", "bring", "rope", "see", "you", "there", "battery"]
        return ([beginning] + draw.some("words", draw.count("words of a text", in: 1...8), of: words))
            .joined(separator: " ")
    }

    private func cuts(_ draw: inout Draw, _ alice: Person) -> [Step] {
        var steps: [Step] = []
        var time = draw.span("until a cut", in: untilCut)
        while time < talk {
            let length = draw.span("a cut", in: cut)
            steps.append(.at(time, [.fault(alice.losesLink().mayNotFire(), lasting: length)]))
            time += length + draw.span("until a cut", in: untilCut)
        }
        return steps
    }
}
