import MeshCompanion
import Testing

@testable import MeshReleases

/// The comparison names planted faults, and finds none between equals; `meshbed bench releases` has the whole trial.
@Suite struct PlantedReleaseTests {
    @Test func `there are ten planted releases, two of each weight, and each has a fault`() {
        let all = PlantedRelease.all

        #expect(all.count == 10 && Set(all.map(\.name)).count == 10)
        for weight in FindingWeight.allCases where weight.matters {
            #expect(all.count { $0.weight == weight } == 2, "\(weight)")
        }
        for planted in all {
            let release = planted.release
            #expect(
                release.running != release.version || release.companionFault != nil || !release.roleFaults.isEmpty,
                "\(planted.name)")
            #expect(release.version == .standard)
        }
    }

    @Test(arguments: PlantedRelease.all.map(\.name)) func `a planted fault is named`(_ name: String) throws {
        let planted = try #require(PlantedRelease.all.first { $0.name == name })

        let row = try ReleaseTrial.planted(planted, isWhole: false)

        #expect(row.isRight, "found \(row.found)")
    }

    @Test func `a planted fault is not named where there is none`() throws {
        var comparison = FirmwareComparison(PlantedRelease.sound, PlantedRelease.sound)
        comparison.parts = [.statements, .air]
        comparison.only = ["INF-036", "CMP-065"]
        let report = try comparison.perform()

        #expect(!PlantedRelease.all.contains { $0.isNamed(by: report) })
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `equals on other random numbers differ in nothing`(_ number: UInt64) throws {
        let row = try ReleaseTrial.equals(number, only: ["INF-036", "INF-103", "INF-126", "OTA-021", "CMP-151"])

        #expect(row.found == [])
        #expect(row.isRight)
    }
}
