public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import Synchronization

/// The keep-alive of one room.
struct KeepAliveLoop {
    let number: Int
    let task: Task<Void, Never>
    /// Intervals since the room has last shown that it is there.
    var quiet = 0
    /// Failed intervals in a row.
    var failures = 0
}

/// The acknowledgement with which a room answers a keep-alive, with one byte more than any other.
struct KeepAliveAnswer {
    /// The hash over our request and our key.
    let hash: UInt32
    /// Posts that the room still has for us.
    let unsynced: UInt8

    /// Returns `nil` for a packet that is no such answer.
    init?(_ packet: PacketView) {
        guard packet.type == .ack, let ack = packet.withPayload({ try? Ack(reading: $0) }), ack.extra.count == 1 else {
            return nil
        }
        (hash, unsynced) = (ack.ack, ack.extra[0])
    }

    /// The hash that the answer to a request has.
    static func hash(tag: UInt32, syncSince: UInt32, client: FixedBytes<32>) -> UInt32? {
        RequestPlaintext(keepAlive: tag, syncSince: syncSince).written().withUnsafeBytes {
            AckHash.keepAlive($0, client: client)
        }
    }
}

extension RemoteNodeService {
    /// Sends one keep-alive; `syncSince` is the moment from which on the room sends posts, 0 changes nothing.
    ///
    /// A return says only that the radio accepted it. Throws `floodRouted` when no path is known, because rooms heed
    /// direct keep-alives only.
    public func sendKeepAlive(sessionID: UUID, syncSince: UInt32 = 0) async throws {
        let node = try await connectedNode(sessionID)
        guard try await hasPath(node) else { throw StackError(.nodes, .floodRouted) }
        try await writeKeepAlive(node, syncSince)
    }

    /// Ends all keep-alives.
    public func stopAllKeepAlives() {
        for id in keptAliveSessions { nodes[id]?.plan.change { $0.replaceLoop(with: nil) } }
    }

    /// A post came: the room is there.
    public func noteActivity(sessionID: UUID) {
        nodes[sessionID]?.plan.change {
            $0.loop?.quiet = 0
            $0.loop?.failures = 0
        }
    }

    /// Notes a post of another member by its time, and whether it was known before.
    ///
    /// A room sends a post again when it has not heard the confirmation, with two bits drawn anew. A radio drops what
    /// it has received with the same bits, and confirms nothing. So after four lost confirmations the room would never
    /// get beyond that post. The next keep-alive names the time of the repeated post, which says the same.
    func notePost(sessionID: UUID, at time: UInt32, isRepeated: Bool) {
        nodes[sessionID]?.repeatedPost = isRepeated ? time : 0
        noteActivity(sessionID: sessionID)
    }

    /// Sessions with a keep-alive, in the order of their logins.
    public var keptAliveSessions: [UUID] {
        nodes.compactMap { id, node in node.plan.visit?.loop.map { (id: id, number: $0.number) } }
            .sorted { $0.number < $1.number }.map(\.id)
    }

    /// Begins the keep-alive of a room that there is a session with.
    func startKeepAlive(_ row: RemoteNodeSessionDTO) {
        let number = nextNumber()
        known(row).plan.change { visit in
            visit.replaceLoop(with: nil)
            let task = Task(name: "keep-alive of a room") { await keepAlive(row.id, number) }
            visit.loop = KeepAliveLoop(number: number, task: task)
        }
    }

    private func loop(of sessionID: UUID) -> KeepAliveLoop? { nodes[sessionID]?.plan.visit?.loop }

    // MARK: The loop

    private func keepAlive(_ sessionID: UUID, _ number: Int) async {
        let elapsed = dependencies.clock.stopwatch()
        var interval = 0
        while true {
            interval += 1
            let due = policy.keepAliveInterval * interval
            guard (try? await dependencies.clock.sleep(for: due - elapsed())) != nil else { return }
            guard loop(of: sessionID)?.number == number else { return }
            guard await beat(sessionID) else { break }
        }
        guard nodes[sessionID]?.plan.lapse(number) == true else { return }
        do {
            try await unmark(sessionID)
        } catch {
            dependencies.log.warning("a session that ended was not marked: \(error)")
        }
    }

    /// Runs one interval; returns `false` when the session has ended.
    private func beat(_ sessionID: UUID) async -> Bool {
        do {
            guard let node = try await store.fetchRemoteNodeSession(id: sessionID), node.isConnected else {
                return false
            }
            // The session's own radio, whichever radio is in use elsewhere.
            guard try await hasPath(node) else { return true }
            // The answer to a post is a better sign of life.
            guard try await writeKeepAliveBetweenPosts(node) else { return true }
            try await confirm(node)
            nodes[sessionID]?.plan.change { $0.loop?.failures = 0 }
            try await noteKeepAlive(sessionID: sessionID, unsynced: nil)
            return true
        } catch {
            return goesOn(sessionID, after: error)
        }
    }

    /// Notes that a keep-alive was accepted or answered; `unsynced` is the number of posts that are still to come.
    ///
    /// Companion firmware has no frame for the answer. But it reports each packet that it hears, and the answer is one.
    /// Without it the number is `nil`, and the stored one stays.
    public func noteKeepAlive(sessionID: UUID, unsynced: UInt8?) async throws {
        if let unsynced {
            try await meaning { try await store.updateRoomUnsyncedCount(sessionID: sessionID, to: Int(unsynced)) }
        }
        events.emit(.keepAliveAnswered(sessionID: sessionID, unsynced: unsynced))
    }

    /// Notes the number of posts in a packet that answers one of our keep-alives, which its hash proves.
    func heardAnswer(_ event: MeshEvent) async {
        guard case .rxLogData(let heard) = event, let answer = KeepAliveAnswer(heard.packet),
            let (sessionID, node) = nodes.first(where: { $0.value.awaitedAnswer == answer.hash })
        else { return }
        node.awaitedAnswer = nil
        do {
            try await noteKeepAlive(sessionID: sessionID, unsynced: answer.unsynced)
        } catch {
            dependencies.log.warning("the posts of a room were not counted: \(error)")
        }
    }

    /// Asks a room for a sign of life after some intervals without a post, in each interval until it comes.
    private func confirm(_ node: RemoteNodeSessionDTO) async throws {
        nodes[node.id]?.plan.change { $0.loop?.quiet += 1 }
        guard let loop = loop(of: node.id), loop.quiet >= policy.quietIntervals else { return }
        try await readStatus(node)
        nodes[node.id]?.plan.change { $0.loop?.quiet = 0 }
    }

    private func goesOn(_ sessionID: UUID, after error: any Error) -> Bool {
        let meaning = StackError.meaning(of: error, in: .nodes) as? StackError
        // The end of the loop, or the store: nothing that the room can help.
        if error is CancellationError || meaning?.operation == .store { return true }
        switch meaning?.reason {
        // The link.
        case .nodeNotConnected: return true
        case .contactNotFound: return false
        case .floodRouted: return true
        default:
            nodes[sessionID]?.plan.change { $0.loop?.failures += 1 }
            dependencies.log.info("a keep-alive failed: \(error)")
            return (loop(of: sessionID)?.failures ?? 0) < policy.maxKeepAliveFailures
        }
    }

    // MARK: Paths

    func contact(of node: RemoteNodeSessionDTO) async throws -> ContactDTO {
        guard let contact = try await store.fetchContact(deviceID: node.deviceID, publicKey: node.publicKey) else {
            throw StackError(.nodes, .contactNotFound)
        }
        return contact
    }

    func hasPath(_ node: RemoteNodeSessionDTO) async throws -> Bool {
        try await contact(of: node).routing != .unknown
    }

    func writeKeepAlive(_ node: RemoteNodeSessionDTO, _ syncSince: UInt32) async throws {
        let client = try await client(of: node)
        let sent = try await meaning {
            try await session.sendKeepAlive(to: FixedBytes(node.publicKey), syncSince: syncSince)
        }
        try note(sent, known(node), syncSince, client)
    }

    /// Writes a keep-alive, unless there are posts on their way when its turn comes: other requests may delay it long.
    private func writeKeepAliveBetweenPosts(_ node: RemoteNodeSessionDTO) async throws -> Bool {
        let client = try await client(of: node)
        let stamps = known(node).stamps
        let granted = Mutex<(turn: AsyncSemaphore.Turn, syncSince: UInt32)?>(nil)
        defer { if let turn = granted.withLock({ $0?.turn }) { stamps.leave(turn) } }
        let sent = try await meaning {
            try await session.sendKeepAlive(to: FixedBytes(node.publicKey)) {
                guard let own = await self.stampTurn(of: node) else { return nil }
                granted.withLock { $0 = own }
                return own.syncSince
            }
        }
        guard let sent, let syncSince = granted.withLock({ $0?.syncSince }) else { return false }
        try note(sent, known(node), syncSince, client)
        return true
    }

    /// Returns the turn to stamp a keep-alive, with the position that it names, unless a post is under way.
    private func stampTurn(of row: RemoteNodeSessionDTO) -> (turn: AsyncSemaphore.Turn, syncSince: UInt32)? {
        let node = known(row)
        guard node.posting == 0, let turn = try? node.stamps.passAtOnce() else { return nil }
        return (turn, node.repeatedPost)
    }

    /// The key of the radio that has the session, in which the answer is sealed.
    private func client(of node: RemoteNodeSessionDTO) async throws -> Data? {
        try await meaning { try await store.fetchDevice(id: node.deviceID) }?.publicKey
    }

    private func note(
        _ sent: MessageSentInfo, _ node: RemoteNode, _ syncSince: UInt32, _ client: Data?
    ) throws(StackError) {
        noteStamp(sent.tag)
        node.awaitedAnswer = client.flatMap {
            KeepAliveAnswer.hash(tag: sent.tag, syncSince: syncSince, client: FixedBytes($0))
        }
        // The radio knows no path any more, whatever the store says.
        if sent.route != 0 { throw StackError(.nodes, .floodRouted) }
    }
}
