public import MeshBoards
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshWire

// What happens in rooms.

/// Posts that a room's keeper enters at its console, as fast as the console accepts them.
public struct Announces: Action {
    let room: Member
    let count: Int

    public var sentence: String { "the keeper of \(room.name) posts \(count) notices" }
    public var cast: [Member] { [room] }
    public var subjects: [Subject] { [.place(room.name)] + (1...max(1, count)).map { .text("notice \($0)") } }
    public var needs: Abilities { .board }

    public func perform(on stage: Stage) async throws {
        for number in 1...max(1, count) {
            let line = "room.post notice \(number)\r"
            try await stage.withWorld { world in
                world.inject(.appBytes([UInt8](line.utf8)), into: try world.node(of: room))
            }
            try await stage.sleep(.milliseconds(50))
        }
    }
}

/// Waits until a room has nothing to bring to anybody whom it can reach.
public struct RoomSettles: Action {
    let room: Member
    let limit: Duration

    public var sentence: String { "\(room.name) has brought what it can within \(limit.text)" }
    public var cast: [Member] { [room] }
    public var needs: Abilities { .air }

    public func perform(on stage: Stage) async throws {
        let deadline = stage.time + limit
        while let open = try await stage.hall(of: room)?.owed {
            guard stage.time < deadline else { throw ScenarioError(open) }
            try await stage.sleep(.seconds(1))
        }
    }
}

/// Enters a room and, for that time, again whenever the app is no longer in it.
public struct StaysIn: Action {
    /// The login that is done whenever the app is connected and not in the room; failures are only noted.
    public let entry: Asks
    /// For how long the session is looked after, in the time of the world.
    public let span: Duration

    /// The time between two looks whether the room has to be entered.
    static let interval = Duration.seconds(20)

    public var sentence: String { "\(entry.who.name) stays in \(entry.station.name) for \(span.text)" }
    public var cast: [Member] { entry.cast }
    public var subjects: [Subject] { entry.subjects }

    public func perform(on stage: Stage) async throws {
        let (app, room) = (try stage.app(of: entry.who), try await stage.key(of: entry.station))
        let end = stage.time + span
        while stage.time < end {
            if await app.isConnected(), try await !app.isIn(room) { try await entry.ifPossible.perform(on: stage) }
            try await stage.sleep(min(Self.interval, max(end - stage.time, .zero)))
        }
    }
}

/// A room as it is at a moment: its posts and its members.
struct Hall: Sendable {
    let ring: PostRing
    let clients: [ClientTable.Client]

    var posts: [PostRing.Post] { ring.posts }

    /// Returns the client with that key, if it is logged in and answers.
    func member(_ key: FixedBytes<32>) -> ClientTable.Client? {
        clients.first { $0.publicKey == key && $0.isReached }
    }

    /// Posts that a member has to receive in the end: those of others.
    func posts(for key: FixedBytes<32>) -> [PostRing.Post] { posts.filter { $0.author != key } }

    /// Tells whether the room knew the time when it was posted.
    static func isInTime(_ post: PostRing.Post) -> Bool { post.timestamp >= Stage.startOfTime }

    /// Describes a post that is still to be brought; `nil` when there is none.
    fileprivate var owed: String? {
        for client in clients where client.isReached {
            if client.pendingAck != 0 { return "a post is on its way" }
            if let post = posts(for: client.publicKey).first(where: { $0.timestamp > client.syncSince }) {
                return "“\(post.text.readable)” is still to be brought"
            }
        }
        return nil
    }
}

extension ClientTable.Client {
    /// Tells whether the room brings it posts: it has spoken since the room started, and answers.
    fileprivate var isReached: Bool { lastActivity != 0 && pushFailures < 3 }
}

extension Stage {
    /// `nil` while the room has no power.
    func hall(of room: Member) async throws -> Hall? {
        try await withWorld { world in
            guard let server = world.firmware(try world.node(of: room)) as? RoomServer else { return nil }
            return Hall(ring: server.posts, clients: server.server.clients.clients)
        }
    }
}

extension Person {
    /// Enters the room, and again when a connection ended and the stack has not entered it by itself.
    public func staysIn(_ room: Room, for span: Duration) -> StaysIn { StaysIn(entry: enters(room), span: span) }
}

extension Room {
    /// Posts of the keeper, who needs no radio.
    public func announces(_ count: Int) -> Announces { Announces(room: member, count: count) }
    /// The room has brought every post to every member that it can reach.
    public func hasBroughtAll(within limit: Duration) -> Step { .does(RoomSettles(room: member, limit: limit)) }
    /// Expects the posts that the room believes its members to have in their apps.
    public var postsArrive: PostsArrive { PostsArrive(room: member) }
    /// Posts have their authors and their order.
    public var postsAreTrue: PostsAreTrue { PostsAreTrue(room: member) }
    /// Expects the room to have kept each post that an app shows as delivered.
    public var keepsDelivered: DeliveredIsKept { DeliveredIsKept(room: member) }
    /// Expects each post that was kept with the stacks in the room. `keepsDelivered` has to be a rule too: it watches
    /// what is kept.
    public var bringsAll: KeptIsBrought { KeptIsBrought(room: member) }
    /// The room's counts of what its members lack are true.
    public var countsTruly: UnsyncedIsTrue { UnsyncedIsTrue(room: member) }
}
