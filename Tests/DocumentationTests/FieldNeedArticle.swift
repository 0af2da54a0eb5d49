import MeshScenarios
import MeshTestSupport

/// The article of the needs of the field, printed from their stories.
enum FieldNeedArticle {
    /// The whole article, with lines no longer than an article's lines.
    static func markdown(_ needs: [FieldNeed]) -> String {
        let sections = needs.enumerated().map { section($1, number: $0 + 1) }
        return ([introduction] + sections).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Needs of the field

        What people have asked for in public threads, with a scenario for each need and with what breaks it.

        ## Overview

        Each scenario holds with every seed of the soak. A test takes away what the scenario depends on, and sees it break.
        `meshbed scenario run needs` plays all of them, and `meshbed scenario list needs` prints their threads.
        """

    private static func section(_ need: FieldNeed, number: Int) -> String {
        let threads = need.threads.map { "- <\($0)>" }
        let words = ["`\(need.story.path)`: \(need.story.summary)", need.finding, "**Breaks with:** \(need.breaking)"]
        return
            (["## \(number). \(need.title)"] + words.map(MarkdownArticle.wrapped) + [
                "Threads:", threads.joined(separator: "\n"),
            ])
            .joined(separator: "\n\n")
    }
}
