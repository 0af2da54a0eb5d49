import MeshCompliance
import MeshFirmware

@testable import MeshRoleCompliance

/// The tables of the article RoleCompliance, printed from the suite: the statements shown, and those left.
enum RoleArticle {
    /// A row for each statement that the suite shows.
    static var shown: String {
        var lines = ["| statement | roles | needs | versions | about |", "|---|---|---|---|---|"]
        lines += RoleStatement.all.map { statement in
            let needs = words.filter { statement.needs.contains($0.ability) }.map(\.word)
            let holds = statement.versions.holds
            let cells = [
                statement.id, statement.roles.map(letter).joined(separator: ", "), needs.joined(separator: ", "),
                holds == .always ? "" : "\(holds)", statement.title,
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A row for each reason why statements are not shown.
    static var left: String {
        let lines = ["| not shown | reason |", "|---|---|"]
        return (lines + reasons.map { "| \($0.ids.joined(separator: ", ")) | \($0.reason) |" }).joined(separator: "\n")
            + "\n"
    }

    private static func letter(_ role: ServerRole) -> String {
        switch role {
        case .repeater: "R"
        case .roomServer: "M"
        case .sensor: "S"
        }
    }

    /// Needs besides a console and packets on the air, in the order of the table.
    private static let words: [(ability: Abilities, word: String)] = [
        (.freshRadio, "fresh node"), (.time, "time"), (.power, "power"), (.restart, "restart"), (.air, "air"),
        (.builds, "builds"), (.board, "board"),
    ]

    /// The statements that the suite does not show.
    static let reasons: [(ids: [String], reason: String)] = [
        (["INF-018"], "The text of the file depends on the radio settings of a build."),
        (["INF-201"], "The recorded lines depend on each other and on one build."),
        (
            [
                "OTA-006", "OTA-015", "OTA-052", "OTA-060", "OTA-061", "OTA-062", "OTA-063", "OTA-064", "OTA-065",
                "OTA-066", "OTA-067", "OTA-068", "OTA-070", "OTA-076", "OTA-080", "OTA-085", "OTA-086", "OTA-087",
                "OTA-090",
            ], "It is about companion radios and their chats."
        ),
        (["OTA-010"], "A seed never leaves a node."),
        (["OTA-075"], "Signed bytes depend on the node's key; INF-005 to INF-009 show their parts."),
        (["OTA-098"], "It needs a radio chip that never ends a transmission."),
    ]
}
