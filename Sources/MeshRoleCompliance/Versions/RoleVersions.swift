package import MeshCompanion
package import MeshCompliance
package import MeshFirmware

// Sections 5.2 and 5.3 of the article FirmwareVersions, for the statements that the suite shows on roles.
extension StatementVersions {
    /// Those of a statement on infrastructure nodes, by its number.
    static func ofRole(_ id: String) -> StatementVersions { byID[id] ?? .always }

    private typealias Row = (ids: [String], holds: ReleaseRange, otherwise: String)

    private static let byID: [String: StatementVersions] = {
        let rows = figures.map { ($0, true) } + ranges.map { ($0, false) }
        return rows.reduce(into: [:]) { table, row in
            let ((ids, holds, otherwise), isFollowed) = row
            for id in ids {
                table[id] = StatementVersions(holds: holds, otherwise: otherwise, isFollowed: isFollowed)
            }
        }
    }()

    /// Those whose checks ask the version for its figures.
    private static let figures: [Row] = [
        (
            ["INF-103", "INF-136", "OTA-035", "INF-121", "INF-149", "OTA-100", "INF-212", "OTA-097", "OTA-098"],
            .since("1.16"),
            "the preamble has 16 symbols, and the estimates are smaller"
        ),
        (["INF-126", "INF-127", "INF-128", "OTA-042", "OTA-043", "OTA-044"], .since("1.16"), "cut to 4 bytes"),
        (["INF-023", "INF-024", "INF-025"], .until("1.17.1"), "the table holds 32 clients"),
        (["OTA-021"], .since("1.16"), "the table holds 128 packets, and acknowledgements apart"),
    ]

    /// Those that hold in some versions only.
    private static let ranges: [Row] = [
        (["INF-006", "OTA-075"], .since("1.17"), "the name is cut at the byte"),
        (["INF-010", "INF-011", "INF-020"], .since("1.15"), "there is no default region"),
        (["INF-018"], .since("1.17"), "the file is /com_prefs"),
        (["INF-021"], .since("1.15"), "the command is unknown"),
        (["INF-052"], .since("1.17.1"), "a repeater answers by flood"),
        (["INF-061", "OTA-069"], .since("1.17"), "undefined"),
        (["INF-097", "OTA-089"], .since("1.15"), "the answer has no scope"),
        (["INF-098"], .since("1.15"), "there is no default region"),
        (["INF-099"], .since("1.17.1"), "in the region of the last flood, or without scope"),
        (["INF-107", "INF-108", "OTA-036"], .since("1.16"), "flood.max is the only limit"),
        (["INF-115", "OTA-039"], .until("1.17.1"), "`minimal` on new nodes"),
        (["INF-129"], .since("1.16"), "copies are cut to 5 bytes"),
        (["INF-176", "INF-177"], .since("1.17"), "there is no `room.post`"),
        (["INF-201"], ReleaseRange(since: "1.17.1", until: "1.17.1"), "some texts differ"),
        (["INF-203"], .since("1.16"), "the limits of un-scoped floods and adverts are unknown"),
        (["INF-204"], .since("1.15"), "the setting is unknown"),
    ]
}

extension StatementDifference {
    /// The differences of nodes of a role.
    package static func of(
        _ role: ServerRole, _ version: FirmwareVersion, _ other: FirmwareVersion
    ) -> [StatementDifference] {
        RoleStatement.all(of: role).compactMap { statement in
            statement.versions.words(version, other).map {
                StatementDifference(id: statement.id, group: statement.group, title: statement.title, words: $0)
            }
        }
    }
}
