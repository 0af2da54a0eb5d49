import ArgumentParser
import MeshReports
import MeshStudy

/// `study unit`.
struct RunStudyUnit<Program: ScenarioProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let call = "\(Program.program.name) study unit \(StudyCommand<Program>.example)"
        return CommandConfiguration(
            commandName: "unit",
            abstract: "Run one part of a study's seeds, and write the results.",
            discussion: """
                The seeds of the study are divided into equal parts. The unit writes its file after every few seeds, whole \
                each time. A unit that was stopped goes on where it ended, and one that has ended changes nothing.

                Examples:
                  \(call) --index 1 --of 100 --output 1.csv
                  seq 100 | parallel --joblog log --resume-failed \\
                    \(call) --index {} --of 100 --output {}.csv

                Exit status: 0 when the file is complete, whatever was measured; 2 when the unit could not be run.
                """)
    }

    @OptionGroup var argument: StudyArgument<Program>

    @OptionGroup var unit: UnitOptions

    @OptionGroup var jobs: JobsOption

    /// Seeds before the first write, for each job.
    private static var chunk: Int { 64 }

    func validate() throws {
        guard unit.isWanted else { throw ValidationError("a unit needs --index, --of and --output") }
    }

    func run() throws {
        let plan = try argument.plan()
        var run = StudyRun(plan)
        run.jobs = jobs.jobs
        var rows = StudyRows(StudyUnit(plan).origin(version: StudyCommand<Program>.version))
        do {
            if unit.hasFile, let output = unit.output { try rows.merge(try StudyRows(file: output)) }
            let missing = unit.part(of: plan.seeds).map { UInt64($0 + 1) }.filter { rows.rows[$0] == nil }
            if missing.isEmpty { return try write(rows) }
            var start = 0
            while start < missing.count {
                // The file is written whole, so the steps grow with it.
                let end = min(start + max(Self.chunk * jobs.jobs, rows.rows.count / 8), missing.count)
                try run.run(Array(missing[start..<end]), into: &rows)
                try write(rows)
                start = end
            }
        } catch let problem as StudyProblem {
            throw StudyCommand<Program>.failed("unit", problem)
        }
    }

    private func write(_ rows: StudyRows) throws { try unit.write(rows.csv, for: "\(Program.program.name) study unit") }
}
