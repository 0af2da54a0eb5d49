import MeshCompanion
import MeshFirmware
import Testing

@testable import MeshReleases

/// The fate of stored values between versions (FWV-050, FWV-112, FWV-154 to FWV-157).
@Suite struct StateTransferTests {
    private func fates(
        _ subject: ReleaseSubject, _ old: FirmwareVersion, _ new: FirmwareVersion
    ) throws -> [StateFate] {
        try StateTransfer(subject: subject, old: ComparedRelease(old), new: ComparedRelease(new)).perform()
    }

    private func names(_ fates: [StateFate], _ step: StateFate.Step, _ outcome: StateFate.Outcome) -> [String] {
        fates.filter { $0.step == step && $0.outcome == outcome }.map(\.value.name)
    }

    @Test(arguments: ReleaseSubject.all) func `a version keeps what it has stored itself`(
        _ subject: ReleaseSubject
    ) throws {
        let fates = try fates(subject, .v1_17_1, .v1_17_1)

        #expect(fates.filter { $0.outcome != .kept }.map(\.line) == [])
        for step in StateFate.Step.allCases {
            #expect(fates.count { $0.step == step } >= 15, "\(step)")
        }
    }

    @Test func `all kinds of state of a companion are followed`() throws {
        let fates = try fates(.companion, .v1_17_1, .v1_17_1)

        let groups = Set(fates.filter { $0.step == .update }.map(\.value.group))
        #expect(groups == ["identity", "preferences", "contacts", "channels"])
        #expect(fates.contains { $0.value.name == "name" && $0.value.value.contains("Alice 0") })
    }

    @Test func `all kinds of state of a repeater are followed`() throws {
        let fates = try fates(.server(.repeater), .v1_17_1, .v1_17_1)

        let groups = Set(fates.filter { $0.step == .update }.map(\.value.group))
        #expect(groups == ["identity", "preferences", "regions", "access list"])
    }

    @Test func `settings that are made after an update to JSON files are not there after going back`() throws {
        for subject in [ReleaseSubject.companion, .server(.repeater)] {
            let fates = try fates(subject, .v1_16, .v1_17_1)

            #expect(names(fates, .update, .lost).isEmpty)
            #expect(names(fates, .back, .outdated).contains("name"))
            #expect(!names(fates, .back, .kept).contains("name"))
        }
    }

    @Test func `the receive boost is lost where its place in the file has moved`() throws {
        let fates = try fates(.server(.repeater), .v1_14, .v1_15)

        #expect(names(fates, .update, .lost).contains("radio.rxgain"))
        #expect(names(fates, .update, .kept).contains("flood.max"))
    }

    @Test func `clients beyond the room of an older table are lost`() throws {
        let fates = try fates(.server(.repeater), .v1_18, .v1_17_1)

        let lost = fates.filter { $0.step == .update && $0.outcome == .lost && $0.value.group == "access list" }
        #expect(lost.count == 4)
    }

    @Test func `what only the newer version has is no loss`() throws {
        let fates = try fates(.companion, .v1_14, .v1_15)

        #expect(names(fates, .back, .unknown).contains { $0.hasPrefix("default scope") })
        let findings = StateTransfer.findings(
            fates.filter { $0.outcome == .unknown }, ComparedRelease(.v1_14), ComparedRelease(.v1_15))
        #expect(findings.map(\.weight) == [.gain])
    }

    @Test func `a finding names each value with what it was and what it is`() throws {
        let fate = StateFate(
            node: "repeater", step: .update,
            value: StoredValue(group: "regions", name: "west", value: "west F"), outcome: .lost, after: nil)

        let finding = try #require(
            StateTransfer.findings([fate], ComparedRelease(.v1_16), ComparedRelease(.v1_17_1)).first)

        #expect(finding.id == "state/repeater/regions/update")
        #expect(finding.weight == .lostState)
        #expect(finding.details == ["lost: west: west F → nothing"])
        #expect(
            finding.title
                == "repeater, regions: 1 of 1 values are not as set after an update from 1.16 to 1.17.1")
    }
}
