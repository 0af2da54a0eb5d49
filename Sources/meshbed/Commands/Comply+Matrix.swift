import ArgumentParser
import MeshFiles
import MeshReports
import MeshTestbed

// `comply --matrix-of`: reports of several implementations beside each other.
extension Comply {
    /// Bytes that all reports of a matrix may have together.
    private static let longestReports = 128 << 20

    static func name(_ text: String) throws -> String {
        guard !text.isEmpty, text.count <= 100 else {
            throw ValidationError("--name needs 1 to 100 characters")
        }
        return text
    }

    func validateMatrix() throws {
        guard !matrixOf.isEmpty else {
            if badges != nil { throw ValidationError("--badges is for --matrix-of") }
            return
        }
        let stray = strayOption(["--matrix-of", "--badges", "a report"]) ?? reports.strayForMatrix
        if let stray { throw ValidationError("--matrix-of runs nothing, and does not take \(stray)") }
        if matrixOf.count > ImplementationMatrix.mostReports {
            throw ValidationError("--matrix-of takes at most \(ImplementationMatrix.mostReports) reports")
        }
    }

    func runMatrix() throws {
        let folder = badges.map { OutputFolder($0, by: "comply") }
        try folder?.requireEmpty()
        let matrix: ImplementationMatrix
        do {
            matrix = try ImplementationMatrix(sources())
        } catch {
            throw Console.failed("comply", error)
        }
        reports.say(Self.text(matrix))
        try reports.write(matrix, for: "comply")
        try folder?.write(
            matrix.badges.flatMap { [($0.file + ".svg", $0.badge.svg), ($0.file + ".json", $0.badge.json)] })
    }

    /// The reports of the files, one after the other; the first mistake is thrown with the name of its file.
    private func sources() throws -> [ImplementationMatrix.Source] {
        var left = Self.longestReports
        return try matrixOf.map { path in
            let bytes = try FileSystem.readInput(path, atMost: TestReport.longestFile)
            left -= bytes.count
            guard left >= 0 else {
                throw FileProblem(line: 0, reason: "the reports have more than \(Self.longestReports) bytes")
            }
            return ImplementationMatrix.Source(file: path, report: try TestReport(reading: bytes, of: path))
        }
    }

    /// The table of implementations, and the statements in which one of them departs.
    static func text(_ matrix: ImplementationMatrix) -> String {
        var lines = TextTable.lines(ImplementationMatrix.heading, matrix.rows, indent: "")
        for part in matrix.departures {
            lines += ["", "Departures of \(part.role), by the numbers above:"]
            lines += TextTable.lines(part.heading, part.rows, indent: "")
        }
        return lines.joined(separator: "\n")
    }
}
