import MeshTestbed

/// Scenarios that a seed makes, about people who come and go and meshes that fall apart.
enum DrawnMeetings {
    static let all = [crowdedChannel, partitions, comingAndGoing, restarts, wrongClocks]

    static let crowdedChannel = DrawnScenario(
        "crowded-channel", .channels,
        """
        Many people speak on one channel over a mesh. Nobody has a word twice, however many repeaters carry it.
        """
    ) { draw in
        let mesh = draw.mesh(people: 3...6, repeaters: 1...5, loss: 0...0.2)
        mesh.links
        sometimes(States.repeated)
        sometimes(States.heldByRadio)
        sometimes(IsCaughtUp())

        draw.channelTexts(4...16, among: mesh.people, over: .seconds(40))
        draw.absences(0...2, of: mesh.people, over: .seconds(40))
        pause(.seconds(70))
        everythingIsSettled(within: .seconds(60))
        pause(.seconds(15))
    }

    static let partitions = DrawnScenario(
        "parting-and-meeting", .partitions,
        """
        A part of the mesh is cut off for a while. Texts across the cut are tried again and arrive when it is over, or \
        are given up; within each part life goes on.
        """,
        over: .seconds(100), mesh: { $0.mesh(people: 2...4, repeaters: 2...5, loss: 0...0.1) }
    ) { draw, mesh in
        let nodes = mesh.people.map(\.member) + mesh.repeaters.map(\.member)
        let island = draw.some("island", draw.count("size of the island", in: 1...nodes.count / 2), of: nodes)
        let begin = draw.moment("the cut", .seconds(30))
        let length = draw.span("the cut", in: .seconds(5)...(.seconds(60)))
        sometimes(ArrivesAfterwards("the partition", begin: begin, length: length))

        at(begin) { partition(of: island, for: length).mayNotFire() }
        draw.texts(3...8, among: mesh.people, over: .seconds(70))
        draw.channelTexts(0...3, among: mesh.people, over: .seconds(70))
    }

    static let comingAndGoing = DrawnScenario(
        "coming-and-going", .offlineQueue,
        """
        People close their apps and open them again, and apps lose their radios. What arrived meanwhile waits in the \
        radio, what was written meanwhile waits in the app, and nothing is lost or doubled.
        """,
        over: .seconds(120), settledWithin: .seconds(900),
        mesh: { $0.mesh(people: 2...4, repeaters: 0...2, shapes: [.line, .star, .villages], loss: 0...0.15) }
    ) { draw, mesh in
        sometimes(States.waiting)
        sometimes(States.heldByRadio)
        sometimes(States.piledUp)
        sometimes(IsCaughtUp())

        draw.absences(1...3, of: mesh.people, over: .seconds(60))
        draw.faults(0...2, of: [.linkLoss], in: mesh, over: .seconds(60))
        draw.texts(4...12, among: mesh.people, over: .seconds(80))
        draw.channelTexts(0...4, among: mesh.people, over: .seconds(80))
    }

    static let restarts = DrawnScenario(
        "restarts", .restarts,
        """
        Radios and repeaters restart in the middle of it all, some repeaters with an empty flash. Apps find their radios \
        again, and what they show stays true.
        """,
        over: .seconds(90), settledWithin: .seconds(900),
        mesh: { $0.mesh(people: 2...3, repeaters: 1...3, shapes: [.line, .ring, .villages], loss: 0...0.15) }
    ) { draw, mesh in
        sometimes(States.waiting)

        draw.faults(
            1...3, of: [.personRestart, .repeaterRestart, .erasedRepeater, .repeaterWithoutPower], in: mesh,
            over: .seconds(50))
        draw.texts(3...8, among: mesh.people, over: .seconds(60))
    }

    static let wrongClocks = DrawnScenario(
        "wrong-clocks", .clocks,
        """
        The clocks of radios jump by seconds, hours or days, forwards and back. Texts are delivered all the same, and none \
        is taken for another one.
        """,
        over: .seconds(70), mesh: { $0.mesh(people: 2...4, repeaters: 0...2, shapes: [.line, .star], loss: 0...0.15) }
    ) { draw, mesh in
        draw.faults(1...3, of: [.clockJump], in: mesh, over: .seconds(50))
        draw.texts(3...8, among: mesh.people, over: .seconds(60))
        draw.adverts(0...3, of: mesh.people, over: .seconds(60))
        draw.channelTexts(0...3, among: mesh.people, over: .seconds(60))
    }
}
