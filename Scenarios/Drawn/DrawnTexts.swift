import MeshTestbed

/// Scenarios that a seed makes, about texts between two people.
enum DrawnTexts {
    static let all = [lossyDirect, floodedMesh, hurries, mixedApps]

    static let lossyDirect = DrawnScenario(
        "lossy-direct", .retry,
        """
        Two or three people hear each other badly, some over a repeater. Each text that is shown as delivered has \
        arrived, once, and each other text is given up in the end.
        """,
        over: .seconds(40), mesh: { $0.mesh(people: 2...3, repeaters: 0...1, shapes: [.line], loss: 0.1...0.6) }
    ) { draw, mesh in
        draw.texts(2...6, among: mesh.people, over: .seconds(40))
    }

    static let floodedMesh = DrawnScenario(
        "flooded-mesh", .flood,
        """
        People find each other over a mesh of repeaters of any shape, with troubles on the air and repeaters that come \
        and go.
        """,
        over: .seconds(90), mesh: { $0.mesh(people: 2...4, repeaters: 2...6, loss: 0...0.25) }
    ) { draw, mesh in
        sometimes(States.wayLearnt)

        draw.texts(2...8, among: mesh.people, over: .seconds(60))
        draw.adverts(0...3, of: mesh.people, over: .seconds(60))
        draw.faults(
            0...3, of: [.loss, .deafRepeater, .repeaterWithoutPower, .repeaterRestart, .deafPerson], in: mesh,
            over: .seconds(60))
    }

    static let hurries = DrawnScenario(
        "hurries", .retry,
        """
        People write faster than their radios can send: texts wait for each other in the app, and confirmations of \
        several are on their way at once.
        """,
        tags: [], over: .seconds(20), settledWithin: .seconds(900),
        mesh: { $0.mesh(people: 2...3, repeaters: 0...2, shapes: [.line, .star], loss: 0...0.4) }
    ) { draw, mesh in
        sometimes(States.waiting)

        draw.burst(2...6, among: mesh.people, over: .seconds(20))
        draw.texts(0...3, among: mesh.people, over: .seconds(20))
    }

    static let mixedApps = DrawnScenario(
        "mixed-apps", .direct,
        """
        People whose apps follow each of the four presets of the stack write to each other: they differ in attempts, \
        pauses and patience, and understand each other.
        """,
        over: .seconds(90),
        mesh: {
            $0.mesh(people: 2...4, repeaters: 1...3, loss: 0...0.4, presets: StackChoices.Preset.allCases)
        }
    ) { draw, mesh in
        draw.texts(3...8, among: mesh.people, over: .seconds(60))
        draw.faults(0...2, of: [.loss, .partition], in: mesh, over: .seconds(60))
    }
}
