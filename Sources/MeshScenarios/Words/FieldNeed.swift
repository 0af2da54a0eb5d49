/// A need of people in the field: the story in which it holds, and the one that breaks.
package struct FieldNeed: Sendable {
    /// The need, as a heading.
    package let title: String
    /// The finding of the two stories.
    package let finding: String
    /// The difference of the story that breaks.
    package let breaking: String
    /// Addresses of public threads in which people wrote of it.
    package let threads: [String]
    /// The story that holds.
    package let story: Scenario
    /// The same one with what breaks it.
    package let broken: Scenario
    /// The fault in the apps of all people in the broken story.
    package let defect: StackDefect?

    /// `scenario` makes both stories; its argument says whether to break the story.
    package init(
        _ title: String, threads: [String], finding: String, breaking: String, defect: StackDefect? = nil,
        _ scenario: (_ isBroken: Bool) -> Scenario
    ) {
        (self.title, self.threads, self.finding, self.breaking) = (title, threads, finding, breaking)
        self.defect = defect
        var (story, broken) = (scenario(false), scenario(true))
        (story.threads, broken.threads) = (threads, threads)
        (self.story, self.broken) = (story, broken)
    }
}
