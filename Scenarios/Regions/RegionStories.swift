import MeshTestbed

/// Floods that stay where they belong.
enum RegionStories {
    static let all = [staysInRegion, leavesRegion, unknownRegion]

    private static let alice = Person.client("alice")
    private static let bob = Person.client("bob"), carol = Person.client("carol")
    private static let west = Repeater("west") { $0.regions = ["valley", "west"] }
    private static let east = Repeater("east") { $0.regions = ["valley", "east"] }

    static let staysInRegion = Scenario(
        "stays-in-region", .regions,
        """
        Alice says something for the west. The repeater of the west carries it to Bob; the one of the east does not \
        carry it on, so Carol behind it hears nothing.
        """,
        tags: [.smoke]
    ) {
        chain(alice, west, east, carol)
        bob.hears(west)

        alice.scopesFloods(to: "west")
        alice.says("only here")
        bob.has("only here").within(.seconds(20))
        carol.has("only here", times: 0).stays(for: .seconds(60))
    }

    static let leavesRegion = Scenario(
        "whole-valley", .regions,
        """
        Both repeaters belong to the valley. What Alice says for the valley reaches Bob behind the first and Carol \
        behind the second.
        """
    ) {
        chain(alice, west, east, carol)
        bob.hears(west)

        alice.scopesFloods(to: "valley")
        alice.says("to all of you")
        bob.has("to all of you").within(.seconds(20))
        carol.has("to all of you").within(.seconds(30))
    }

    static let unknownRegion = Scenario(
        "unknown-region", .regions,
        """
        Nobody carries on what is meant for a region that no repeater knows. Without a scope the next text goes \
        everywhere again.
        """
    ) {
        chain(alice, west, bob)

        alice.scopesFloods(to: "moon")
        alice.says("anybody up there?")
        bob.has("anybody up there?", times: 0).stays(for: .seconds(60))
        alice.unscopesFloods()
        alice.says("down here then")
        bob.has("down here then").within(.seconds(20))
    }
}
