import MeshCompanion
package import MeshCompliance
package import MeshFirmware

/// A repeater, room server or sensor with one fault, for the suite to notice.
package struct RoleMutant: Sendable {
    /// Its name, and the statements that must be broken by it.
    package let description: Mutant
    package let role: ServerRole
    let faults: [RoleDefect]

    package var name: String { description.name }

    init(
        _ name: String, _ family: Mutant.Family, of role: ServerRole = .repeater, _ ids: [String], _ summary: String,
        _ faults: RoleDefect...
    ) {
        description = Mutant(name, family, suite: "--role \(role.optionName)", breaking: ids, summary)
        self.role = role
        self.faults = faults
    }

    /// All mutants of all roles.
    package static let all: [RoleMutant] = repeater + room + bytesOfRooms + sensor + bytesOfSensors

    /// Those of one role.
    package static func all(of role: ServerRole) -> [RoleMutant] { all.filter { $0.role == role } }

    /// The mutant of this name, if the role has one.
    package static func named(_ name: String, of role: ServerRole) -> RoleMutant? {
        all(of: role).first { $0.name == name }
    }

    /// A run of the mutants of a role, or of some of them.
    package static func run(
        _ role: ServerRole, only pattern: String? = nil
    ) throws(ComplianceRun.Problem) -> MutantRun {
        try MutantRun(of: all(of: role).map(\.description), only: pattern) {
            mutant, selection throws(ComplianceRun.Problem) in
            try broken(by: mutant, selection, role)
        }
    }

    /// The statements that are broken by a mutant of a role.
    static func broken(
        by mutant: Mutant, _ selection: Selection, _ role: ServerRole
    ) throws(ComplianceRun.Problem) -> [String] {
        var run = RoleRun(role, only: selection)
        run.mutant = named(mutant.name, of: role)
        return try run.perform().entries.filter(\.isBroken).map(\.id)
    }
}
