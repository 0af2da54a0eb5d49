package import MeshCompanion

/// A statement or probe by which two versions differ, as the articles have it.
package struct StatementDifference: Hashable, Sendable {
    /// `CMP-040`, `VERSION-P05`, `INF-107`.
    package let id: String
    /// The topic of the article.
    package let group: String
    package let title: String
    /// The behaviour of both versions, in a line.
    package let words: String

    package init(id: String, group: String, title: String, words: String) {
        (self.id, self.group, self.title, self.words) = (id, group, title, words)
    }

    /// The differences of companion radios.
    package static func ofCompanions(_ version: FirmwareVersion, _ other: FirmwareVersion) -> [StatementDifference] {
        Check.all.compactMap { check in
            check.words(version, other).map {
                StatementDifference(id: check.id, group: check.group, title: check.title, words: $0)
            }
        }
    }
}

extension StatementVersions {
    /// Describes, in a line, how a version differs from another one; `nil` where it is not known to.
    package func words(_ version: FirmwareVersion, _ other: FirmwareVersion) -> String? {
        let (old, new) = (holds.contains(version), holds.contains(other))
        guard old != new else { return nil }
        return old ? "as written; \(other): \(otherwise)" : otherwise
    }
}

extension Check {
    /// Describes how a version differs from another one at this check; `nil` where they are alike.
    func words(_ version: FirmwareVersion, _ other: FirmwareVersion) -> String? {
        guard let probe = VersionProbe.all.first(where: { $0.id == id }) else { return versions.words(version, other) }
        guard let old = probe.step(of: version), let new = probe.step(of: other), old.text != new.text else {
            return nil
        }
        return "\(old.text), not \(new.text)"
    }
}
