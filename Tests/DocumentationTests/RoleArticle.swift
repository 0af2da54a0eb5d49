import MeshBoards
import MeshCompliance
import MeshFirmware

@testable import MeshRoleCompliance

/// The tables of the article RoleCompliance, printed from the suite: the statements shown, and those left.
enum RoleArticle {
    /// A row for each statement that the suite shows.
    static var shown: String {
        var lines = ["| statement | roles | needs | versions | about |", "|---|---|---|---|---|"]
        lines += RoleStatement.all.map { statement in
            let means = statement.needs.contains(.packets) ? [] : ["console alone"]
            let needs = means + words.filter { statement.needs.contains($0.ability) }.map(\.word)
            let holds = statement.versions.holds
            let cells = [
                statement.id, statement.roles.map(letter).joined(separator: ", "), needs.joined(separator: ", "),
                holds == .always ? "" : "\(holds)", statement.title,
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The number of statements that each kind of target can be asked, by role.
    static var targets: String {
        let destructive = Abilities.destructive.union(.emptyContacts)
        let kinds: [(name: String, abilities: Abilities)] = [
            ("console alone", .console), ("companion radio as antenna", [.console, .packets]),
            ("companion radio, `--destructive`", destructive.union([.console, .packets])),
            ("KISS modem as antenna", [.console, .packets, .frames]),
            ("KISS modem, `--destructive`", destructive.union([.console, .packets, .frames])),
        ]
        let heading = "| target | " + ServerRole.allCases.map(\.words).joined(separator: " | ") + " |"
        var lines = [heading, "|---|---|---|---|"]
        lines += kinds.map { kind in
            row(kind.name) { role in
                RoleStatement.all(of: role).map { $0.onKeptNode(of: role) }.count {
                    kind.abilities.isSuperset(of: $0.needs)
                }
            }
        }
        return (lines + [row("emulator") { RoleStatement.all(of: $0).count }]).joined(separator: "\n") + "\n"
    }

    private static func row(_ name: String, _ count: (ServerRole) -> Int) -> String {
        "| \(name) | " + ServerRole.allCases.map { "\(count($0))" }.joined(separator: " | ") + " |"
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

    /// Needs besides a console, and packets on the air, in the order of the table.
    private static let words: [(ability: Abilities, word: String)] = [
        (.freshRadio, "fresh node"), (.time, "time"), (.power, "power"), (.restart, "restart"), (.air, "air"),
        (.builds, "builds"), (.board, "board"), (.frames, "frames"), (.clock, "clock"), (.emptyContacts, "no clients"),
        (.identity, "identity"),
    ]

    /// The statements that the suite does not show.
    static let reasons: [(ids: [String], reason: String)] = [
        (["OTA-006", "OTA-076", "OTA-080"], "It is about contacts, which companion radios alone keep."),
        (["OTA-052"], "A node of these roles delivers a finished trace to nobody, so that nothing can be seen."),
        (["OTA-062"], "It is about the longest text of an app; answers to commands may be two bytes longer."),
        (
            ["OTA-063", "OTA-065", "OTA-067", "OTA-068"],
            "It is about paths that chats return; these roles send none back (INF-035), and acknowledge by 4 bytes."
        ),
        (["OTA-070"], "The time-out tells an app when to try again; these roles have times of their own (INF-165)."),
        (["OTA-085"], "Nodes of these roles have no channels, and send no group packets."),
        (["OTA-090"], "It is about companion radios; these roles answer as a request came (OTA-089)."),
    ]
}
