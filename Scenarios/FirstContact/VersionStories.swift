import MeshTestbed

/// The apps with radios of each version of the firmware: see `FirmwareVersion` and `StackChoices.Preset`.
enum VersionStories {
    static let all = FirmwareVersion.all.flatMap { version in
        StackChoices.Preset.allCases.map { session(version, $0) }
    }

    private static func name(_ preset: StackChoices.Preset) -> String {
        switch preset {
        case .architectureV2: "second-architecture"
        case .architectureV1: "first-architecture"
        case .prd: "requirements"
        case .upstreamFinal: "upstream"
        }
    }

    private static func session(_ version: FirmwareVersion, _ preset: StackChoices.Preset) -> Scenario {
        let ann = Person.stack("ann", preset: preset).runs(version)
        let eve = Person.stack("eve", preset: preset).runs(version)
        let hill = Repeater("hill").runs(version)
        let number = "\(version)".replacing(".", with: "-")
        return Scenario(
            "firmware-\(number)-\(name(preset))", .firstContact,
            """
            All radios run firmware \(version). Apps that follow the \(name(preset).replacing("-", with: " ")) connect, read \
            their contacts, write to each other over a repeater, and look after it. Nothing waits for a command that the \
            firmware does not have.
            """
        ) {
            chain(ann, hill, eve)
            ann.knows(hill)
            ann.knows(eve)
            eve.knows(ann)

            ann.sends("over the hill", to: eve)
            eve.has("over the hill").within(.seconds(120))
            ann.sees("over the hill", as: .delivered).within(.seconds(60))
            eve.sends("and back", to: ann)
            ann.has("and back").within(.seconds(120))
            eve.sees("and back", as: .delivered).within(.seconds(60))

            ann.logsIn(at: hill)
            ann.tells(hill, "get name", answer: "hill")
            ann.readsStatus(of: hill)
        }
    }
}
