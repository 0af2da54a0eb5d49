import MeshVirtualTime
import Testing

/// Virtual time and the clock of the wall, side by side.
@Suite struct VirtualTimeRealTimeTests {
    @Test func `the same body runs on real time`() async throws {
        @Sendable func body(_ clock: any Clock<Duration>) async throws -> [Int] {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in [3, 1, 2] {
                    group.addTask {
                        try await clock.sleep(for: .milliseconds(30 * number))
                        return number
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        let virtual = try VirtualTime.run { try await body($0) }
        let real = try await body(ContinuousClock())

        #expect(virtual == [1, 2, 3])
        #expect(real == virtual)
    }
}
