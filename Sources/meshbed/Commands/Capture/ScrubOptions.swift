import ArgumentParser
import MeshCapture

/// The secrets that are replaced before a recording is saved.
struct ScrubOptions: ParsableArguments {
    @Option(
        name: .customLong("what"),
        help: ArgumentHelp(
            "What is replaced: keys, pins, passwords, positions, texts, names, or all; by commas.",
            discussion: "All but names, when not given.", valueName: "secrets"),
        transform: ScrubOptions.secrets)
    var what: Set<RecordingHeader.Secret> = RecordingScrubber.usual

    @Option(
        help: ArgumentHelp(
            "Words that the replacements follow from; equal words keep recordings consistent with each other.",
            discussion: "Drawn anew each time when not given. Keep it secret: anyone who knows it can test guesses.",
            valueName: "words"))
    var salt: String?

    static func secrets(_ text: String) throws -> Set<RecordingHeader.Secret> {
        if text == "all" { return Set(RecordingHeader.Secret.allCases) }
        var secrets: Set<RecordingHeader.Secret> = []
        for word in text.split(separator: ",") {
            guard let secret = RecordingHeader.Secret(rawValue: String(word)) else {
                let known = RecordingHeader.Secret.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(word)' cannot be scrubbed; choose from \(known), all")
            }
            secrets.insert(secret)
        }
        guard !secrets.isEmpty else { throw ValidationError("name what is replaced, or leave --what out") }
        return secrets
    }

    /// Replaces secrets, and prints on standard error what was replaced and what was lost.
    func scrubbed(_ recording: Recording, _ command: String) -> Recording {
        let salt = salt.map { [UInt8]($0.utf8) } ?? (0..<32).map { _ in UInt8.random(in: 0...255) }
        let (recording, report) = recording.scrubbed(of: what, salt: salt)
        let counts = [
            ("keys", report.keys), ("PINs", report.pins), ("passwords", report.passwords),
            ("positions", report.positions), ("texts", report.texts), ("names", report.names),
        ]
        let replaced = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        Console.note("meshbed \(command): replaced \(replaced.isEmpty ? "nothing" : replaced)")
        for loss in report.losses { Console.note("meshbed \(command): \(loss)") }
        return recording
    }
}
