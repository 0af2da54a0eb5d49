import CBuild

/// What `--version` and reports say about the running program.
struct BuildIdentity: Equatable {
    /// The next release; `-dev` goes when it is one.
    static let version = "0.1.0-dev"

    /// Empty where the builder did not say.
    var commit = String(cString: meshbed_commit())

    /// The version, and the commit in brackets where it is known.
    var text: String { commit.isEmpty ? Self.version : "\(Self.version) (\(commit))" }
}
