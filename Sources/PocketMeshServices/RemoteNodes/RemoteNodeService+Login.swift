public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import Synchronization

/// A login that waits for its answer.
struct PendingLogin {
    let number: Int
    let task: Task<LoginInfo, any Error>
    /// The answer of the node, also when time was up in the same moment.
    var heard: LoginInfo?
}

/// A login that has timed out.
struct LateLogin {
    let node: RemoteNodeSessionDTO
    let secret: SessionSecret
    /// The time since it timed out.
    let elapsed: @Sendable () -> Duration
}

extension RemoteNodeService {
    /// Logs in to a repeater or room, with the given password, that of `createSession` or the stored one.
    ///
    /// `pathLength` is the length byte of the path in the radio's form, for callers that know better than the store.
    /// `onTimeoutKnown` receives the limit of the wait for the answer, from the write on.
    ///
    /// Throws `loginFailed` when the node refuses, and `cancelled` when another login to the node began. Throws
    /// `noAnswer` when the node is silent, as most are about a wrong password.
    @discardableResult
    public func login(
        sessionID: UUID, password: String? = nil, pathLength: UInt8? = nil,
        onTimeoutKnown: (@Sendable (Duration) -> Void)? = nil
    ) async throws -> LoginResult {
        let node = try await node(sessionID)
        let secret = try await secret(for: node, given: password)
        let limit = try await loginLimit(for: node, pathLength: pathLength, onTimeoutKnown)
        beginEntering(sessionID)
        defer { endEntering(sessionID) }
        do {
            let info = try await exchange(node, secret, limit)
            return try await accept(info, node, secret)
        } catch {
            let error = StackError.meaning(of: error, in: .nodes)
            if case .loginFailed = error.stackReason { secrets[sessionID] = nil }
            if Self.endsSession(error) { try await markDisconnected(sessionID) }
            throw error
        }
    }

    /// Returns whether a login that ended so leaves the session disconnected: not when the link failed.
    private static func endsSession(_ error: any Error) -> Bool {
        switch error.stackReason {
        case .nodeNotConnected, .cancelled, .sessionNotFound: false
        default: !(error is CancellationError)
        }
    }

    // MARK: Posts meanwhile

    /// Begins the entry of a room: posts wait until it has ended.
    ///
    /// A room discards as old a post that is stamped before the login that it knows. It treats one of the same second
    /// as a copy: it acknowledges it and does not store it.
    func beginEntering(_ sessionID: UUID) { entering[sessionID, default: 0] += 1 }

    func endEntering(_ sessionID: UUID) {
        let left = (entering[sessionID] ?? 1) - 1
        entering[sessionID] = left > 0 ? left : nil
    }

    /// Returns whether the node has to accept a login first, even if the row says connected from an earlier link.
    func isEntering(_ sessionID: UUID) -> Bool { owed.contains(sessionID) || entering[sessionID] != nil }

    /// Begins a post. A keep-alive stamped after it would make the room discard its next copy as old.
    func beginPosting(_ sessionID: UUID) { posting[sessionID, default: 0] += 1 }

    func endPosting(_ sessionID: UUID) {
        let left = (posting[sessionID] ?? 1) - 1
        posting[sessionID] = left > 0 ? left : nil
    }

    // MARK: Before

    private func secret(for node: RemoteNodeSessionDTO, given password: String?) async throws -> SessionSecret {
        if let password {
            try Self.check(password)
            let known = secrets[node.id]?.isRemembered
            let isKept = try await credentials.hasPassword(forNodeKey: node.publicKey)
            return SessionSecret(password: password, isRemembered: known ?? isKept)
        }
        if let secret = secrets[node.id] { return secret }
        guard let kept = try await credentials.retrievePassword(forNodeKey: node.publicKey) else {
            throw StackError(.nodes, .passwordNotFound)
        }
        return SessionSecret(password: kept, isRemembered: true)
    }

    private func loginLimit(
        for node: RemoteNodeSessionDTO, pathLength: UInt8?, _ onTimeoutKnown: (@Sendable (Duration) -> Void)?
    ) async throws -> LoginPatience {
        let contact = try await store.fetchContact(deviceID: node.deviceID, publicKey: node.publicKey)
        let path = PathLength(rawValue: pathLength ?? contact?.outPathLengthRaw ?? PathLength.unknown.rawValue)
        return LoginPatience(policy: policy.login, path: path, onTimeoutKnown: onTimeoutKnown)
    }

    // MARK: The exchange

    /// Replaces an earlier login to the node, and waits for the answer.
    private func exchange(
        _ node: RemoteNodeSessionDTO, _ secret: SessionSecret, _ patience: LoginPatience
    ) async throws -> LoginInfo {
        let prefix = node.publicKeyPrefix
        logins[prefix]?.task.cancel()
        lateLogins[prefix] = nil
        loginCount += 1
        let number = loginCount
        // Registered before the write, so that no answer is early.
        let task = Task(name: "login") { try await ask(node, secret.password, patience) }
        logins[prefix] = PendingLogin(number: number, task: task)
        defer { if logins[prefix]?.number == number { logins[prefix] = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            throw Task.isCancelled ? CancellationError() : StackError(.nodes, .cancelled)
        } catch SessionError.noAnswer(let command, let limit) {
            if let pending = logins[prefix], pending.number == number {
                if let heard = pending.heard { return heard }
                lateLogins[prefix] = LateLogin(node: node, secret: secret, elapsed: dependencies.clock.stopwatch())
            }
            throw SessionError.noAnswer(command, after: limit)
        }
    }

    /// Writes the login as often as the policy says, and once more if the radio did not have the contact.
    private func ask(
        _ node: RemoteNodeSessionDTO, _ password: String, _ patience: LoginPatience
    ) async throws -> LoginInfo {
        let key = FixedBytes<32>(node.publicKey)
        var hasRestored = false
        while true {
            do {
                nextStamp()
                return try await session.sendLogin(to: key, password: password) { patience.next($0.timeout) }
            } catch SessionError.refused(_, .notFound) where !hasRestored {
                hasRestored = true
                try await restore(node)
            } catch let error as SessionError {
                guard case .noAnswer = error, patience.beginsAgain() else { throw error }
            }
        }
    }

    /// Puts a contact back that the radio has dropped.
    private func restore(_ node: RemoteNodeSessionDTO) async throws {
        guard let contact = try await store.fetchContact(deviceID: node.deviceID, publicKey: node.publicKey) else {
            throw StackError(.nodes, .contactNotFound)
        }
        dependencies.log.info("the radio had dropped a node; it is added back")
        // The store may not know yet.
        try await store.markContactOffRadio(deviceID: node.deviceID, publicKey: node.publicKey)
        try await contacts.restoreContact(id: contact.id)
    }

    // MARK: Behind

    /// Handles a success: updates the row, the password and the keep-alive.
    @discardableResult
    private func accept(
        _ info: LoginInfo, _ node: RemoteNodeSessionDTO, _ secret: SessionSecret
    ) async throws -> LoginResult {
        let result = LoginResult(info)
        if node.isRoom { await noteRadioTime() }
        try await markConnected(node.id, result.permissionLevel)
        owed.remove(node.id)
        secrets[node.id] = secret
        levels[node.id] = result.firmwareLevel
        clockLeads[node.id] = info.serverTime.map { Int($0) - Int(dependencies.seconds) }
        if secret.isRemembered { await keep(secret.password, node.publicKey) }
        if node.isRoom { startKeepAlive(node.id) }
        events.emit(.sessionStateChanged(sessionID: node.id, .connected(result.permissionLevel)))
        return result
    }

    private func markConnected(_ id: UUID, _ level: RoomPermissionLevel) async throws {
        do {
            try await store.updateRemoteNodeSessionConnection(
                id: id, isConnected: true, permissionLevel: level, at: dependencies.now())
        } catch let error where error.stackReason == .sessionNotFound {
            throw StackError(.nodes, .sessionNotFound)
        }
    }

    /// A login stands though its password cannot be kept.
    private func keep(_ password: String, _ publicKey: Data) async {
        do {
            try await credentials.storePassword(password, forNodeKey: publicKey)
        } catch {
            dependencies.log.warning("the password of a node was not kept: \(error)")
        }
    }

    /// Handles an accepted login: for one that waits, or for one that timed out not long ago.
    func heard(_ event: MeshEvent) async {
        guard case .loginSuccess(let push) = event else { return }
        let prefix = Data(push.publicKeyPrefix.array)
        if logins[prefix] != nil {
            logins[prefix]?.heard = LoginInfo(push)
            return
        }
        guard let late = lateLogins.removeValue(forKey: prefix), late.elapsed() <= policy.lateLoginWindow else {
            return
        }
        do {
            try await accept(LoginInfo(push), late.node, late.secret)
        } catch {
            dependencies.log.warning("a late login was lost: \(error)")
        }
    }
}

/// The limit of a login's wait, over all its writes.
final class LoginPatience: Sendable {
    private let policy: RemoteNodePolicy.LoginLimit
    private let path: PathLength
    private let onTimeoutKnown: (@Sendable (Duration) -> Void)?
    /// The rest of the limit, which is known once the radio has made its estimate.
    private let left = Mutex<Duration?>(nil)

    init(policy: RemoteNodePolicy.LoginLimit, path: PathLength, onTimeoutKnown: (@Sendable (Duration) -> Void)?) {
        self.policy = policy
        self.path = path
        self.onTimeoutKnown = onTimeoutKnown
    }

    /// Returns the wait that follows a write for which the radio suggests this number of milliseconds.
    func next(_ suggestion: UInt32) -> Duration {
        let (wait, whole) = left.withLock { left -> (Duration, Duration?) in
            let isFirst = left == nil
            let whole = left ?? policy.duration(along: path, suggestion: suggestion)
            let once = policy.retransmits ? max(.seconds(1), .milliseconds(2 * Int64(suggestion))) : whole
            left = whole - min(once, whole)
            return (min(once, whole), isFirst ? whole : nil)
        }
        if let whole { onTimeoutKnown?(whole) }
        return wait
    }

    /// Returns whether a write without an answer is followed by another one.
    func beginsAgain() -> Bool { left.withLock { $0.map { $0 > .zero } ?? false } }
}
