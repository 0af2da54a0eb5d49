import Foundation
import MeshCompanion
import MeshCore
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The bench on which tests of services run.
@Suite struct BenchTests {
    @Test func `a scripted radio is in the store with what it said of itself`() throws {
        let device = try withScriptedRadio { bench, _ in try await bench.store.fetchDevice(id: bench.device.id) }

        #expect(device?.nodeName == "alice")
        #expect(device?.maxContacts == 350)
        #expect(device?.frequencyKHz == 869_618)
        #expect(device?.latitude == 48.117266)
    }

    @Test func `emulated radios get to know each other, and dates follow the clock`() throws {
        let (names, passed) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let before = alice.dependencies.now()
            try await mesh.introduce([alice, bob])
            let names = try await alice.session.getContacts().contacts.map { Data($0.publicKey.array) }
            return (names.contains(bob.device.publicKey), alice.dependencies.now().timeIntervalSince(before))
        }

        #expect(names)
        #expect(passed > 1)
    }
}
