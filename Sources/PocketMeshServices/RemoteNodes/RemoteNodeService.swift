public import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
import MeshPacket
import MeshWire

/// Sessions with repeaters, rooms and sensors: logins, keep-alives, requests and command lines.
///
/// A session is a row of the store. `LoginPlan` decides its life, and the row is marked as connected by it alone.
///
/// A loss of the link to the radio leaves the mark in the store: `handleLinkReconnection` logs in again.
/// The credential store keeps passwords after a login that succeeded. Until then they are in memory.
public actor RemoteNodeService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let policy: RemoteNodePolicy
    let dependencies: ServiceDependencies
    let credentials: any CredentialStore
    let contacts: ContactService

    /// The nodes that were asked for, by their sessions.
    private(set) var nodes: [UUID: RemoteNode] = [:]
    /// The last number of a login or a keep-alive.
    private var count = 0
    var commandCount = 0
    var isReconnecting = false
    /// The time by which limits are kept.
    let elapsed: @Sendable () -> Duration
    /// The latest timestamp of a request or a post. Nodes refuse earlier ones.
    private var lastStamp: UInt32 = 0
    private var readers: [Task<Void, Never>] = []
    /// The radio that receives the answers of nodes.
    private var radio: UUID?

    /// The events of this service: `sessionStateChanged` and `keepAliveAnswered`.
    public nonisolated let events: StackEvents

    /// Makes the service of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), credentials: any CredentialStore,
        contacts: ContactService
    ) {
        self.session = session
        self.store = store
        policy = profile.remoteNodes
        self.dependencies = dependencies
        self.events = events
        self.credentials = credentials
        self.contacts = contacts
        elapsed = dependencies.clock.stopwatch()
    }

    // MARK: Life

    /// Watches for logins that succeed after their time was up, and for contacts that are removed.
    ///
    /// Sessions of an earlier link are known by the marks of their rows.
    public func startEventMonitoring(deviceID: UUID) async {
        guard readers.isEmpty else { return }
        radio = deviceID
        let successes = await session.events(
            filter: EventFilter { if case .loginSuccess = $0 { true } else { false } })
        let answers = await session.events(
            filter: EventFilter { if case .rxLogData(let heard) = $0 { heard.packet.type == .ack } else { false } })
        guard readers.isEmpty else { return }
        let removals = events.subscribe { if case .contactRemoved = $0 { true } else { false } }
        readers = [
            Task(name: "late logins") { for await event in successes { await heard(event) } },
            Task(name: "answers to keep-alives") { for await event in answers { await heardAnswer(event) } },
            Task(name: "removed contacts") {
                for await case .contactRemoved(let deviceID, let publicKey) in removals.events {
                    await endSession(deviceID: deviceID, publicKey: publicKey)
                }
            },
        ]
    }

    /// Ends the background tasks; they can be started again.
    public func stopEventMonitoring() {
        for reader in readers { reader.cancel() }
        readers = []
        for node in nodesInOrder { node.plan.forgetLate() }
    }

    /// Ends all tasks; waits for a node throw `cancelled`. Sessions stay as they are in the store.
    public func stop() async {
        stopEventMonitoring()
        stopAllKeepAlives()
        for node in nodesInOrder { node.plan.asking?.task.cancel() }
        for node in nodesInOrder { node.commands.cancel() }
    }

    // MARK: Sessions

    /// The session with a repeater, room or sensor, which it makes if there is none.
    ///
    /// The password is tried by the next `login`, and kept after that if it is to be remembered.
    @discardableResult
    public func createSession(
        deviceID: UUID, contact: ContactDTO, password: String? = nil, rememberPassword: Bool = true
    ) async throws -> RemoteNodeSessionDTO {
        guard let role = RemoteNodeRole(rawValue: contact.typeRawValue) else {
            throw StackError(.nodes, .wrongNodeType(contact.type))
        }
        try password.map(Self.check)
        var row =
            try await store.fetchRemoteNodeSession(deviceID: deviceID, publicKey: contact.publicKey)
            ?? RemoteNodeSessionDTO(
                deviceID: deviceID, publicKey: contact.publicKey, name: contact.displayName, role: role)
        row.name = contact.displayName
        row.role = role
        row.latitude = contact.latitude
        row.longitude = contact.longitude
        row.id = try await store.saveRemoteNodeSession(row)
        if let password { known(row).secret = SessionSecret(password: password, isRemembered: rememberPassword) }
        return row
    }

    /// Returns the state of a session; `disconnected` for one that does not exist, or that awaits its renewal.
    public func state(of sessionID: UUID) async throws -> RemoteNodeState {
        try await store.fetchRemoteNodeSession(id: sessionID).map { known($0).plan.shown } ?? .disconnected
    }

    /// Marks a session as disconnected here; the node is not informed.
    public func disconnect(sessionID: UUID) async throws {
        try await leave(try await node(sessionID))
    }

    /// Ends the radio's connection to the node, and the session in any case.
    public func logout(sessionID: UUID) async throws {
        let node = try await node(sessionID)
        try await leave(node)
        try await meaning { try await session.sendLogout(FixedBytes(node.publicKey)) }
    }

    /// Ends the session with a node whose contact was removed; its posts and its password stay.
    private func endSession(deviceID: UUID, publicKey: Data) async {
        do {
            let node = try await store.fetchRemoteNodeSession(deviceID: deviceID, publicKey: publicKey)
            if let node { try await leave(node) }
        } catch {
            dependencies.log.warning("a session was not ended: \(error)")
        }
    }

    /// Deletes a session, its posts and its password.
    public func removeSession(sessionID: UUID) async throws {
        let node = try await node(sessionID)
        known(node).plan.leave().cancel()
        try await credentials.deletePassword(forNodeKey: node.publicKey)
        nodes[sessionID] = nil
        try await store.deleteRemoteNodeSession(id: sessionID)
    }

    /// Resets all sessions at the start of the process, and returns the number of those that were marked as connected.
    @discardableResult
    public func resetAllConnections() async throws -> Int {
        for node in nodesInOrder { node.plan.leave().cancel() }
        return try await store.resetAllRemoteNodeSessionConnections()
    }

    /// The seconds by which a node's clock was ahead of ours at its last login; negative when it was behind.
    ///
    /// `nil` for a node that did not say its time, or whose clock was set since.
    public func clockLead(of sessionID: UUID) -> Int? { nodes[sessionID]?.clockLead }

    /// Forgets the lead of a node's clock, which was set.
    public func forgetClockLead(of sessionID: UUID) { nodes[sessionID]?.clockLead = nil }

    /// Ends everything with a node: its login, late or not, its keep-alive and its session.
    func leave(_ row: RemoteNodeSessionDTO) async throws {
        let node = known(row)
        node.plan.leave().cancel()
        node.awaitedAnswer = nil
        try await unmark(row.id)
    }

    // MARK: Passwords

    /// Returns whether a password of the node is stored.
    public func hasPassword(forNodeKey publicKey: Data) async throws -> Bool {
        try await credentials.hasPassword(forNodeKey: publicKey)
    }

    /// Keeps a password without trying it.
    public func storePassword(_ password: String, forNodeKey publicKey: Data) async throws {
        try Self.check(password)
        try await credentials.storePassword(password, forNodeKey: publicKey)
    }

    /// The longest password that fits the packet of a login, in bytes.
    public static let passwordLimit = 15

    static func check(_ password: String) throws(StackError) {
        guard password.utf8.count <= passwordLimit else {
            throw StackError(.nodes, .loginFailed("the password has more than \(passwordLimit) bytes"))
        }
    }

    // MARK: What the parts share

    /// Returns the node of a row.
    func known(_ row: RemoteNodeSessionDTO) -> RemoteNode {
        if let node = nodes[row.id] { return node }
        let node = RemoteNode(row)
        nodes[row.id] = node
        return node
    }

    /// Returns whether the node has accepted a login, over this link or over an earlier one.
    func mayRequest(_ row: RemoteNodeSessionDTO) -> Bool { known(row).plan.mayRequest }

    private var nodesInOrder: [RemoteNode] {
        nodes.values.sorted {
            $0.prefix == $1.prefix
                ? $0.deviceID < $1.deviceID : $0.prefix.lexicographicallyPrecedes($1.prefix)
        }
    }

    /// Returns the sessions with a node, those of the radio that receives its answers first.
    ///
    /// The store has the sessions of all radios, and a page may show one of another radio.
    func sessions(with prefix: Data) -> [RemoteNode] {
        let all = nodesInOrder.filter { $0.prefix == prefix }
        return all.filter { $0.deviceID == radio } + all.filter { $0.deviceID != radio }
    }

    /// Returns the number of the next login or keep-alive.
    func nextNumber() -> Int {
        count += 1
        return count
    }

    func node(_ sessionID: UUID) async throws -> RemoteNodeSessionDTO {
        guard let node = try await store.fetchRemoteNodeSession(id: sessionID) else {
            throw StackError(.nodes, .sessionNotFound)
        }
        return node
    }

    func connectedNode(_ sessionID: UUID) async throws -> RemoteNodeSessionDTO {
        let node = try await node(sessionID)
        guard mayRequest(node) else { throw StackError(.nodes, .nodeNotConnected) }
        return node
    }

    /// The session of an administrator; throws before anything is written.
    func administeredNode(_ sessionID: UUID) async throws -> RemoteNodeSessionDTO {
        let node = try await node(sessionID)
        guard node.isAdmin else { throw StackError(.nodes, .permissionDenied) }
        guard mayRequest(node) else { throw StackError(.nodes, .nodeNotConnected) }
        return node
    }

    /// Removes the mark of a row whose session has ended.
    func unmark(_ sessionID: UUID) async throws {
        let node = try await node(sessionID)
        // Another login may have succeeded since.
        guard node.isConnected, !mayRequest(node) else { return }
        try await store.updateRemoteNodeSessionConnection(
            id: sessionID, isConnected: false, permissionLevel: node.permissionLevel, at: dependencies.now())
        events.emit(.sessionStateChanged(sessionID: sessionID, .disconnected))
    }

    /// The errors of the session, as this service calls them.
    func meaning<T: Sendable>(_ work: () async throws -> T) async throws -> T {
        try await inTerms(of: .nodes, work)
    }

    /// Returns a timestamp for a post, after those of our earlier posts, requests and commands, and after `tag`.
    ///
    /// A room treats a post with the timestamp of the last packet as a copy: it confirms it and does not store it. The
    /// radio stamps requests and commands itself, each with a second of its own. So each uses up a timestamp here too.
    @discardableResult
    func nextStamp(after tag: UInt32 = 0) -> UInt32 {
        noteStamp(tag)
        lastStamp = max(dependencies.seconds, lastStamp &+ 1)
        return lastStamp
    }

    /// Reads the radio's time: a login has a stamp that the radio does not report.
    func noteRadioTime() async {
        do {
            noteStamp(try await session.getTime())
        } catch {
            dependencies.log.info("the radio's time is not known: \(error)")
        }
    }

    /// Notes the tag of a request, which is the radio's moment for it where the radio follows the firmware.
    func noteStamp(_ tag: UInt32) {
        let day: UInt32 = 24 * 3600
        let isTime = tag > dependencies.seconds &- day && tag < dependencies.seconds &+ day
        if isTime { lastStamp = max(lastStamp, tag) }
    }
}
