import CAllocationTestSupport
import MeshTime
import Testing

@testable import meshbed

/// The cost of a reception to a world, in events, in random numbers and on the heap.
@Suite struct ReceptionCountTests {
    /// The line of ten nodes for ten minutes and for twenty: what one costs more than the other is without the boot.
    private static func line(minutes: Int) -> MeshBenchmark.Row {
        var workload = MeshBenchmark.Workload.l10
        workload.seconds = minutes * 60
        return MeshBenchmark().run(workload)
    }

    /// The number of allocations of a run; `nil` where a sanitizer answers.
    private static func allocations(minutes: Int) -> Int? {
        allocations_begin()
        _ = line(minutes: minutes)
        let count = Int(allocations_end())
        return count < 0 ? nil : count
    }

    /// 340 receptions, 539 events, 160 random numbers.
    @Test func `events and random numbers grow with receptions`() {
        let (short, long) = (Self.line(minutes: 10), Self.line(minutes: 20))

        #expect(long.receptions - short.receptions == 340)
        #expect(long.events - short.events <= 539)
        #expect(long.draws - short.draws == 160)
    }

    /// 22,317 calls for 340 receptions in a debug build, 66 for each; the second run of each length counts, so that
    /// nothing is made in it that stays.
    @Test func `a reception asks for little memory`() throws {
        for minutes in [10, 20] { _ = Self.allocations(minutes: minutes) }
        guard let short = Self.allocations(minutes: 10), let long = Self.allocations(minutes: 20) else { return }

        #expect(long - short <= 23_000)
    }
}
