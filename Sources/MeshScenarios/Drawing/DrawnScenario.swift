public import MeshTime

/// A scenario that draws its nodes, its traffic and its faults from the seed.
///
/// ```swift
/// let lossyPair = DrawnScenario("lossy-pair", .retry, "Two people on a bad link.") { draw in
///     let alice = Person.stack("alice"), bob = Person.stack("bob")
///     alice.hears(bob, loss: draw.share("loss", in: 0...0.5))
///     acquainted(alice, bob)
///
///     alice.sends("hello", to: bob)
///     everythingIsSettled(within: .seconds(300))
/// }
/// ```
public struct DrawnScenario: Sendable {
    /// Unique in its library, among the fixed ones too.
    public let name: String
    /// The subject of the scenario: the folder that it is in.
    public let story: Scenario.Story
    /// One paragraph for people who use the mesh.
    public let summary: String
    /// Words by which it can be picked.
    public let tags: Set<Scenario.Tag>
    /// The place of its declaration in the source.
    public let place: SourcePlace
    private let parts: @Sendable (inout Draw) -> [ScenarioPart]

    /// Names a story; the parts are drawn anew for each seed.
    public init(
        _ name: String, _ story: Scenario.Story, _ summary: String, tags: Set<Scenario.Tag> = [],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        @ScenarioBuilder _ parts: @escaping @Sendable (inout Draw) -> [ScenarioPart]
    ) {
        place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        self.name = name
        self.story = story
        self.summary = summary
        self.tags = tags
        self.parts = parts
    }

    /// The scenario of a seed; the same one every time.
    public func scenario(of seed: Seed) -> Scenario {
        var draw = Draw(seed.part("scenario", name))
        let drawn = parts(&draw)
        return Scenario(
            name, story, summary, tags: tags, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column
        ) { drawn }
    }
}

/// The thing that a name of a library stands for: one scenario, or one for each seed.
public enum ScenarioSource: Sendable {
    /// The same for every seed.
    case fixed(Scenario)
    /// Another for each seed.
    case drawn(DrawnScenario)

    /// The name it is picked by.
    public var name: String {
        switch self {
        case .fixed(let scenario): scenario.name
        case .drawn(let scenario): scenario.name
        }
    }

    /// The subject of the scenario: the folder that it is in.
    public var story: Scenario.Story {
        switch self {
        case .fixed(let scenario): scenario.story
        case .drawn(let scenario): scenario.story
        }
    }

    /// A summary of the scenario in one line.
    public var summary: String {
        switch self {
        case .fixed(let scenario): scenario.summary
        case .drawn(let scenario): scenario.summary
        }
    }

    /// Words by which it can be picked.
    public var tags: Set<Scenario.Tag> {
        switch self {
        case .fixed(let scenario): scenario.tags
        case .drawn(let scenario): scenario.tags
        }
    }

    /// Addresses of the public threads that it comes of.
    public var threads: [String] {
        switch self {
        case .fixed(let scenario): scenario.threads
        case .drawn: []
        }
    }

    /// `retry/flood-fallback`.
    public var path: String { story.rawValue + "/" + name }

    /// Tells whether each seed gives another scenario.
    public var isDrawn: Bool { if case .drawn = self { true } else { false } }

    /// Returns the scenario of a seed. A fixed one is always the same, and the seed changes only the world's random
    /// numbers.
    public func scenario(of seed: Seed) -> Scenario {
        switch self {
        case .fixed(let scenario): scenario
        case .drawn(let scenario): scenario.scenario(of: seed)
        }
    }
}
