/// The version of the tool, and the commit it was built of where that is known.
public struct MeshbedVersion: Hashable, Sendable, CustomStringConvertible {
    /// `0.1.0`.
    public var number: String
    /// The first digits of a commit, with `-modified` behind them where files differed from it.
    public var commit: String?

    public init(number: String, commit: String? = nil) {
        self.number = number
        self.commit = commit
    }

    /// The next release, without a commit; `-dev` goes when it is one.
    public static let current = MeshbedVersion(number: "0.3.0-dev")

    /// `0.1.0 (3c85ea2f0d)`.
    public var description: String { number + (commit.map { " (\($0))" } ?? "") }
}
