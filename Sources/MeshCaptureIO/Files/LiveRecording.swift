package import MeshCapture
import Synchronization

/// A recording that is written while traffic passes, without its secrets unless they are to be kept.
///
/// A secret that is replaced never reaches the disk.
package final class LiveRecording: Sendable {
    private struct State {
        /// The scrubber; `nil` when everything is kept.
        var scrubber: RecordingScrubber?
        var tally = RecordingTally()
    }

    /// The secrets that are replaced; empty when everything is kept.
    package let secrets: Set<RecordingHeader.Secret>
    private let file: RecordingFile
    private let state: Mutex<State>

    /// Begins a new file. Recordings with the same salt have the same replacements for the same secrets.
    package init(
        _ path: String, _ header: RecordingHeader, scrubbing secrets: Set<RecordingHeader.Secret>, salt: [UInt8]
    ) throws {
        self.secrets = secrets
        let scrubber = secrets.isEmpty ? nil : RecordingScrubber(of: secrets, salt: salt, in: header)
        file = try RecordingFile(creating: path, scrubber?.header ?? header)
        state = Mutex(State(scrubber: scrubber))
    }

    package var path: String { file.path }

    /// Removes the file, so that a next try finds its name free.
    package func discard() { file.discard() }

    /// Draws thirty-two random bytes, which are not stored.
    package static func freshSalt() -> [UInt8] {
        var source = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: 0...255, using: &source) }
    }

    /// Writes a line; it is with the system when this returns. Throws a `CaptureFileError`.
    package func append(_ entry: RecordingEntry) throws {
        try state.withLock { state in
            state.tally.count(entry)
            try file.append(state.scrubber?.scrubbed(entry) ?? entry)
        }
    }

    /// The result in a sentence or two.
    package var summary: [String] {
        state.withLock { state in
            var lines = ["\(state.tally.description) in \(path)"]
            if let losses = state.scrubber?.report.losses { lines += losses }
            return lines
        }
    }

    /// A statement of what the file holds, for people who are about to publish it.
    package var promise: String { Self.promise(without: secrets) }

    package static func promise(without secrets: Set<RecordingHeader.Secret>) -> String {
        guard !secrets.isEmpty else { return "with all secrets in it: for your own eyes alone" }
        let replaced = RecordingHeader.Secret.allCases.filter(secrets.contains).map(\.rawValue)
        return "with \(replaced.joined(separator: ", ")) replaced"
    }
}
