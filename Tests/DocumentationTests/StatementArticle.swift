import MeshTestSupport

@testable import MeshCompliance

/// The documentation's article of all numbered statements, printed from the suite.
///
/// So the article, `comply --explain` and the reports say the same.
enum StatementArticle {
    /// The article, as it stands in the documentation catalog.
    static func markdown() -> String {
        var article = MarkdownArticle()
        article.add("# The companion protocol, statement by statement")
        article.add(
            MarkdownArticle.wrapped("What a companion radio answers, pushes, keeps and drops, in numbered statements."))
        article.add("## Overview")
        for paragraph in introduction { article.add(MarkdownArticle.wrapped(paragraph)) }
        for section in Section.all {
            article.add("## " + section.title)
            for statement in section.statements {
                article.add("### " + statement.id)
                article.add(MarkdownArticle.wrapped(Rationale.all[statement.number - 1].sentence))
                if let paragraph = statement.versions.paragraph { article.add(MarkdownArticle.wrapped(paragraph)) }
                if !Rationale.all[statement.number - 1].isVerified { article.add("Not verified: read in source text.") }
            }
        }
        return article.text
    }

    private static let introduction = [
        "Firmware 1.17.1 decides. Where other versions from 1.14 to 1.18 differ, the statement says so; all else holds in "
            + "each of them. The article FirmwareVersions has the details. The statements on Ethernet and Bluetooth (CMP-018 to CMP-032) were read from its "
            + "source. Those on several interfaces (CMP-250 to CMP-261) were read in source text and are not verified: no "
            + "radio with them was seen. All others were executed on its code.",
        "Tests, comments and the compliance suite cite a statement by its number. Numbers are never reused.",
        "`meshbed comply --explain CMP-034` adds the bytes, the reason and the place in the firmware.",
        "Unless a statement says otherwise, the build has 350 contacts, 40 channels and at most 22 dBm, an app "
            + "is connected, and LOG_RX_DATA is not counted among the pushes. Byte 0 of a frame is its code. The "
            + "article [Protocol](Protocol.md) has layouts, lengths and errors.",
        "This article is printed from the suite; a test compares the two.",
    ]
}
