import FoundationEssentials
import MeshCapture
import MeshCaptureIO
import MeshFiles
import MeshReports
import MeshScenarios
import MeshTestbed

extension Replay {
    /// Connects the stack to the recorded radio, then prints, keeps or compares its final state.
    func driveStack(_ recording: Recording, _ file: String) throws -> ReplayResult {
        let beside = ReplayExpectation.path(beside: file)
        let expectation = try (expect ?? (expectBeside ? beside : nil)).map(Self.expectation)
        let seen = try StackReplay(recording, pace: radioPace).run()
        if let outcome { try Self.write(seen, to: outcome) }
        if writeBeside { try Self.write(seen, to: beside) }
        let differences =
            if let expectation { try expectation.differences(from: seen) } else { writeBeside ? [String]() : nil }
        var result = ReplayResult(report: TestReport(replayingInto: seen, differences: differences))
        if writeBeside {
            result.summary = "expectation written to \(beside)"
        } else if let differences {
            result.lines = differences
            result.problems = differences
            result.summary = differences.isEmpty ? "as expected" : "\(differences.count) not as expected"
        } else {
            result.lines = seen.lines
            result.problems = seen.error.map { [$0] } ?? []
            result.problems += seen.departures.map { "departure: \($0)" }
            result.summary =
                "\(seen.contacts.count) contacts, \(seen.messages.count) messages, \(seen.departures.count) departures"
        }
        return result
    }

    private static func expectation(_ path: String) throws -> ReplayExpectation {
        do {
            return try ReplayExpectation(Data(FileSystem.readInput(path, atMost: 1 << 26)))
        } catch is DecodingError {
            throw LoadedCapture.Failure(description: "\(path): is no JSON with a part of what --outcome writes")
        } catch {
            throw LoadedCapture.Failure(description: "\(error)")
        }
    }

    private static func write(_ outcome: StackOutcome, to path: String) throws {
        let text = try ReplayExpectation(outcome).text
        do {
            try StandardOutput.text(text, to: path)
        } catch {
            throw LoadedCapture.Failure(description: "\(path): cannot be written: \(error.reason)")
        }
    }
}
