import ArgumentParser
import MeshCapture

/// The secrets that a recording may not hold: options of all commands that record.
struct SecretOptions: ParsableArguments, Sendable {
    @Flag(
        help: ArgumentHelp(
            "Keep private keys, PINs, passwords, positions and texts as they are. For your own eyes alone: do not publish "
                + "such a recording."))
    var keepSecrets = false

    @Flag(help: "Replace the names of nodes as well.")
    var scrubNames = false

    func validate() throws {
        if keepSecrets && scrubNames {
            throw ValidationError("--keep-secrets and --scrub-names exclude each other")
        }
    }

    /// The secrets that are replaced.
    var scrubbed: Set<RecordingHeader.Secret> {
        if keepSecrets { return [] }
        return scrubNames ? RecordingScrubber.usual.union([.names]) : RecordingScrubber.usual
    }
}
