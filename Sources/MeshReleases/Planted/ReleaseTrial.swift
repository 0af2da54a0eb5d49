import MeshCompanion
import MeshFirmware
import MeshTime

/// A trial of the comparison itself: planted releases have to be named, and equals must differ in nothing.
package struct ReleaseTrial: Sendable {
    /// A comparison of a trial, and how it ended.
    package struct Row: Hashable, Sendable, Encodable {
        /// The name of the planted release, or of the version that was compared with itself.
        package let name: String
        /// True for a planted release that was named, and for equals without a difference.
        package let isRight: Bool
        /// The differences that were found.
        package let found: [String]
    }

    /// Compares the sound release with a planted one. `isWhole` asks all statements; otherwise those that must notice.
    package static func planted(_ planted: PlantedRelease, isWhole: Bool = true) throws -> Row {
        var comparison = FirmwareComparison(PlantedRelease.sound, planted.release)
        comparison.parts = [.statements, .state, .air]
        if !isWhole {
            comparison.only = planted.statements
            comparison.parts = planted.statements.isEmpty ? [.state, .air] : [.statements]
        }
        let report = try comparison.perform()
        return Row(name: planted.name, isRight: planted.isNamed(by: report), found: report.counting.map(\.id))
    }

    /// Compares a version with itself, on other random numbers: all of it follows from the number of the trial.
    ///
    /// - Parameter only: the statements to ask; all when `nil`.
    package static func equals(_ number: UInt64, only: Set<String>? = nil) throws -> Row {
        var random = Seed(number).stream("releases", "equals")
        let version = FirmwareVersion.all[Int(random.draw(0, UInt32(FirmwareVersion.all.count)))]
        var comparison = FirmwareComparison(ComparedRelease(version), ComparedRelease(version))
        comparison.parts = [.statements, .state, .air]
        comparison.only = only
        comparison.seeds = ReleaseSeeds(
            old: UInt64(random.draw(0, 1 << 30)), new: UInt64(random.draw(0, 1 << 30)))
        let report = try comparison.perform()
        return Row(name: version.name, isRight: report.counting.isEmpty, found: report.counting.map(\.id))
    }
}
