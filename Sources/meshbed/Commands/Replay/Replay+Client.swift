import MeshBoards
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshCompliance
import MeshCore
import MeshEmulator
import MeshReports
import MeshScenarios
import MeshTransports
import MeshWire

extension Replay {
    /// Sends what was recorded and compares what comes.
    func playClient(_ recording: Recording) async throws -> ReplayResult {
        guard let target else { throw LoadedCapture.Failure(description: "there is no --target") }
        var replay = ClientReplay(recording, rules: try rules)
        if let speed { replay.pace = .recorded(perMille: Int64(nearest: speed * 1000)) }
        let checks: [ReplayCheck]
        switch target {
        case .emulator:
            let place = place(recording.header)
            if speed == nil { replay.pace = place.pace }
            checks = try replay.runInWorld(place)
        case .radio(let word):
            let found = try word.claim(bench, for: "meshbed replay")
            defer { found?.claim.release() }
            let changes = ReplayScript(recording).changes
            guard allowChanges || changes.isEmpty else {
                let names = changes.map(\.wireName).joined(separator: ", ")
                throw LoadedCapture.Failure(
                    description: "the recording changes the radio (\(names)): --allow-changes sends them")
            }
            guard let address = found.map({ RadioAddress.link($0.address) }) ?? word.address else {
                throw LoadedCapture.Failure(description: "\(target) has no address")
            }
            let clock = ContinuousClock()
            checks = await replay.run(over: try await address.transport(clock: clock), clock: clock)
        }
        if let check = checks.first(where: \.isNotConnected) {
            throw LoadedCapture.Failure(description: check.problems.map(\.description).joined(separator: "; "))
        }
        let report = TestReport(replaying: recording, against: "\(target)", checks)
        var lines: [String] = []
        for check in checks where !check.isKept {
            let place = check.entry.map { "entry \($0 + 1)" } ?? "not recorded"
            for problem in check.problems { lines.append("\(check.title) (\(place)): \(problem)") }
        }
        return ReplayResult(
            lines: lines, problems: lines,
            summary: "\(report.kept) of \(checks.count) as recorded, \(report.broken) not", report: report)
    }

    func place(_ header: RecordingHeader) -> ClientReplay.Place {
        var place = ClientReplay.Place(header)
        place.world = world ?? place.world
        place.seed = seed ?? place.seed
        place.node = node ?? place.node
        return place
    }
}
