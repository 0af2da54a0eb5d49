public import MeshBoards

/// A story of a mesh and the people on it, and what must hold in it.
///
/// ```swift
/// let alice = Person.stack("alice"), bob = Person.client("bob")
/// let hill = Repeater("hill")
///
/// let overTheHill = Scenario(
///     "over-the-hill", .flood,
///     "Alice does not know the way to Bob. Her text floods over the hill, and his confirmation brings the way."
/// ) {
///     chain(alice, hill, bob)
///     acquainted(alice, bob)
///
///     alice.sends("hello", to: bob)
///     bob.has("hello").within(.seconds(20))
///     alice.sees("hello", as: .delivered).within(.seconds(20))
/// }
/// ```
public struct Scenario: Sendable {
    /// The subjects of scenarios: the folders that they are in.
    public enum Story: String, Hashable, Sendable, CaseIterable {
        case firstContact = "first-contact"
        case direct, flood, retry
        case paths
        case channels, rooms, repeaters, sensors, regions
        case sync
        case offlineQueue = "offline-queue"
        case images
        case clocks, crowds, partitions, hostile, restarts, transports
        /// Needs of people in the field, each with the thread in which they asked.
        case needs
    }

    /// A word to choose scenarios by.
    public struct Tag: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let description: String

        public init(stringLiteral value: String) { description = value }

        public static let slow: Tag = "slow"
        public static let faults: Tag = "faults"
        public static let smoke: Tag = "smoke"
        /// Needs long to play: only for those who name it, and its rules are looked at every 30 s.
        public static let long: Tag = "long"
    }

    /// Unique in its library: lower-case words with dashes.
    public var name: String
    /// The subject of the scenario: the folder that it is in.
    public var story: Story
    /// One paragraph for people who use the mesh.
    public var summary: String
    /// Words by which it can be picked.
    public var tags: Set<Tag>
    /// Addresses of the public threads that it comes of.
    public var threads: [String] = []
    /// The pairs of nodes that hear each other.
    public var links: [RadioRange] = []
    /// The contacts that apps have when it begins.
    public var knownContacts: [KnownContact] = []
    /// Repeaters that are joined beside the radio.
    public var bridges: [BridgedRepeaters] = []
    /// Expectations that hold for the whole of it.
    public var rules: [Rule] = []
    /// The steps, from top to bottom.
    public var script: [Step] = []
    /// Nodes that nothing else mentions.
    public var bystanders: [Member] = []
    /// The number of the world of a seed that it plays in: each has its own random numbers on the air. A soak's seeds
    /// play in the first one.
    public var random = 0
    /// The place of its declaration in the source.
    public let place: SourcePlace
    /// Source places of its lines, by the sentences that reports print.
    private var places: [String: SourcePlace] = [:]
    /// The items that `without(_:)` has left out, ordered by name, so that they can be left out again.
    public internal(set) var leftOut: [ScenarioItem] = []

    /// Names a story; the parts are links, contacts, rules and the lines of the script.
    public init(
        _ name: String, _ story: Story, _ summary: String, tags: Set<Tag> = [],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        @ScenarioBuilder _ parts: () -> [ScenarioPart]
    ) {
        place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
        self.name = name
        self.story = story
        self.summary = summary
        self.tags = tags
        for part in parts() { add(part) }
    }

    private mutating func add(_ part: ScenarioPart) {
        switch part {
        case .link(let link): links.append(link)
        case .knownContact(let knownContact): knownContacts.append(knownContact)
        case .bridge(let bridge): bridges.append(bridge)
        case .rule(let rule): rules.append(rule)
        case .step(let step): script.append(step)
        case .node(let member): bystanders.append(member)
        case .written(let sentences, let place):
            for sentence in sentences where places[sentence] == nil { places[sentence] = place }
        }
    }

    /// Returns the source place of the line with a sentence; the scenario's own for a sentence of no line.
    func place(of sentence: String) -> SourcePlace { places[sentence] ?? place }

    /// The nodes in the order of being mentioned: links, known contacts, script, rules.
    public var cast: [Member] {
        var seen: Set<String> = []
        var all = links.flatMap { [$0.one, $0.other] } + bridges.flatMap { [$0.one, $0.other] }
        all += knownContacts.flatMap { [$0.who, $0.whom] }
        all += script.flatMap(\.cast) + rules.flatMap(\.expectation.cast) + bystanders
        return all.filter { seen.insert($0.name).inserted }
    }

    /// The least time that the script lasts: the sum of its own waits.
    public var length: Duration { script.reduce(.zero) { max($0 + $1.length, $1.moment) } }

    /// `retry/flood-fallback`.
    public var path: String { story.rawValue + "/" + name }

    /// Abilities that it needs of a target.
    public var needs: Abilities {
        var needs: Abilities = script.reduce([]) { $0.union($1.needs) }
        for rule in rules { needs.formUnion(rule.expectation.needs) }
        if cast.contains(where: { !$0.isPerson }) { needs.insert(.mesh) }
        if cast.contains(where: { $0.settings.body != nil }) { needs.insert(.board) }
        if length > .seconds(1200) { needs.insert(.time) }
        if cast.count(where: { $0.isPerson && !$0.sharesRadio }) > 1 { needs.insert(.secondRadio) }
        if cast.contains(where: \.sharesRadio) { needs.insert(.secondInterface) }
        return needs
    }
}

/// One line between the braces of a scenario.
public enum ScenarioPart: Sendable {
    /// Two nodes that hear each other.
    case link(RadioRange)
    /// A contact that an app has when the scenario begins.
    case knownContact(KnownContact)
    /// Two repeaters that are joined beside the radio.
    case bridge(BridgedRepeaters)
    /// An expectation for the whole.
    case rule(Rule)
    /// A line of the script.
    case step(Step)
    /// A node that no other line names.
    case node(Member)
    /// The sentences of the line before, and where it stands.
    case written([String], at: SourcePlace)
}

/// Collects the parts of a scenario from the lines between its braces.
@resultBuilder
public enum ScenarioBuilder {
    public static func buildExpression(_ link: RadioRange) -> [ScenarioPart] { [.link(link)] }
    public static func buildExpression(_ links: [RadioRange]) -> [ScenarioPart] { links.map(ScenarioPart.link) }
    public static func buildExpression(_ known: KnownContact) -> [ScenarioPart] { [.knownContact(known)] }
    public static func buildExpression(_ known: [KnownContact]) -> [ScenarioPart] {
        known.map(ScenarioPart.knownContact)
    }
    public static func buildExpression(_ bridge: BridgedRepeaters) -> [ScenarioPart] { [.bridge(bridge)] }
    public static func buildExpression(
        _ rule: Rule, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> [ScenarioPart] {
        placed([.rule(rule)], fileID, filePath, line)
    }
    public static func buildExpression(
        _ rules: [Rule], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> [ScenarioPart] {
        placed(rules.map(ScenarioPart.rule), fileID, filePath, line)
    }
    public static func buildExpression(
        _ step: Step, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> [ScenarioPart] {
        placed([.step(step)], fileID, filePath, line)
    }
    public static func buildExpression(
        _ steps: [Step], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> [ScenarioPart] {
        placed(steps.map(ScenarioPart.step), fileID, filePath, line)
    }
    public static func buildExpression(
        _ action: some Action, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> [ScenarioPart] {
        placed([.step(.does(action))], fileID, filePath, line)
    }
    public static func buildExpression(
        _ fault: some ScenarioFault, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> [ScenarioPart] {
        placed([.step(.fault(fault, lasting: nil))], fileID, filePath, line)
    }
    /// A node that is there and has no part.
    public static func buildExpression(_ node: some Node) -> [ScenarioPart] { [.node(node.member)] }
    public static func buildExpression(_ parts: [ScenarioPart]) -> [ScenarioPart] { parts }
    public static func buildBlock(_ parts: [ScenarioPart]...) -> [ScenarioPart] { parts.flatMap(\.self) }
    public static func buildArray(_ parts: [[ScenarioPart]]) -> [ScenarioPart] { parts.flatMap(\.self) }
    public static func buildOptional(_ part: [ScenarioPart]?) -> [ScenarioPart] { part ?? [] }
    public static func buildEither(first part: [ScenarioPart]) -> [ScenarioPart] { part }
    public static func buildEither(second part: [ScenarioPart]) -> [ScenarioPart] { part }

    private static func placed(
        _ parts: [ScenarioPart], _ fileID: String, _ filePath: String, _ line: Int
    ) -> [ScenarioPart] {
        parts + [.written(parts.flatMap(\.sentences), at: SourcePlace(fileID: fileID, filePath: filePath, line: line))]
    }
}

extension ScenarioPart {
    /// The sentences of the line, and of the lines in it, in failures.
    fileprivate var sentences: [String] {
        switch self {
        case .rule(let rule): [rule.sentence]
        case .step(let step): step.lines.flatMap { [$0.sentence] + $0.faults.map(\.sentence) }
        case .link, .knownContact, .bridge, .node, .written: []
        }
    }
}
