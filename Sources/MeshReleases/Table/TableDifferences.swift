package import MeshCompanion
package import MeshCompliance
import MeshFirmware
import MeshRoleCompliance

/// The differences that the table of versions, the articles and the table of codes have of two versions.
package struct TableDifferences: Sendable {
    /// A switch with its values.
    package struct Switch: Hashable, Sendable, Encodable {
        package let name: String
        package let old: String
        package let new: String
    }

    private let old: FirmwareVersion
    private let new: FirmwareVersion

    package init(_ old: FirmwareVersion, _ new: FirmwareVersion) {
        (self.old, self.new) = (old, new)
    }

    /// The switches of the table that differ, in its order.
    package var switches: [Switch] {
        SwitchRow.all.compactMap { row in
            let (before, after) = (row.value(old.switches), row.value(new.switches))
            return before == after ? nil : Switch(name: row.name, old: before, new: after)
        }
    }

    /// The commands of the companion protocol that only one of both has.
    package var commands: (gone: [String], new: [String]) {
        let codes = CommandCode.allCases
        return (
            codes.filter { old.has(since: $0.row.since) && !new.has(since: $0.row.since) }.map(\.wireName),
            codes.filter { new.has(since: $0.row.since) && !old.has(since: $0.row.since) }.map(\.wireName)
        )
    }

    /// The statements and probes that differ, each once.
    package var statements: [StatementDifference] {
        var found = StatementDifference.ofCompanions(old, new)
        for role in ServerRole.allCases {
            for each in StatementDifference.of(role, old, new) where !found.contains(each) { found.append(each) }
        }
        return found
    }

    /// The behaviour of either version that nobody has verified, a sentence each.
    package var openQuestions: [String] {
        old.openQuestions + new.openQuestions.filter { !old.openQuestions.contains($0) }
    }
}
