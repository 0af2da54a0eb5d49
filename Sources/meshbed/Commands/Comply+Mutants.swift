import ArgumentParser
import MeshBoards
import MeshCompliance
import MeshReports
import MeshRoleCompliance
import MeshTestbed

// `comply --mutants`, `--mutant NAME` and `--list-mutants`.
extension Comply {
    func validateMutants(_ target: Target?) throws {
        if listMutants {
            if let stray = strayOption(["--list-mutants", "--mutants", "--verbose", "--role"]) {
                throw ValidationError("--list-mutants runs nothing, and does not take \(stray)")
            }
            return
        }
        if mutants {
            if target.map({ $0.place != .emulator }) == true {
                throw ValidationError("--mutants are faults of the emulator; no other target has them")
            }
            if mutant != nil { throw ValidationError("--mutants runs all of them; --only chooses some") }
            if let stray = strayOption([
                "--target", "--role", "--only", "--mutants", "--verbose", "a report", "--exit-policy",
            ]) {
                throw ValidationError("--mutants does not take \(stray)")
            }
            return
        }
        if unit.isWanted { throw ValidationError("--index, --of and --output are for --mutants") }
        guard let target else { throw ValidationError("there is no --target \(Target.valueName)") }
        if mutant != nil, target.isReal {
            throw ValidationError("--mutant is a fault of the emulator; start 'meshbed emulate --mutant' for others")
        }
    }

    func runMutants() throws {
        if unit.hasFile { return }
        let report: MutantReport
        let bar = ProgressLine("comply --mutants", "mutants")
        do {
            Interruption.isAwaited()
            var done = 0
            var run = try mutantRun()
            run.keep(unit.part(of: run.mutants.count))
            report = try run.perform(
                isInterrupted: { Interruption.hasCome },
                progress: { entry, count in
                    done += 1
                    bar.show(done, of: count, note: entry.mutant.name)
                })
        } catch {
            bar.clear()
            throw Console.failed("comply", error)
        }
        bar.clear()
        reports.say(report.text)
        try reports.write(TestReport(report), for: "comply")
        if unit.isWanted, report.abortedBecause == nil {
            return try unit.write(TestReport(report), for: "meshbed comply")
        }
        try reports.job.end(report.exitCode)
    }

    var listing: String {
        let mutants = role.map { RoleMutant.all(of: $0).map(\.description) } ?? Mutant.all
        let rows = mutants.map { mutant in
            [mutant.name, mutant.statementIDs.joined(separator: " "), mutant.summary]
        }
        return TextTable.lines(["mutant", "breaks", "what it does wrong"], rows, indent: "").joined(separator: "\n")
    }
}
