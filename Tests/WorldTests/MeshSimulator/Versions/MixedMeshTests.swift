import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import Testing

/// The faults where versions meet, and the article that names them.
@Suite struct MixedMeshTests {
    @Test(
        .proves(
            "FWV-178", "FWV-182", "FWV-183", "FWV-185", "FWV-186", "FWV-187", "FWV-190", "FWV-191", "FWV-192", "FWV-194"
        ),
        arguments: MixedMesh.all)
    func `a row has its outcome for every version`(_ row: MixedMesh) {
        #expect(FirmwareVersion.all.map(row.measure) == row.expected)
    }

    @Test func `a plan runs a version on all of its nodes, with that version's factory settings`() {
        var plan = WorldPlan(.line(4))
        let before = plan.equipment.map(\.setup.preferences.floodAdvertInterval)
        plan.run(.v1_15)

        #expect(plan.equipment.allSatisfy { $0.board.firmware == .v1_15 })
        let repeaters = plan.topology.nodes.indices.filter { plan.topology.nodes[$0].role == .server(.repeater) }
        #expect(!repeaters.isEmpty)
        for index in repeaters {
            #expect(before[index] == 47)
            #expect(plan.equipment[index].setup.preferences.floodAdvertInterval == 12)
        }
    }

    @Test func `the stored article is what the runs print`() throws {
        let stored = StoredArticle(module: "MeshTestbed", name: "MixedMeshes")

        #expect(try stored.difference(from: MixedMeshArticle.markdown()) == nil)
    }
}
