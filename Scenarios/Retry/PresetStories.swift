import MeshTestbed

/// Scenarios of the four ways in which apps behave, and their differences: see `StackChoices.Preset`.
extension RetryStories {
    /// The attempts that a preset makes without an answer, and how many of them use the known way.
    private static func attempts(of preset: StackChoices.Preset) -> (all: Int, direct: Int) {
        switch preset {
        case .architectureV2: (4, 2)
        case .architectureV1: (3, 2)
        case .prd: (4, 3)
        case .upstreamFinal: (5, 4)
        }
    }

    private static func suffix(_ preset: StackChoices.Preset) -> String {
        switch preset {
        case .architectureV2: "second-architecture"
        case .architectureV1: "first-architecture"
        case .prd: "requirements"
        case .upstreamFinal: "upstream"
        }
    }

    private static let eve = Person.stack("eve")
    private static let hill = Repeater("hill"), valley = Repeater("valley")

    static let deadFirstHop = StackChoices.Preset.allCases.map { preset in
        let ann = Person.stack("ann", preset: preset)
        let direct = attempts(of: preset).direct
        return Scenario(
            "dead-first-hop-\(suffix(preset))", .retry,
            """
            The hill has died on the way that Ann's app knows. An app that follows the \
            \(suffix(preset).split(separator: "-").joined(separator: " ")) sends \(direct) times along the known way, then \
            floods, and is heard in the valley. The new way is remembered.
            """,
            tags: [.faults]
        ) {
            chain(ann, hill, eve)
            chain(ann, valley, eve)
            ann.knows(eve, over: hill)
            eve.knows(ann)

            hill.hasNoPower()
            ann.sends("detour", to: eve)
            eve.has("detour", by: .flood).within(.seconds(120))
            ann.sees("detour", as: .delivered).within(.seconds(60))
            ann.hasTried("detour", .exactly(direct + 1)).now
            ann.knowsWay(to: eve, hops: 1).within(.seconds(20))
            pause(.seconds(60))

            ann.sends("known by now", to: eve)
            eve.has("known by now", by: .direct).within(.seconds(60))
            ann.hasTried("known by now", .once).within(.seconds(30))
            always(hill.hasTransmitted(.none))
        }
    }

    static let nobodyThere = StackChoices.Preset.allCases.map { preset in
        let ann = Person.stack("ann", preset: preset)
        let all = attempts(of: preset).all
        return Scenario(
            "nobody-there-\(suffix(preset))", .retry,
            """
            Eve's radio is off, and nobody else answers. An app that follows the \
            \(suffix(preset).split(separator: "-").joined(separator: " ")) makes \(all) attempts and then says \
            honestly that the text has failed; it never shows a delivery, and it does not go on sending for ever.
            """,
            tags: [.faults]
        ) {
            ann.hears(eve)
            ann.knowsNextDoor(eve)

            eve.hasNoPower()
            ann.sends("knock knock", to: eve)
            ann.sees("knock knock", as: .failed).within(.seconds(180))
            ann.hasTried("knock knock", .exactly(all)).now
            ann.sees("knock knock", as: .failed).stays(for: .seconds(300))
            ann.hasTransmitted(.exactly(all)).now
            never(ann.sees("knock knock", as: .delivered))
        }
    }
}
