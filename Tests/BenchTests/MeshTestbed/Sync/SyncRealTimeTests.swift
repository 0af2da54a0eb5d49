import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import meshbed

/// Syncs that are measured, in this process and over a socket.
@Suite struct SyncRealTimeTests {
    @Test(arguments: SyncBenchmark.Link.allCases)
    func `a sync brings every message of a deep queue into the store once`(link: SyncBenchmark.Link) async throws {
        var benchmark = SyncBenchmark()
        benchmark.load = SyncTests.load(300)

        let row = try await benchmark.run(link)

        #expect(row.messages == 300)
        #expect(row.seconds > 0 && row.rawSeconds > 0 && row.sessionRate > 0)
    }
}
