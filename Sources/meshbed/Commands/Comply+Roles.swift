import ArgumentParser
import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRoleCompliance
import MeshTestbed
import MeshTransports

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

    func validateRole(_ target: Target?) throws {
        guard let role else {
            if let mutant, Mutant.named(mutant.name) == nil {
                throw ValidationError("--mutant \(mutant.name) is a fault of another role; choose it with --role")
            }
            if let stray = node.bench.first(where: \.1) { throw ValidationError("\(stray.0) needs --role") }
            return
        }
        let allowed: Set = [
            "--role", "--target", "--only", "--firmware", "--mutant", "--mutants", "--list-mutants", "--verbose",
            "a report", "--exit-policy", "--name", "--bench",
        ]
        let isReal = target?.isReal == true
        let bench: Set = ["--antenna", "--password", "--speed", "--destructive"]
        if let stray = strayOption(isReal ? allowed.union(bench) : allowed) {
            let isOfBench = bench.contains(stray) && !isReal
            let reason = isOfBench ? " without a target at \(LinkedNode.consoleForms)" : ""
            throw ValidationError("--role does not take \(stray)\(reason)")
        }
        if let target, target.place != .emulator {
            guard let address = target.addresses.first, LinkedNode(console: address) != nil else {
                throw ValidationError("--role needs --target emulator, or a console at \(LinkedNode.consoleForms)")
            }
            if node.antenna == .companion(address) || node.antenna == .modem(address) {
                throw ValidationError("--antenna is another radio than --target")
            }
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

    /// The statements that `--explain` means: those of the role; else those on companion radios, or on nodes.
    func explanation(of selection: Selection) throws -> String {
        if let role { return try RoleRun.explanation(of: selection, role: role) }
        do throws(ComplianceRun.Problem) {
            return try ComplianceRun.explanation(of: selection)
        } catch {
            guard let text = try? RoleRun.explanation(of: selection, role: nil) else { throw error }
            return text
        }
    }

    func run(_ role: ServerRole) throws {
        let target = try target
        var run = RoleRun(role, only: selection)
        run.firmware = firmware
        run.node = target?.addresses.first.flatMap { LinkedNode(console: $0) }
        run.node?.antenna = node.antenna
        run.node?.password = node.password
        run.node?.speed = node.speed ?? 1
        if destructive { run.node?.allowed = .destructive }
        run.mutant = mutant.flatMap { RoleMutant.named($0.name, of: role) }
        var console = ComplianceConsole(reports: reports)
        console.isVerbose = verbose
        console.name = name
        try console.perform(by: .meshbed, on: target ?? .emulator) { isInterrupted, progress in
            try run.perform(isInterrupted: isInterrupted, progress: progress)
        }
    }
}
