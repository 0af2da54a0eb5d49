import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTestSupport
import Testing

@testable import MeshCompliance

/// The suite and the versions of the firmware.
struct VersionTests {
    private static let radios: [(level: UInt8, text: String, name: String)] = [
        (10, "v1.14.1-467959c", "1.14"), (10, "v1.14.0", "1.14"), (11, "v1.15.0-dee3e26", "1.15"),
        (13, "v1.16.0-07a3ca9", "1.16"), (13, "v1.17.0", "1.17.1"), (13, "v1.17.1-d929643", "1.17.1"),
        (13, "my build", "1.17.1"), (14, "v1.18.0", "1.18"), (14, "v1.17.1", "1.18"), (12, "v1.16.0", "1.15"),
        (9, "v1.13.0", "1.14"), (15, "v1.19.0", "1.18"),
    ]

    @Test(.proves("FWV-005", "FWV-006"), arguments: radios)
    func `the level chooses the version, and the text decides between those of one level`(
        level: UInt8, text: String, name: String
    ) {
        #expect(FirmwareVersion(level: level, text: text).name == name)
    }

    @Test func `a range has both of its ends`() {
        let range = ReleaseRange(since: "1.15", until: "1.17.1")

        #expect(FirmwareVersion.all.filter(range.contains).map(\.name) == ["1.15", "1.16", "1.17.1"])
        #expect(FirmwareVersion.all.allSatisfy(ReleaseRange.always.contains))
        #expect(range.description == "1.15 to 1.17.1")
    }

    @Test(.proves("FWV-220"), arguments: FirmwareVersion.all)
    func `an emulated radio of each version keeps what holds there`(version: FirmwareVersion) throws {
        var run = ComplianceRun(target: .emulator)
        run.firmware = version

        let report = try run.perform()

        #expect(report.version == version)
        #expect(report.broken == 0, "\(report.text())")
        let counts = StatementVersions.counts(in: version)
        let absent = report.entries.filter { $0.id.hasPrefix("CMP-") && $0.isNotApplicable }
        #expect(absent.count == counts.absent)
        #expect(counts.all == counts.holding + counts.followed + counts.absent)
        let probes = report.entries.filter { $0.id.hasPrefix("VERSION-") }
        #expect(!probes.isEmpty && probes.allSatisfy { $0.isKept })
    }

    /// Up to 1.15 Wi-Fi drops frames of 173 to 176 bytes, which a serial line cuts.
    @Test(arguments: FirmwareVersion.all)
    func `an emulated radio of each version keeps the same over Wi-Fi`(version: FirmwareVersion) throws {
        var run = ComplianceRun(target: .emulator, only: Selection("CMP-*,MATRIX-*,VERSION-*"))
        run.firmware = version

        let report = try run.perform(on: EmulatorTarget(on: .wifi, firmware: version))

        #expect(report.broken == 0, "\(report.text())")
        #expect(report.kept > 200)
    }

    @Test func `all statements hold as written in the version that decides`() {
        let counts = StatementVersions.counts(in: .standard)

        #expect(counts.holding == 249)
        #expect(FirmwareVersion.all.allSatisfy { $0 == .standard || StatementVersions.counts(in: $0).holding < 249 })
    }

    @Test func `a radio of another version than it says differs from its own, and is told which it is like`() throws {
        var run = ComplianceRun(target: .emulator, only: Selection("VERSION-*"))
        run.firmware = .v1_16

        let report = try run.perform(on: EmulatorTarget(firmware: .v1_15))

        let broken = report.entries.filter(\.isBroken).map(\.id)
        #expect(broken.contains("VERSION-P06"))
        #expect(broken.contains("VERSION-P21"))
        #expect(report.text().contains("as 1.14, 1.15"))
        #expect(report.versionNotes.contains { $0.hasPrefix("Different from firmware 1.16: VERSION-P01") })
    }

    @Test func `a report names what the newest version does differently`() throws {
        let report = try ComplianceRun(target: .emulator, only: Selection("33,50,150,VERSION-P23")).perform()

        let start = try #require(report.versionNotes.firstIndex { $0.hasPrefix("Different from firmware 1.18") })
        let lines = report.versionNotes.suffix(from: start + 1).map { $0.split(separator: " ").first ?? "" }
        #expect(lines == ["CMP-033", "CMP-150", "VERSION-P23"])
    }
}
