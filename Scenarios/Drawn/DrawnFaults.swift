import MeshTestbed

/// Scenarios that a seed makes, about links to radios and boards that fail.
enum DrawnFaults {
    static let all = [badLinks, brokenFrames, failingFlash]

    static let badLinks = DrawnScenario(
        "bad-links", .transports,
        """
        Links between apps and radios stall, take their time, say things twice and end in the middle of something. No \
        text is shown twice, none is mistaken for another, and what was written goes out when the link is there again.
        """,
        over: .seconds(120), settledWithin: .seconds(900),
        mesh: { $0.mesh(people: 2...3, repeaters: 0...2, shapes: [.line, .star], loss: 0...0.15) }
    ) { draw, mesh in
        sometimes(States.waiting)
        sometimes(States.heldByRadio)
        sometimes(IsCaughtUp())

        draw.faults(
            1...4, of: [.stalledLink, .slowLink, .doubledLink, .cutLink, .linkLoss], in: mesh, over: .seconds(60))
        draw.texts(3...10, among: mesh.people, over: .seconds(80))
        draw.channelTexts(0...4, among: mesh.people, over: .seconds(80))
    }

    static let brokenFrames = DrawnScenario(
        "broken-frames", .transports,
        """
        Some frames from a radio come to its app in two pieces, of which neither is what it was. The app makes nothing \
        of them that was not sent, waits for no answer for ever, and is well again when the link is.
        """,
        over: .seconds(120), settledWithin: .seconds(900),
        mesh: { $0.mesh(people: 2...3, repeaters: 0...1, shapes: [.line, .star], loss: 0...0.15) }
    ) { draw, mesh in
        sometimes(States.waiting)
        sometimes(IsCaughtUp())

        draw.faults(1...3, of: [.fragmentedLink, .fragmentedLink, .linkLoss], in: mesh, over: .seconds(60))
        draw.texts(3...8, among: mesh.people, over: .seconds(80))
    }

    static let failingFlash = DrawnScenario(
        "failing-flash", .restarts,
        """
        Boards cannot write to their flash for a while, or lose their power in the middle of a write, and restart with \
        what is left. Apps notice what their radios have forgotten, and what they show stays true.
        """,
        over: .seconds(120), settledWithin: .seconds(900),
        mesh: { $0.mesh(people: 2...3, repeaters: 1...2, shapes: [.line, .star], loss: 0...0.15) }
    ) { draw, mesh in
        sometimes(States.waiting)
        sometimes(States.fileIsTorn)
        sometimes(States.contactForgotten)

        draw.faults(1...3, of: [.flashFailure, .tornWrite], in: mesh, over: .seconds(50))
        draw.faults(0...2, of: [.personRestart, .repeaterRestart], in: mesh, over: .seconds(80))
        draw.texts(3...8, among: mesh.people, over: .seconds(80))
        draw.adverts(0...3, of: mesh.people, over: .seconds(60))
    }
}
