public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire
import Synchronization

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
        let row = try await node(sessionID)
        let node = known(row)
        let secret = try await secret(for: row, given: password)
        let limit = try await loginLimit(for: row, pathLength: pathLength, onTimeoutKnown)
        node.entering += 1
        defer { node.entering -= 1 }
        let number = nextNumber()
        do {
            let info = try await exchange(row, number, secret, limit)
            return try await accept(info, row, number, secret)
        } catch {
            let error = StackError.meaning(of: error, in: .nodes)
            if case .loginFailed = error.stackReason { node.secret = nil }
            let late = LoginPlan.Late(
                number: number, row: row, secret: secret, due: elapsed() + policy.lateLoginWindow)
            if let left = node.plan.fail(number, Self.failure(error, late)) {
                left.cancel()
                try await unmark(sessionID)
            }
            throw error
        }
    }

    private static func failure(_ error: any Error, _ late: LoginPlan.Late) -> LoginPlan.Failure {
        switch error.stackReason {
        case .nodeNotConnected, .cancelled, .sessionNotFound: .passing
        case .noAnswer: .silent(late)
        default: error is CancellationError ? .passing : .refused
        }
    }

    // MARK: Posts meanwhile

    /// Runs the entry of a room: posts wait until it has ended.
    ///
    /// A room discards as old a post that is stamped before the login that it knows. It treats one of the same second
    /// as a copy: it acknowledges it and does not store it.
    func entering<R: Sendable>(
        _ row: RemoteNodeSessionDTO, _ entry: nonisolated(nonsending) @Sendable () async throws -> R
    ) async rethrows -> R {
        let node = known(row)
        node.entering += 1
        defer { node.entering -= 1 }
        return try await entry()
    }

    /// Returns whether the node would store a post: not before it has accepted a login over this link.
    func mayPost(_ row: RemoteNodeSessionDTO) -> Bool { known(row).mayPost }

    /// Begins a post. A keep-alive stamped after it would make the room discard its next copy as old.
    func beginPosting(_ row: RemoteNodeSessionDTO) { known(row).posting += 1 }

    /// Waits for the stamp of a keep-alive that is being written.
    ///
    /// The room would treat a post with the same stamp as a copy: it acknowledges it and does not store it.
    func awaitStamp(_ row: RemoteNodeSessionDTO) async throws {
        let stamps = known(row).stamps
        stamps.leave(try await stamps.pass())
    }

    func endPosting(_ sessionID: UUID) {
        guard let node = nodes[sessionID], node.posting > 0 else { return }
        node.posting -= 1
    }

    // MARK: Before

    private func secret(for node: RemoteNodeSessionDTO, given password: String?) async throws -> SessionSecret {
        if let password {
            try Self.check(password)
            let isRemembered = known(node).secret?.isRemembered
            let isKept = try await credentials.hasPassword(forNodeKey: node.publicKey)
            return SessionSecret(password: password, isRemembered: isRemembered ?? isKept)
        }
        if let secret = known(node).secret { return secret }
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
        return LoginPatience(
            policy: policy.login, path: path, clock: dependencies.clock, onTimeoutKnown: onTimeoutKnown)
    }

    // MARK: The exchange

    /// Replaces an earlier login to the node, and waits for the answer.
    private func exchange(
        _ row: RemoteNodeSessionDTO, _ number: Int, _ secret: SessionSecret, _ patience: LoginPatience
    ) async throws -> LoginInfo {
        let node = known(row)
        node.plan.asking?.task.cancel()
        let task = Task(name: "login") { try await ask(row, secret.password, patience) }
        // Before the write, so that no answer is early.
        node.plan.ask(LoginPlan.Asking(number: number, task: task))
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            throw Task.isCancelled ? CancellationError() : StackError(.nodes, .cancelled)
        } catch SessionError.noAnswer(let command, let limit) {
            if let asking = node.plan.asking, asking.number == number, let heard = asking.heard { return heard }
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
                return try await patience.limited { [session] in
                    try await session.sendLogin(to: key, password: password) { patience.next($0.timeout) }
                }
            } catch SessionError.refused(_, .notFound) where !hasRestored {
                hasRestored = true
                try await restore(node)
            } catch let error as SessionError {
                // An answer that came when this wait was over, and before another one begins, counts as well.
                guard case .noAnswer = error, known(node).plan.asking?.heard == nil, patience.beginsAgain() else {
                    throw error
                }
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
        _ info: LoginInfo, _ row: RemoteNodeSessionDTO, _ number: Int, _ secret: SessionSecret
    ) async throws -> LoginResult {
        let result = LoginResult(info)
        let node = known(row)
        if row.isRoom { await noteRadioTime() }
        guard node.plan.accept(number, result) else { throw StackError(.nodes, .cancelled) }
        try await mark(row, result.permissionLevel)
        node.secret = secret
        node.clockLead = info.serverTime.map { Int($0) - Int(dependencies.seconds) }
        if secret.isRemembered { await keep(secret.password, row.publicKey) }
        // It may have been ended meanwhile.
        guard node.plan.visit != nil else { return result }
        if row.isRoom { startKeepAlive(row) }
        events.emit(.sessionStateChanged(sessionID: row.id, .connected(result.permissionLevel)))
        return result
    }

    /// Marks the row of a session that has begun. One that cannot be marked ends.
    private func mark(_ row: RemoteNodeSessionDTO, _ level: RoomPermissionLevel) async throws {
        do {
            try await store.updateRemoteNodeSessionConnection(
                id: row.id, isConnected: true, permissionLevel: level, at: dependencies.now())
        } catch {
            known(row).plan.leave().cancel()
            throw error.stackReason == .sessionNotFound ? StackError(.nodes, .sessionNotFound) : error
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
        let (prefix, info) = (Data(push.publicKeyPrefix.array), LoginInfo(push))
        let node = sessions(with: prefix).first { $0.plan.awaitsAnswer }
        guard let late = node?.plan.hear(info, at: elapsed()) else { return }
        do {
            try await accept(info, late.row, late.number, late.secret)
        } catch {
            dependencies.log.warning("a late login was lost: \(error)")
        }
    }
}

/// The limit of a login's wait, over all its writes. It counts from the first one that the radio accepted.
///
/// A login or its answer is lost like any frame, and comes sooner than the limit by far. So it is written again after
/// twice the radio's estimate, as requests are: one lost frame would cost a minute, in which other nodes wait too.
final class LoginPatience: Sendable {
    private struct Limit {
        let whole: Duration
        let elapsed: @Sendable () -> Duration
        /// True when the wait that was returned last goes on to the end of the limit.
        var isSpent = false
    }

    /// The shortest wait for which a login is written.
    private static let shortest = Duration.seconds(1)

    private let policy: RemoteNodePolicy.LoginLimit
    private let path: PathLength
    private let clock: any Clock<Duration>
    private let onTimeoutKnown: (@Sendable (Duration) -> Void)?
    /// The limit, which is known once the radio has made its estimate.
    private let limit = Mutex<Limit?>(nil)

    init(
        policy: RemoteNodePolicy.LoginLimit, path: PathLength, clock: any Clock<Duration>,
        onTimeoutKnown: (@Sendable (Duration) -> Void)?
    ) {
        self.policy = policy
        self.path = path
        self.clock = clock
        self.onTimeoutKnown = onTimeoutKnown
    }

    /// Returns the wait that follows a write for which the radio suggests this number of milliseconds.
    func next(_ suggestion: UInt32) -> Duration {
        let once = max(Self.shortest, .milliseconds(2 * Int64(suggestion)))
        let (wait, whole) = limit.withLock { limit -> (Duration, Duration?) in
            let isFirst = limit == nil
            var known =
                limit ?? Limit(whole: policy.duration(along: path, suggestion: suggestion), elapsed: clock.stopwatch())
            let left = known.whole - known.elapsed()
            known.isSpent = !policy.retransmits || left - once < Self.shortest
            limit = known
            return (known.isSpent ? left : once, isFirst ? known.whole : nil)
        }
        if let whole { onTimeoutKnown?(whole) }
        return wait
    }

    /// Runs a write and its wait; a repeated one ends with the limit, also in the line for its turn.
    func limited(_ write: @escaping @Sendable () async throws -> LoginInfo) async throws -> LoginInfo {
        guard let (whole, left) = limit.withLock({ $0.map { ($0.whole, $0.whole - $0.elapsed()) } }) else {
            return try await write()
        }
        return try await withThrowingTaskGroup(of: LoginInfo?.self) { group in
            group.addTask { try await write() }
            group.addTask { [clock] in
                try? await clock.sleep(for: left, tolerance: nil)
                return nil
            }
            defer { group.cancelAll() }
            guard let info = try await group.next() ?? nil else {
                try Task.checkCancellation()
                throw SessionError.noAnswer(.sendLogin, after: whole)
            }
            return info
        }
    }

    /// Returns whether a write without an answer is followed by another one.
    func beginsAgain() -> Bool {
        limit.withLock { $0.map { !$0.isSpent && $0.whole - $0.elapsed() >= Self.shortest } ?? false }
    }
}
