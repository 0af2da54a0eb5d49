/// Scenarios by name: what a command offers and a test runs.
public struct ScenarioLibrary: Sendable {
    /// In the order in which they were added.
    public private(set) var scenarios: [Scenario] = []
    /// Those that a seed makes: what a soak plays.
    public private(set) var drawn: [DrawnScenario] = []

    /// Names must be unique; a second one of the same name is a mistake of the library's author.
    public init(_ scenarios: [Scenario], drawn: [DrawnScenario] = []) {
        for scenario in scenarios {
            precondition(source(scenario.name) == nil, "two scenarios are called \(scenario.name)")
            self.scenarios.append(scenario)
        }
        for scenario in drawn {
            precondition(source(scenario.name) == nil, "two scenarios are called \(scenario.name)")
            self.drawn.append(scenario)
        }
    }

    /// The scenario of this name, or nil when there is none.
    public subscript(_ name: String) -> Scenario? { scenarios.first { $0.name == name } }

    /// The scenario of that name, whether it is always the same or a seed's.
    public func source(_ name: String) -> ScenarioSource? {
        if let scenario = self[name] { return .fixed(scenario) }
        return drawn.first { $0.name == name }.map(ScenarioSource.drawn)
    }

    /// The fixed ones, then the drawn ones.
    public var sources: [ScenarioSource] { scenarios.map(ScenarioSource.fixed) + drawn.map(ScenarioSource.drawn) }

    /// Returns the scenarios of a user's word: a name, a story's folder, a tag with `#`, or a beginning with `*`.
    public func matching(_ word: String) -> [Scenario] {
        sourcesMatching(word).compactMap { if case .fixed(let scenario) = $0 { scenario } else { nil } }
    }

    /// `matching`, with the drawn ones.
    public func sourcesMatching(_ word: String) -> [ScenarioSource] {
        if let exact = source(word) { return [exact] }
        if word.hasPrefix("#") { return sources.filter { $0.tags.contains { $0.description == word.dropFirst() } } }
        if word.hasSuffix("*") {
            return sources.filter { $0.path.hasPrefix(word.dropLast()) || $0.name.hasPrefix(word.dropLast()) }
        }
        return sources.filter { $0.story.rawValue == word || $0.path == word }
    }
}
