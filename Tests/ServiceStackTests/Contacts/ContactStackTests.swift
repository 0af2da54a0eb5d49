import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Contacts of whole stacks, by a connection manager over an emulated radio.
@Suite struct ContactStackTests {
    /// Another app, which is not interested in the radio's clock.
    private static func otherApp(
        _ bench: StackBench, _ body: (MeshCoreSession) async throws -> Void
    ) async throws {
        let session = MeshCoreSession(
            transport: try await bench.mesh.world.transport(to: "alice"), clock: bench.clock)
        try await session.start()
        try await body(session)
        await session.stop()
    }

    @Test(.proves("SVC-078", "SVC-R-052"))
    func `a contact that changed while the radio lived in 2024 is not missed once its clock is set`() throws {
        let (first, name, mark) = try withStack { bench in
            try await Self.otherApp(bench) { session in
                try await session.setTime(1_749_900_000)
                try await session.updateContact(Frames.contact(2, name: "bob"))
            }
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            await bench.reach(.ready)
            let device = try await bench.required(bench.manager.connectedDevice)
            let first = try await bench.store.fetchContacts(deviceID: device.id).map(\.name)
            await bench.manager.disconnect()
            await bench.withWorld("alice") { $0.setClock(of: $1, to: 1_715_770_351) }
            try await Self.otherApp(bench) { session in
                try await session.updateContact(Frames.contact(2, name: "renamed"))
            }
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            await bench.reach(.ready)
            let row = try await bench.store.fetchContact(deviceID: device.id, publicKey: .node(2))
            return (first, row?.name, row?.lastModified)
        }

        #expect(first == ["bob"])
        #expect(name == "renamed")
        #expect(mark.map { $0 < 1_716_000_000 } == true)
    }

    @Test(.proves("SVC-088", "SVC-R-055"), arguments: everyOrder)
    func `an advert of a stranger reaches the store of a whole stack by one sync`(order: VirtualTime.Order) throws {
        let (knewBob, knowsBob, listings) = try withStack(order: order) { bench in
            let bob = try await bench.mesh.app("bob")
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            await bench.reach(.ready)
            // The nodes between advert 16 s after their start.
            try await bench.clock.sleep(for: .seconds(25))
            let device = try await bench.required(bench.manager.connectedDevice)
            let before = try await bench.store.fetchContact(deviceID: device.id, publicKey: bob.device.publicKey)
            let listings = Notes<Void>()
            bench.links.setTap { code, _ in
                if code == .getContacts { listings.add(()) }
                return .passes
            }
            await bench.manager.disconnect()
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            await bench.reach(.ready)
            _ = listings.takeAll()
            try await bob.session.sendAdvertisement(flood: true)
            try await bench.clock.sleep(for: .seconds(10))
            let after = try await bench.store.fetchContact(deviceID: device.id, publicKey: bob.device.publicKey)
            return (before != nil, after?.onRadio, listings.all.count)
        }

        #expect(!knewBob)
        #expect(knowsBob == true)
        #expect(listings == 1)
    }
}
