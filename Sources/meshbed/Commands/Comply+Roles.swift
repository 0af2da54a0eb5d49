import ArgumentParser
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRoleCompliance
import MeshTestbed

// `comply --role`: repeaters, room servers and sensors.
extension Comply {
    static func role(_ word: String) throws -> ServerRole {
        guard let role = ServerRole.allCases.first(where: { $0.optionName == word }) else {
            let words = ServerRole.allCases.map(\.optionName).joined(separator: ", ")
            throw ValidationError("there is no role '\(word)'; there are \(words)")
        }
        return role
    }

    /// The fault with this name, of a companion radio or of a node of any role.
    static func mutant(_ name: String) throws -> Mutant {
        if let mutant = RoleMutant.all.first(where: { $0.name == name }), Mutant.named(name) == nil {
            return mutant.description
        }
        return try Emulate.mutant(name)
    }

    func validateRole() throws {
        guard let role else {
            if let mutant, Mutant.named(mutant.name) == nil {
                throw ValidationError("--mutant \(mutant.name) is a fault of another role; choose it with --role")
            }
            return
        }
        let allowed: Set = [
            "--role", "--target", "--only", "--firmware", "--mutant", "--mutants", "--list-mutants", "--verbose",
            "a report", "--exit-policy", "--name",
        ]
        if let stray = strayOption(allowed) { throw ValidationError("--role does not take \(stray)") }
        if let target, target.place != .emulator {
            throw ValidationError(
                "--role needs --target emulator: consoles and antennas of other targets are not there yet")
        }
        if let mutant, RoleMutant.named(mutant.name, of: role) == nil {
            throw ValidationError("a \(role.words) has no fault '\(mutant.name)'; --list-mutants shows those it has")
        }
    }

    /// The run of the mutants that `--mutants` means.
    func mutantRun() throws -> MutantRun {
        let pattern = only.isEmpty ? nil : only.joined(separator: ",")
        return try role.map { try RoleMutant.run($0, only: pattern) } ?? MutantRun(only: pattern)
    }

    func run(_ role: ServerRole) throws {
        var run = RoleRun(role, only: selection)
        if let firmware { run.firmware = firmware }
        run.mutant = mutant.flatMap { RoleMutant.named($0.name, of: role) }
        var console = ComplianceConsole(reports: reports)
        console.isVerbose = verbose
        console.name = name
        try console.perform(by: .meshbed, on: .emulator) { isInterrupted, progress in
            try run.perform(isInterrupted: isInterrupted, progress: progress)
        }
    }
}
