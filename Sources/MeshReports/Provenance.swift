/// Which build of the tool made a report, and when.
///
/// A report's own content holds no clock; the command that writes the files puts this on top of them.
public struct Provenance: Hashable, Sendable {
    /// The version of the tool.
    public var version: MeshbedVersion
    /// In UTC, as RFC 3339 writes it: `2026-11-22T18:52:56Z`.
    public var date: String

    public init(version: MeshbedVersion, date: String) {
        self.version = version
        self.date = date
    }
}
