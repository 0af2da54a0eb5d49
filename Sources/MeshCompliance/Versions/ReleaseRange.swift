package import MeshCompanion

/// The releases in which something holds: the first and the last of them, both included.
package struct ReleaseRange: Hashable, Sendable, CustomStringConvertible {
    /// The first release; `nil` where no version is older.
    var since: Release?
    /// The last release; `nil` where it holds in the newest.
    var until: Release?

    package init(since: Release? = nil, until: Release? = nil) {
        self.since = since
        self.until = until
    }

    /// All releases.
    package static let always = ReleaseRange()

    package static func since(_ release: Release) -> ReleaseRange { ReleaseRange(since: release) }
    package static func until(_ release: Release) -> ReleaseRange { ReleaseRange(until: release) }

    package func contains(_ version: FirmwareVersion) -> Bool {
        (since.map { $0 <= version.release } ?? true) && (until.map { version.release <= $0 } ?? true)
    }

    /// `since 1.16`, `until 1.17.1`, `1.15 to 1.17.1`.
    package var description: String {
        switch (since, until) {
        case (nil, nil): "in all versions"
        case (let since?, nil): "since \(since)"
        case (nil, let until?): "until \(until)"
        case (let since?, let until?): since == until ? "in \(since)" : "\(since) to \(until)"
        }
    }
}
