public import MeshBoards
import MeshCore
import MeshFirmware
import MeshSimulator
import MeshWire

/// Expects the posts that a room believes a member to have in the member's app.
///
/// A radio confirms a post before its app has it, and keeps it in memory that ends with its power. A connected app may
/// need a while, and a member that has lost frames may lack it. A room that was without power has lost its clock, too.
/// Its posts are then older than those that members have, and it never brings them. `RoomSettles` checks that a room
/// brings everything it can. It need not bring posts that it had no room for, forgot in a restart, or keeps for silent
/// members.
public struct PostsArrive: Expectation {
    let room: Member

    public var sentence: String { "every post that \(room.name) has brought is there" }
    public var cast: [Member] { [room] }
    public let needs = Abilities.air

    /// The time that a post may need from a radio to its app.
    static let grace = Duration.seconds(60)

    public func look(at stage: Stage) async throws -> Observation {
        guard let hall = try await stage.hall(of: room) else { return .holds }
        for book in try await stage.books() where !stage.hasLostFrames(book.who) {
            let key = try await stage.key(of: book.who)
            let isConnected = await (try stage.app(of: book.who)).isConnected()
            guard let client = hall.member(key) else { continue }
            let times = Set(book.messages.compactMap(\.postTime))
            for post in hall.posts(for: key) where Hall.isInTime(post) && post.timestamp <= client.syncSince {
                let span = stage.memory.span(
                    of: "brought: \(book.who.name) \(post.timestamp)",
                    isSo: isConnected && !times.contains(post.timestamp), at: stage.time)
                guard let span, span > Self.grace else { continue }
                return .holdsNot("\(book.who.name) has not got “\(post.text.readable)”")
            }
        }
        return .holds
    }
}

/// Expects each post in an app to be by its shown author, there once, and in the room's order.
public struct PostsAreTrue: Expectation {
    let room: Member

    public var sentence: String { "posts of \(room.name) are shown once, in order, and with their authors" }
    public var cast: [Member] { [room] }
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let (received, sent) = try await stage.messages()
        let keeper = FixedBytes<4>([UInt8](try await stage.key(of: room).array.prefix(4)))
        var written: [FixedBytes<4>: Set<String>] = [:]
        for book in sent {
            let prefix = try await stage.key(of: book.who).array.prefix(4)
            let texts = book.messages.filter { !$0.isReceived }.map(\.text)
            written[FixedBytes([UInt8](prefix)), default: []].formUnion(texts)
        }
        // A clock that was lost twice gives a time twice.
        let posts = (try await stage.hall(of: room)?.posts ?? []).filter(Hall.isInTime)
        let kept = Dictionary(posts.map { ($0.timestamp, $0) }) { first, _ in first }
        for book in received {
            var last: UInt32 = 0
            var seen: Set<ScenarioMessage> = []
            for message in book.messages {
                guard let time = message.postTime, let author = message.author else { continue }
                let shown = "\(book.who.name) has “\(message.text)”"
                guard seen.insert(message).inserted else { return .holdsNot("\(shown) twice") }
                if time < last { return .holdsNot("\(shown) behind a younger post") }
                last = time
                if author != keeper, written[author]?.contains(message.text) != true {
                    return .holdsNot("\(shown), which its author never wrote")
                }
                if let post = kept[time], post.text.readable != message.text || !post.author.starts(with: author) {
                    return .holdsNot("\(shown), where the room has “\(post.text.readable)”")
                }
            }
        }
        return .holds
    }
}

/// A post that its author sees as delivered was in the room's queue.
public struct DeliveredIsKept: Expectation {
    /// The room whose queue is compared with the posts that apps show as delivered.
    public let room: Member

    public var sentence: String { "\(room.name) keeps what it confirms" }
    public var cast: [Member] { [room] }
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        let thread = ScenarioMessage.Thread.room(try await stage.key(of: room).sixBytes)
        for post in try await stage.hall(of: room)?.posts ?? [] { stage.memory.note(room.kept(post.text.readable)) }
        for book in try await stage.books() {
            for message in book.messages where message.thread == thread && message.standing == .delivered {
                guard !stage.memory.has(room.kept(message.text)) else { continue }
                return .holdsNot("\(book.who.name)'s “\(message.text)” is delivered, and was not kept")
            }
        }
        return .holds
    }
}

/// Expects every post that was in the room's queue with all other members that have stacks.
public struct KeptIsBrought: Expectation {
    /// The room whose members are looked at; while it has no power, the rule holds.
    public let room: Member

    public var sentence: String { "stacks in \(room.name) have everything that it has kept" }
    public var cast: [Member] { [room] }
    public let needs = Abilities.air

    public func look(at stage: Stage) async throws -> Observation {
        guard let hall = try await stage.hall(of: room) else { return .holds }
        let thread = ScenarioMessage.Thread.room(try await stage.key(of: room).sixBytes)
        let books = try await stage.books()
        for book in books where book.who.hasStack {
            let key = try await stage.key(of: book.who)
            guard hall.clients.contains(where: { $0.publicKey == key }) else { continue }
            let shown = Set(book.messages.filter { $0.isReceived && $0.thread == thread }.map(\.text))
            for author in books where author.who != book.who {
                for message in author.messages where !message.isReceived && message.thread == thread {
                    guard stage.memory.has(room.kept(message.text)), !shown.contains(message.text) else { continue }
                    return .holdsNot("\(book.who.name) has not got “\(message.text)”")
                }
            }
        }
        return .holds
    }
}

/// Expects the posts that a room counts as unsynced for a member to be those that the member's app lacks.
///
/// The room may not know yet of the last post that it sent. An app fetches the posts that its radio has confirmed some
/// seconds later. So a count is wrong only when it stays so.
public struct UnsyncedIsTrue: Expectation {
    /// The room whose counts are compared with the apps; while it has no power, the rule holds.
    public let room: Member

    public var sentence: String { "\(room.name) counts what its members lack" }
    public var cast: [Member] { [room] }
    public let needs = Abilities.air

    /// The time for which a count may differ.
    static let grace = Duration.seconds(60)

    public func look(at stage: Stage) async throws -> Observation {
        guard let hall = try await stage.hall(of: room) else { return .holds }
        for book in try await stage.books() where !stage.hasLostFrames(book.who) {
            let key = try await stage.key(of: book.who)
            guard let client = hall.clients.first(where: { $0.publicKey == key }) else { continue }
            let times = Set(book.messages.compactMap(\.postTime))
            let lacking = hall.posts(for: key).count { !times.contains($0.timestamp) }
            let counted = Int(hall.ring.unsyncedCount(after: client.syncSince, notBy: key))
            let span = stage.memory.span(
                of: "unsynced: \(book.who.name)", isSo: !(lacking...(lacking + 1)).contains(counted), at: stage.time)
            guard let span, span >= Self.grace else { continue }
            return .holdsNot("\(book.who.name) lacks \(lacking) posts, and the room counts \(counted)")
        }
        return .holds
    }
}

extension Member {
    /// The word by which the stage remembers that the room has kept a post.
    fileprivate func kept(_ text: String) -> String { "kept: \(name) \(text)" }
}

extension FixedBytes<32> {
    fileprivate func starts(with prefix: FixedBytes<4>) -> Bool { array.starts(with: prefix.array) }
}

/// A state of rooms that is worth reaching, looked for in every one.
public struct RoomState: Expectation {
    public let sentence: String
    public let cast: [Member] = []
    public let needs = Abilities.air
    let isSo: @Sendable (Hall, Stage) -> Bool

    public func look(at stage: Stage) async throws -> Observation {
        for member in stage.scenario.cast where member.role == .room {
            if let hall = try await stage.hall(of: member), isSo(hall, stage) { return .holds }
        }
        return .holdsNot("no room is like that")
    }
}

extension States {
    /// A room's queue is full.
    public static let roomWasFull = RoomState(sentence: "a room's queue is full") { hall, _ in
        hall.posts.count == PostRing.capacity
    }
    /// A room leaves a member alone that does not answer.
    public static let leftAlone = RoomState(sentence: "a room leaves a member alone that does not answer") { hall, _ in
        hall.clients.contains { $0.pushFailures >= 3 }
    }
    /// The next post pushes out one that the member has not got.
    public static let lacksAll = RoomState(sentence: "a member lacks all of a full queue") { hall, _ in
        hall.posts.count == PostRing.capacity
            && hall.clients.contains { client in hall.posts.allSatisfy { $0.timestamp > client.syncSince } }
    }
    /// A room believes posts to be years old.
    public static let roomLostClock = RoomState(sentence: "a room takes posts for years old") { hall, _ in
        !hall.posts.allSatisfy(Hall.isInTime)
    }
    /// A room has forgotten its members.
    public static let roomForgot = RoomState(sentence: "a room has forgotten its members") { hall, stage in
        if hall.clients.contains(where: { $0.lastActivity != 0 }) { stage.memory.note("a room had members") }
        return hall.clients.isEmpty && stage.memory.has("a room had members")
    }

    /// Those of rooms.
    public static let ofRooms: [Rule] = [
        sometimes(postCame), sometimes(postFailed), sometimes(roomWasFull), sometimes(lacksAll), sometimes(leftAlone),
        sometimes(roomForgot), sometimes(roomLostClock), sometimes(IsCaughtUp()),
    ]
}
