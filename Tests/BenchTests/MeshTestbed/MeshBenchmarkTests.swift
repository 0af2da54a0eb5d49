import Testing
import meshbed

/// The counts of two other simulators, which run the real firmware on the same topologies with the same traffic.
@Suite struct MeshBenchmarkTests {
    @Test func `three nodes in a line send 40 frames and receive 60`() {
        let row = MeshBenchmark().run(.s3)

        #expect(row.transmissions == 40 && row.receptions == 60 && row.arrivals == 60)
    }

    @Test func `ten nodes in a line send 180 frames and receive 340`() {
        let row = MeshBenchmark().run(.l10)

        #expect(row.transmissions == 180 && row.receptions == 340)
    }

    @Test func `a grid of a hundred sends within five hundredths of 1,870 frames`() {
        let row = MeshBenchmark().run(.g100)

        #expect((1777...1963).contains(row.transmissions))
    }

    @Test func `a run is the same with and without expectations`() {
        var checked = MeshBenchmark.Workload.g100
        checked.checks = true

        #expect(MeshBenchmark().run(checked).digest == MeshBenchmark().run(.g100).digest)
    }
}
