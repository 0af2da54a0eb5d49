import MeshBoards
package import MeshCompliance
package import MeshFirmware

extension RoleRun {
    /// Explains the chosen statements: title, roles, needs, versions, article, and the faults that break them.
    ///
    /// Nothing is run. Without a role those of all roles are explained.
    package static func explanation(
        of selection: Selection, role: ServerRole?
    ) throws(ComplianceRun.Problem) -> String {
        let all = role.map { RoleStatement.all(of: $0) } ?? RoleStatement.all
        if let part = selection.parts(withoutAny: all).first {
            throw ComplianceRun.Problem(
                description:
                    "'\(part)' is no statement on a \(role?.words ?? "node of any role"), and no word of their "
                    + "titles")
        }
        return all.filter(selection.chooses).map(\.explanation).joined(separator: "\n\n")
    }
}

extension RoleStatement {
    fileprivate var explanation: String {
        var lines = [
            "\(id)  \(title)", "  section   \(group)", "  roles     " + roles.map(\.words).joined(separator: ", "),
        ]
        lines += needs.single.compactMap { Abilities.console.reasonOnNode(against: $0) }.map {
            "  shown     not everywhere: it " + $0
        }
        if let paragraph = versions.paragraph { lines.append("  versions  " + paragraph) }
        let mutants = RoleMutant.all.filter { $0.description.statementIDs.contains(id) }.map(\.name)
        if !mutants.isEmpty { lines.append("  faults    " + mutants.joined(separator: ", ")) }
        lines.append("  article   \(id.hasPrefix("OTA-") ? "OverTheAir" : "InfrastructureNodes")")
        return lines.joined(separator: "\n")
    }
}

extension Abilities {
    /// Each ability on its own, in the order of reports.
    fileprivate var single: [Abilities] {
        (0..<UInt32.bitWidth).map { Abilities(rawValue: 1 << UInt32($0)) }.filter(contains)
    }
}
