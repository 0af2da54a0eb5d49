import CBuild
import FoundationEssentials
public import MeshReports

extension Provenance {
    /// Of a report that is written now, by this program.
    ///
    /// `SOURCE_DATE_EPOCH` fixes the date, as in other tools, for who compares files.
    static var now: Provenance { of(nil) }

    /// Of an output about a run.
    package static func of(_ run: Run?) -> Provenance {
        let fixed = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(UInt32.init)
        let date = fixed.map { Date(timeIntervalSince1970: TimeInterval($0)) } ?? Date()
        var version = MeshbedVersion.built
        if version.commit == nil {
            version.commit = BuildCommit().map { $0.short + ($0.isChanged ? "-modified" : "") }
        }
        var provenance = Provenance(version: version, date: date.formatted(.iso8601))
        provenance.run = run
        return provenance
    }
}

extension MeshbedVersion {
    /// This version, with the commit where the builder named one.
    public static let built = {
        let commit = String(cString: meshbed_commit())
        return MeshbedVersion(number: current.number, commit: commit.isEmpty ? nil : commit)
    }()
}
