import MeshCompanion
import MeshWire

// What a run tells of the version of the radio.
extension ComplianceReport {
    /// Notes how many statements hold in the version, and where the radio departs from it and from the newest one.
    mutating func noteVersion(_ checks: [Check]) {
        let newest = FirmwareVersion.all[FirmwareVersion.all.count - 1]
        let own = entries.filter(\.isBroken).map(\.id)
        let departures = own.isEmpty ? "nothing" : own.joined(separator: ", ")
        versionNotes = [countLine, "Different from firmware \(version): \(departures)"]
        guard version != newest else { return }
        let ids = Set(entries.map(\.id))
        let lines = checks.filter { ids.contains($0.id) }.compactMap { $0.difference(version, newest) }
        versionNotes.append("Different from firmware \(newest), the newest: " + (lines.isEmpty ? "nothing" : ""))
        versionNotes += lines.map { "  " + $0 }
    }

    /// Notes where the version that the radio is held against is not what the radio says.
    mutating func noteDetection(_ said: DeviceWords?, isChosen: Bool) {
        let advice = isChosen ? "" : "; --firmware chooses another one"
        guard let said else {
            notes.append("The radio does not say its version: it is held against \(version)\(advice).")
            return
        }
        let levels = FirmwareVersion.all.map(\.switches.level)
        guard let oldest = levels.min(), let newest = levels.max(), !(oldest...newest).contains(said.level) else {
            return
        }
        let age = said.level < oldest ? "older" : "newer"
        notes.append(
            "The radio says level \(said.level), version '\(said.version.visibleLine)', which is \(age) than all known ones: it is held "
                + "against \(version)\(advice).")
    }

    private var countLine: String {
        let counts = StatementVersions.counts(in: version)
        return
            "Of \(counts.all) statements \(counts.holding) hold in firmware \(version) as written, \(counts.followed) with "
            + "other figures, and \(counts.absent) do not."
    }
}

extension StatementVersions {
    /// The numbers of statements that hold in a version as written, with its own figures, and not at all.
    struct Counts: Hashable, Sendable {
        var all = 0
        var holding = 0
        var followed = 0
        var absent = 0
    }

    static func counts(in version: FirmwareVersion) -> Counts {
        Section.all.flatMap(\.statements).reduce(into: Counts()) { counts, statement in
            counts.all += 1
            if statement.versions.holds.contains(version) {
                counts.holding += 1
            } else if statement.versions.isFollowed {
                counts.followed += 1
            } else {
                counts.absent += 1
            }
        }
    }
}

extension Check {
    /// Describes, in a line, how a version differs from a newer one at this check; `nil` where they are alike.
    fileprivate func difference(_ version: FirmwareVersion, _ newest: FirmwareVersion) -> String? {
        let isProbe = VersionProbe.all.contains { $0.id == id }
        return words(version, newest).map { isProbe ? "\(id) \(title): \($0)" : "\(id) \($0)" }
    }
}
