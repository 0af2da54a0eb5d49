import Foundation
import MeshCore
import MeshEmulator
import MeshTestSupport
import MeshVirtualTime
import Testing

/// Worlds in this process whose people have something to say.
@Suite struct LoopbackPeopleTests {
    private static let world = """
        {
          "format": "meshbed world 1",
          "nodes": [{ "name": "alice", "role": "companion" }, { "name": "bob", "role": "companion" }],
          "links": [{ "from": "alice", "to": "bob" }],
          "traffic": [{ "from": "?", "to": "#public", "text": "hi NNNN", "at": "20s", "every": "10s" }]
        }
        """

    @Test func `a radio in this process hears what the people of its world file say`() throws {
        let scratch = Scratch()
        let path = scratch.path + "/two.json"
        try Data(Self.world.utf8).write(to: URL(filePath: path))

        let outcome = try VirtualTime.measure { clock in
            let address = try RadioAddress("loopback:\(path)/bob?seed=3")
            let session = MeshCoreSession(transport: try await address.transport(clock: clock), clock: clock)
            try await session.start()
            try await clock.sleep(for: .seconds(300))
            var count = 0
            while try await session.getMessage() != .noMoreMessages { count += 1 }
            await session.stop()
            return count
        }

        // Anybody speaks every ten seconds, bob's own turns left out: his app is the session.
        #expect((5...27).contains(outcome.value))
    }
}
