/// Scenarios by name: what a command offers and a test runs.
public struct ScenarioLibrary: Sendable {
    public private(set) var scenarios: [Scenario] = []

    /// Names must be unique; a second one of the same name is a mistake of the library's author.
    public init(_ scenarios: [Scenario]) {
        for scenario in scenarios {
            precondition(self[scenario.name] == nil, "two scenarios are called \(scenario.name)")
            self.scenarios.append(scenario)
        }
    }

    public subscript(_ name: String) -> Scenario? { scenarios.first { $0.name == name } }

    /// What a word of the user means: a name, a story's folder, a tag with `#`, or a beginning with `*`.
    public func matching(_ word: String) -> [Scenario] {
        if let exact = self[word] { return [exact] }
        if word.hasPrefix("#") { return scenarios.filter { $0.tags.contains { $0.description == word.dropFirst() } } }
        if word.hasSuffix("*") {
            return scenarios.filter { $0.path.hasPrefix(word.dropLast()) || $0.name.hasPrefix(word.dropLast()) }
        }
        return scenarios.filter { $0.story.rawValue == word || $0.path == word }
    }
}
