import Foundation
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshVirtualTime
import PocketMeshServices
import Synchronization
import Testing

@testable import meshbed

/// The statements in SQLite for each message that comes off a radio.
@Suite struct SyncCountTests {
    /// The SQL of a sync with everything in it, in the order in which it began.
    private static func statements(messages: Int) throws -> [String] {
        let load = SyncTests.load(messages)
        return try VirtualTime.run { clock in
            let world = LoopbackWorld(World(load.world(seed: Seed(5)), seed: Seed(5), checks: false), clock: clock)
            let store = try PersistenceStore()
            let asked = Mutex<[String]>([])
            try store.traceStatements { sql in asked.withLock { $0.append(sql) } }
            var profile = StackProfile.architectureV2
            profile.sync.drainLimit = messages + 1
            let client = try await SyncClient(
                transport: try await world.transport(to: SyncLoad.label), store: store, profile: profile,
                dependencies: ServiceDependencies(
                    clock: clock, startDate: Date(timeIntervalSince1970: Double(SyncLoad.firstTimestamp)),
                    seed: Seed(5)))
            try await client.sync()
            await client.end()
            await world.end()
            return asked.withLock { $0 }
        }
    }

    /// A thousand messages more, of contacts and on channels that were all heard of before, in the same second.
    /// Settings are read for each burst of notifications: 28 times.
    @Test func `a message takes five statements, two of them for its transaction`() throws {
        let few = Dictionary(grouping: try Self.statements(messages: 1000)) { $0.prefix(20) }
        let many = Dictionary(grouping: try Self.statements(messages: 2000)) { $0.prefix(20) }

        let more = many.mapValues(\.count).merging(few.mapValues { -$0.count }, uniquingKeysWith: +)
            .filter { $0.value != 0 }

        #expect(more["BEGIN IMMEDIATE"] == 1000)
        #expect(more["COMMIT"] == 1000)
        #expect(more["INSERT INTO message "] == 1000)
        #expect(more["PRAGMA data_version"] == 1000)
        #expect(more.values.reduce(0, +) <= 5028, "\(more)")
    }
}
