import FoundationEssentials
import MeshCapture
import MeshCaptureIO
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports

/// The recordings of an emulated world: a file for each companion radio with an endpoint.
final class WorldRecordings: Sendable {
    private let files: [String: LiveRecording]

    /// Begins the files. One radio has the path as it is, several have the node's name in front of its extension.
    init(
        _ path: String, _ configuration: Emulator.Configuration, _ board: BoardProfile, _ secrets: SecretOptions
    ) throws {
        let radios = configuration.endpoints.filter { endpoint in
            configuration.world.nodes.contains { $0.label == endpoint.label && Self.isCompanion($0.role) }
        }
        guard !radios.isEmpty else { throw CaptureFileError(path, "no companion radio has an endpoint to be recorded") }
        // The same for all, so that what one says to the other agrees.
        let salt = LiveRecording.freshSalt()
        var files: [String: LiveRecording] = [:]
        for radio in radios {
            let header = RecordingHeader(
                firmware: board.firmwareVersion, board: board.name, transport: RecordingLink(radio.endpoint),
                date: RecordingOptions.day(of: Date()),
                rows: [
                    .init("node", radio.label), .init("world", configuration.world.name),
                    .init("seed", "\(configuration.seed.value)"),
                ])
            let own = radios.count == 1 ? path : Self.path(path, of: radio.label)
            do {
                files[radio.label] = try LiveRecording(own, header, scrubbing: secrets.scrubbed, salt: salt)
            } catch {
                for file in files.values { file.discard() }
                throw error
            }
        }
        self.files = files
    }

    private static func isCompanion(_ role: NodeRole) -> Bool {
        switch role {
        case .companion(_): true
        case .server, .guest: false
        }
    }

    /// Removes the files, so that a next try finds their names free.
    func discard() {
        for file in files.values { file.discard() }
    }

    func append(_ entry: RecordingEntry, of label: String) throws {
        try files[label]?.append(entry)
    }

    /// The result of each recording, in the order of their names.
    var summaries: [String] {
        files.sorted { $0.key < $1.key }.map { $0.value.summary.joined(separator: "; ") }
    }

    var promise: String { files.first?.value.promise ?? "" }

    /// `session.capture` of bob is `session-bob.capture`.
    static func path(_ path: String, of label: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path)-\(label)" }
        return "\(path.dropLast(name[dot...].count))-\(label)\(name[dot...])"
    }
}
