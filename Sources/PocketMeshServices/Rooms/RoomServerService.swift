public import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
import MeshPacket
import MeshWire

/// Rooms: joining and leaving, posts of others and our own.
///
/// The position up to which a room was read is the largest server time of another node's post. It never goes back. Our
/// own posts do not move it: posts of others before them may not have come yet.
public actor RoomServerService {
    /// The longest post that a room keeps whole, in bytes.
    public static let postLimit = 151

    let session: MeshCoreSession
    let store: PersistenceStore
    let retry: RetryPolicy
    let dependencies: ServiceDependencies
    let remoteNodes: RemoteNodeService
    /// Posts whose confirmation is awaited.
    var deliveries: [UUID: Task<Void, Never>] = [:]
    private var selfPrefix: Data?
    /// The events of this service: `roomMessageReceived` for new posts of others, `postStatusChanged` for our own.
    public nonisolated let events: StackEvents

    /// Makes the service of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), remoteNodes: RemoteNodeService
    ) {
        self.session = session
        self.store = store
        retry = profile.messages.retry
        self.dependencies = dependencies
        self.events = events
        self.remoteNodes = remoteNodes
    }

    /// Ends the waits for confirmations; unconfirmed posts have failed.
    public func stop() async {
        let tasks = deliveries.sorted { $0.key.uuidString < $1.key.uuidString }
        deliveries = [:]
        for (_, task) in tasks { task.cancel() }
        for (_, task) in tasks { await task.value }
    }

    /// The first 4 bytes of our own key, by which posts are known as ours.
    public func setSelfPublicKeyPrefix(_ prefix: Data) {
        selfPrefix = Data(prefix.prefix(4))
    }

    // MARK: Joining

    /// Logs in to a room, and asks for its posts: all of a new room, else those after the last.
    ///
    /// Throws a `StackError` of `nodes` when the login does not succeed. A room whose history cannot be requested is
    /// joined all the same; its posts come from then on.
    @discardableResult
    public func joinRoom(
        deviceID: UUID, contact: ContactDTO, password: String? = nil, rememberPassword: Bool = true,
        pathLength: UInt8? = nil, onTimeoutKnown: (@Sendable (Duration) -> Void)? = nil
    ) async throws -> RemoteNodeSessionDTO {
        guard contact.type == .room else { throw StackError(.nodes, .wrongNodeType(contact.type)) }
        let room = try await remoteNodes.createSession(
            deviceID: deviceID, contact: contact, password: password, rememberPassword: rememberPassword)
        return try await enter(room, password, pathLength, onTimeoutKnown)
    }

    /// Logs in to a room that was joined before, with its password that is kept.
    @discardableResult
    public func reconnectRoom(
        sessionID: UUID, pathLength: UInt8? = nil, onTimeoutKnown: (@Sendable (Duration) -> Void)? = nil
    ) async throws -> RemoteNodeSessionDTO {
        try await enter(try await room(sessionID), nil, pathLength, onTimeoutKnown)
    }

    private func enter(
        _ room: RemoteNodeSessionDTO, _ password: String?, _ pathLength: UInt8?,
        _ onTimeoutKnown: (@Sendable (Duration) -> Void)?
    ) async throws -> RemoteNodeSessionDTO {
        try await remoteNodes.entering(room) {
            try await self.logIn(room.id, password, pathLength, onTimeoutKnown)
        }
    }

    private func logIn(
        _ sessionID: UUID, _ password: String?, _ pathLength: UInt8?, _ onTimeoutKnown: (@Sendable (Duration) -> Void)?
    ) async throws -> RemoteNodeSessionDTO {
        try await remoteNodes.login(
            sessionID: sessionID, password: password, pathLength: pathLength, onTimeoutKnown: onTimeoutKnown)
        let room = try await room(sessionID)
        do {
            try await remoteNodes.requestHistorySync(sessionID: sessionID, since: max(1, room.lastSyncTimestamp))
        } catch let error as CancellationError {
            throw error
        } catch {
            dependencies.log.info("a room was not asked for its history: \(error)")
        }
        return room
    }

    /// Ends the session with a room and deletes it, with its posts and its password.
    public func leaveRoom(sessionID: UUID) async throws {
        _ = try await room(sessionID)
        do {
            try await remoteNodes.logout(sessionID: sessionID)
        } catch let error as CancellationError {
            throw error
        } catch {
            // Whoever leaves does not need the radio's consent.
            dependencies.log.info("the radio was not told that a room is left: \(error)")
        }
        try await remoteNodes.removeSession(sessionID: sessionID)
    }

    // MARK: What is stored

    /// Posts by server time, then arrival, oldest first: the newest `limit` after leaving out the newest `offset`.
    public func fetchMessages(sessionID: UUID, limit: Int = 50, offset: Int = 0) async throws -> [RoomMessageDTO] {
        try await store.fetchRoomMessages(sessionID: sessionID, limit: limit, offset: offset)
    }

    /// Counts all posts of a room as read.
    public func markAsRead(sessionID: UUID) async throws {
        try await store.resetRoomUnreadCount(sessionID: sessionID)
    }

    /// The sessions with rooms over a radio.
    public func fetchRoomSessions(deviceID: UUID) async throws -> [RemoteNodeSessionDTO] {
        try await store.fetchRemoteNodeSessions(deviceID: deviceID).filter(\.isRoom)
    }

    /// Returns the connected room whose key begins with this prefix.
    public func getConnectedSession(deviceID: UUID, publicKeyPrefix: Data) async throws -> RemoteNodeSessionDTO? {
        let node = try await store.fetchRemoteNodeSession(deviceID: deviceID, publicKeyPrefix: publicKeyPrefix)
        guard let node, node.isRoom, await remoteNodes.mayRequest(node) else { return nil }
        return node
    }

    func room(_ sessionID: UUID) async throws -> RemoteNodeSessionDTO {
        guard let room = try await store.fetchRemoteNodeSession(id: sessionID), room.isRoom else {
            throw StackError(.rooms, .sessionNotFound)
        }
        return room
    }

    // MARK: Posts of others

    /// Stores a post that a room sent; returns `nil` when it was there already.
    ///
    /// Called by the receiver of the radio's messages, for signed texts. `timestamp` is the room's. A room that is a
    /// contact without a session gets a session, so that no post is lost: the radio has forgotten it. Throws
    /// `sessionNotFound` for a sender that is no room.
    @discardableResult
    public func handleIncomingMessage(
        deviceID: UUID, senderPublicKeyPrefix: Data, timestamp: UInt32, authorPrefix: Data, text: String
    ) async throws -> RoomMessageDTO? {
        let room = try await room(deviceID, senderPublicKeyPrefix)
        let author = Data(authorPrefix.prefix(4))
        let own = await ownPrefix()
        let isOwn = author == own
        let message = RoomMessageDTO(
            id: dependencies.random.uuid(), sessionID: room.id, authorKeyPrefix: author,
            authorName: isOwn
                ? await ownName() : try await store.findContactNameByKeyPrefix(deviceID: deviceID, prefix: author),
            text: text, timestamp: timestamp, createdAt: dependencies.now(), isFromSelf: isOwn)
        let outcome = try await store.saveRoomMessage(message)
        guard case .inserted(let order) = outcome else {
            await remoteNodes.notePost(sessionID: room.id, at: timestamp, isRepeated: !isOwn)
            return nil
        }
        await remoteNodes.notePost(sessionID: room.id, at: timestamp, isRepeated: false)
        var stored = message
        stored.receivedOrder = order
        if !isOwn, events.isObserved {
            // With the count of unread posts as it is now.
            let room = (try? await self.room(room.id)) ?? room
            events.emit(.roomMessageReceived(room, stored))
        }
        return stored
    }

    private func room(_ deviceID: UUID, _ prefix: Data) async throws -> RemoteNodeSessionDTO {
        if let room = try await store.fetchRemoteNodeSession(deviceID: deviceID, publicKeyPrefix: prefix) {
            guard room.isRoom else { throw StackError(.rooms, .sessionNotFound) }
            return room
        }
        let match = try await store.fetchContact(deviceID: deviceID, publicKeyPrefix: prefix)
        guard let match, !match.isAmbiguous, match.contact.type == .room else {
            throw StackError(.rooms, .sessionNotFound)
        }
        return try await remoteNodes.createSession(deviceID: deviceID, contact: match.contact)
    }

    func ownPrefix() async -> Data {
        if let selfPrefix { return selfPrefix }
        return await session.currentSelfInfo.map { Data($0.publicKey.prefix(4)) } ?? Data()
    }

    func ownName() async -> String? { await session.currentSelfInfo?.name.readable }
}
