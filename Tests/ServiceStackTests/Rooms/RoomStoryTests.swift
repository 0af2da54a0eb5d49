import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Rooms in an emulated mesh.
@Suite struct RoomStoryTests {
    /// Makes alice and bob contacts of each other, with the room between them, after the adverts of all nodes.
    private static func begin(_ mesh: MeshBench) async throws -> (alice: MeshUser, bob: MeshUser) {
        try await mesh.sleep(20)
        let alice = try await mesh.user("alice")
        let bob = try await mesh.user("bob")
        await mesh.setClocks(["room1"], to: alice.bench.dependencies.seconds)
        try await alice.meet("bob", in: mesh)
        try await bob.meet("alice", in: mesh)
        return (alice, bob)
    }

    private static func join(_ app: MeshUser, _ mesh: MeshBench, password: String = "hello") async throws
        -> RemoteNodeSessionDTO
    {
        let contact = try await app.meet("room1", in: mesh)
        let room = try await mesh.persist {
            try await app.rooms.joinRoom(
                deviceID: app.deviceID, contact: contact, password: password, pathLength: 1)
        }
        // The air is for one at a time: what two say at once is lost.
        try await mesh.sleep(10)
        return room
    }

    @Test(.proves("SVC-149", "SVC-150"), arguments: [VirtualTime.Order.arrival, .drawn(Seed(11)), .drawn(Seed(12))])
    func `a post travels to the other member once, with its author's name`(_ order: VirtualTime.Order) throws {
        let told = Notes<String>()
        let (alicePosts, bobPosts, row, statuses) = try withMesh(.town, order: order) { mesh in
            let (alice, bob) = try await Self.begin(mesh)
            alice.rooms.events.note(in: told) {
                if case .roomMessageReceived(let room, let post) = $0 { "\(room.name): \(post.text)" } else { nil }
            }
            let aliceRoom = try await Self.join(alice, mesh)
            let bobRoom = try await Self.join(bob, mesh)
            #expect(aliceRoom.permissionLevel == .readWrite)
            #expect(aliceRoom.isConnected)
            // The login's answer brought the way, and the store has it.
            let contact = try await alice.store.fetchContact(
                deviceID: alice.deviceID, publicKey: aliceRoom.publicKey)
            #expect(contact?.routing == .path(hashSize: 1, hops: 2))
            try await bob.rooms.postMessage(sessionID: bobRoom.id, text: "good morning")
            try await mesh.sleep(30)
            try await alice.rooms.postMessage(sessionID: aliceRoom.id, text: "good morning, bob")
            try await mesh.sleep(30)
            let statuses = try await alice.rooms.fetchMessages(sessionID: aliceRoom.id).map(\.status)
            let row = try await alice.row(aliceRoom.id)
            let posts = (try await alice.posts(aliceRoom), try await bob.posts(bobRoom))
            await alice.stop()
            await bob.stop()
            return (posts.0, posts.1, row, statuses)
        }

        #expect(alicePosts == ["bob: good morning", "me: good morning, bob"])
        #expect(bobPosts.count == 2)
        #expect(bobPosts.last == "alice: good morning, bob")
        #expect(told.all == ["room1: good morning"])
        #expect(row.unreadCount == 1)
        #expect(statuses == [.delivered, .delivered])
    }

    @Test(.proves("SVC-151"))
    func `who joins later gets all posts, and who comes back those that were missed`() throws {
        let (first, all, row) = try withMesh(.town) { mesh in
            let (alice, bob) = try await Self.begin(mesh)
            let bobRoom = try await Self.join(bob, mesh)
            for text in ["one", "two"] { try await bob.rooms.postMessage(sessionID: bobRoom.id, text: text) }
            try await mesh.sleep(20)
            let aliceRoom = try await Self.join(alice, mesh)
            try await mesh.sleep(60)
            let first = try await alice.posts(aliceRoom)
            // Alice is away, and the room gives up on her.
            await mesh.setLink("alice", "rep1", isOpen: false)
            try await bob.rooms.postMessage(sessionID: bobRoom.id, text: "three")
            try await mesh.sleep(120)
            await mesh.setLink("alice", "rep1", isOpen: true)
            _ = try await mesh.persist { try await alice.rooms.reconnectRoom(sessionID: aliceRoom.id) }
            try await mesh.sleep(60)
            let all = try await alice.posts(aliceRoom)
            let row = try await alice.row(aliceRoom.id)
            await alice.stop()
            await bob.stop()
            return (first, all, row)
        }

        #expect(first == ["bob: one", "bob: two"])
        #expect(all == ["bob: one", "bob: two", "bob: three"])
        #expect(row.unreadCount == 3)
    }

    @Test(.proves("SVC-R-107"))
    func `an own post between posts of others that were not seen hides none of them`() throws {
        let (before, after) = try withMesh(.town) { mesh in
            let (alice, bob) = try await Self.begin(mesh)
            let bobRoom = try await Self.join(bob, mesh)
            let aliceRoom = try await Self.join(alice, mesh)
            try await bob.rooms.postMessage(sessionID: bobRoom.id, text: "seen")
            try await mesh.sleep(30)
            // Alice hears nothing any more while bob goes on.
            await mesh.setLink("alice", "rep1", isOpen: false)
            try await bob.rooms.postMessage(sessionID: bobRoom.id, text: "missed")
            try await mesh.sleep(100)
            await mesh.setLink("alice", "rep1", isOpen: true)
            let post = try await alice.rooms.postMessage(sessionID: aliceRoom.id, text: "mine")
            let before = try await alice.posts(aliceRoom)
            let position = try await alice.row(aliceRoom.id).lastSyncTimestamp
            #expect(position < post.timestamp)
            try await mesh.sleep(20)
            try await alice.remote.requestHistorySync(sessionID: aliceRoom.id, since: position)
            try await mesh.sleep(60)
            let after = try await alice.posts(aliceRoom)
            await alice.stop()
            await bob.stop()
            return (before, after)
        }

        #expect(before == ["bob: seen", "me: mine"])
        #expect(after == ["bob: seen", "bob: missed", "me: mine"])
    }

    @Test(.proves("SVC-147"))
    func `a link that was lost and comes back finds the room logged in, and its posts once`() throws {
        let (posts, isConnected) = try withMesh(.town) { mesh in
            let (alice, bob) = try await Self.begin(mesh)
            let aliceRoom = try await Self.join(alice, mesh)
            let bobRoom = try await Self.join(bob, mesh)
            try await bob.rooms.postMessage(sessionID: bobRoom.id, text: "before")
            try await mesh.sleep(20)
            await alice.stop()
            #expect(try await alice.row(aliceRoom.id).isConnected)
            try await bob.rooms.postMessage(sessionID: bobRoom.id, text: "meanwhile")
            try await mesh.sleep(20)
            let again = try await mesh.user("alice", after: alice)
            try await again.remote.handleLinkReconnection(deviceID: again.deviceID)
            try await mesh.sleep(60)
            let posts = try await again.posts(aliceRoom)
            let isConnected = try await again.row(aliceRoom.id).isConnected
            #expect(await again.remote.keptAliveSessions == [aliceRoom.id])
            await again.stop()
            await bob.stop()
            return (posts, isConnected)
        }

        #expect(posts == ["bob: before", "bob: meanwhile"])
        #expect(isConnected)
    }

    @Test(.proves("SVC-146")) func `a room that has gone is noticed`() throws {
        let (isConnected, passed) = try withMesh(.town) { mesh in
            let (alice, bob) = try await Self.begin(mesh)
            let room = try await Self.join(alice, mesh)
            try await mesh.sleep(500)
            #expect(try await alice.row(room.id).isConnected, "the room answers the question")
            await mesh.setLink("rep2", "room1", isOpen: false)
            var passed = 0
            while try await alice.row(room.id).isConnected, passed < 2000 {
                try await mesh.sleep(10)
                passed += 10
            }
            let isConnected = try await alice.row(room.id).isConnected
            await alice.stop()
            await bob.stop()
            return (isConnected, passed)
        }

        #expect(!isConnected)
        // The next question comes after five intervals at most, and the second one interval later.
        #expect(passed <= 6 * 90 + 40 + 10)
    }

    @Test(.proves("SVC-R-105")) func `who joins without the password may read and not post`() throws {
        let (level, end) = try withMesh(.village) { mesh in
            let (alice, bob) = try await Self.begin(mesh)
            // The room lets everybody read.
            let admin = try await Self.join(bob, mesh, password: "password")
            #expect(admin.isAdmin)
            _ = try await mesh.persist {
                try await bob.remote.sendCLICommand(sessionID: admin.id, command: "set allow.read.only on")
            }
            try await mesh.sleep(10)
            let room = try await Self.join(alice, mesh, password: "guess")
            let end = await ending(mesh.clock) { try await alice.rooms.postMessage(sessionID: room.id, text: "hi") }
            await alice.stop()
            await bob.stop()
            return (room.permissionLevel, end)
        }

        #expect(level == .guest)
        #expect(end.roomError == .permissionDenied)
    }

    /// Alice, four repeaters in a row, and a room behind them.
    private static let row = WorldDescription(
        name: "row", summary: "alice, four repeaters, a room",
        nodes: [NodeDescription("alice", .companion(.wifi))]
            + (1...4).map { NodeDescription("rep\($0)", .repeater) } + [NodeDescription("room1", .roomServer)],
        links: [
            .init("alice", "rep1"), .init("rep1", "rep2"), .init("rep2", "rep3"), .init("rep3", "rep4"),
            .init("rep4", "room1"),
        ])

    @Test(.proves("SVC-R-108"))
    func `a room four hops away lets us in within the limit, by flood and directly`() throws {
        let limits = Notes<Duration>()
        let (took, hops) = try withMesh(Self.row) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            let contact = try await alice.meet("room1", in: mesh)
            var took: [Duration] = []
            let room = try await alice.remote.createSession(
                deviceID: alice.deviceID, contact: contact, password: "hello")
            for _ in 0..<2 {
                let end = await ending(mesh.clock) {
                    try await mesh.persist {
                        try await alice.remote.login(sessionID: room.id, onTimeoutKnown: { limits.add($0) })
                    }
                }
                #expect(end.value?.permissionLevel == .readWrite)
                took.append(end.took)
                // The radio tells of the way that the answer brought.
                try await mesh.sleep(5)
            }
            let stored = try await alice.store.fetchContact(id: contact.id)
            await alice.stop()
            return (took, stored?.routing)
        }

        #expect(hops == .path(hashSize: 1, hops: 4))
        #expect(limits.all == [.seconds(60), .seconds(45)])
        #expect(took.allSatisfy { $0 < .seconds(30) && $0 > .seconds(1) }, "\(took)")
    }
}
