import MeshCapture
import MeshCaptureIO

// What could not be read, for the user of a command.
extension LoadedCapture {
    /// Prints on standard error what could not be read; returns `true` when all could be.
    func reportProblems(_ command: String) -> Bool {
        Self.report(problems, path, kind: kind, command)
        return problems.isEmpty
    }

    static func report(_ problems: [CaptureProblem], _ path: String, kind: String, _ command: String) {
        for problem in problems {
            let place = problem.number.map { "\(kind == "recording" ? "line" : "record") \($0), " } ?? ""
            Console.note("meshbed \(command): \(path): \(place)offset \(problem.offset): \(problem.reason)")
        }
    }
}
