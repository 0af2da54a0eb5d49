import Foundation
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Connections with emulated radios: what came while the app was away.
@Suite struct MeshSyncTests {
    /// Alice's radio holds 16 messages; bob is in her reach.
    private static let smallBoard = WorldDescription(
        name: "small board", summary: "companion radios alice, on a small board, and bob",
        nodes: [
            NodeDescription("alice", .companion(.wifi), board: .small), NodeDescription("bob", .companion(.wifi)),
        ], links: [WorldDescription.Link("alice", "bob")])

    /// Sends texts to a contact, one after the other.
    private static func send(
        _ texts: [String], from sender: ServiceBench, to recipient: ServiceBench, each pause: Duration
    ) async throws {
        for text in texts {
            _ = try await sender.session.sendMessage(
                to: .bytes([UInt8](recipient.device.publicKey)), text: text, timestamp: sender.dependencies.seconds)
            try await sender.clock.sleep(for: pause)
        }
    }

    private static func texts(_ app: ServiceBench, of sender: ServiceBench) async throws -> [String] {
        let contact = StableIdentifier.contact(deviceID: app.device.id, publicKey: sender.device.publicKey)
        return try await app.store.fetchMessages(deviceID: app.device.id, thread: .contact(contact)).map(\.text)
    }

    @Test(.proves("SVC-083", "SVC-R-002"))
    func `what came while the app was away finds its contact and its channel`() throws {
        try withMesh { mesh in
            var alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await mesh.introduce([alice, bob])
            let store = alice.store
            await alice.session.stop()
            try await Self.send(["one", "two"], from: bob, to: alice, each: .seconds(8))
            try await bob.session.sendChannelMessage(
                channel: 0, text: "to all", timestamp: bob.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(8))
            alice = try await mesh.app("alice", store: store)
            let sink = MemoryNotificationSink()
            let services = try await ServiceContainer.forTesting(
                session: alice.session, dependencies: alice.dependencies, store: store, sink: sink)
            try await services.performInitialSync(deviceID: alice.device.id)

            #expect(await services.syncCoordinator.state == .synced)
            #expect(try await Self.texts(alice, of: bob) == ["one", "two"])
            let channel = try await store.fetchMessages(deviceID: alice.device.id, channelIndex: 0)
            #expect(channel.map(\.text) == ["to all"])
            #expect(channel.map(\.senderNodeName) == [bob.device.nodeName])
            #expect(channel.first?.channelID != nil)
            #expect(await sink.shown.map(\.body) == ["3 new messages"])
            try await Self.send(["live"], from: bob, to: alice, each: .seconds(8))
            #expect(try await Self.texts(alice, of: bob) == ["one", "two", "live"])
            #expect(await sink.shown.map(\.body) == ["3 new messages", "live"])
            await services.tearDown()
            await alice.session.stop()
            await bob.session.stop()
        }
    }

    @Test(.proves("SVC-R-006"))
    func `of more messages than the radio can hold those it held are stored, and later ones, in order`() throws {
        try withMesh(Self.smallBoard) { mesh in
            var alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            try await mesh.introduce([alice, bob])
            let store = alice.store
            await alice.session.stop()
            try await Self.send((10..<34).map { "text \($0)" }, from: bob, to: alice, each: .seconds(8))
            alice = try await mesh.app("alice", store: store)
            let services = try await ServiceContainer.forTesting(
                session: alice.session, dependencies: alice.dependencies, store: store)
            try await services.performInitialSync(deviceID: alice.device.id)
            let held = try await Self.texts(alice, of: bob)
            try await Self.send(["text 98", "text 99"], from: bob, to: alice, each: .seconds(8))

            #expect(held.count == 16)
            #expect(held == held.sorted())
            #expect(try await Self.texts(alice, of: bob) == held + ["text 98", "text 99"])
            await services.tearDown()
            await alice.session.stop()
            await bob.session.stop()
        }
    }
}
