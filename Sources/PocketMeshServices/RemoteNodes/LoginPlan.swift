import MeshCore

/// Decides the life of the session with one repeater, room or sensor: its logins, and their consequences.
///
/// It governs the rights to request and to post, and the moments at which a session begins and ends. The mark in the
/// row follows the plan, and outlives the link. So a plan that begins with a marked row is owed a login: no mark makes
/// a session. It does not govern the writes of a login, nor the keep-alive's beats: `RemoteNodeService` does both.
///
/// ```
/// row without a mark --> out   --ask--> asking --accepted--> inside --ask--> asking
/// row with a mark -----> owed  --ask--> asking
///
/// asking --link lost, called off--> out, owed or inside, as before
/// asking --refused--> out
/// asking --silent---> late --success within a minute--> inside
///
/// any --left, lapsed--> out
/// ```
struct LoginPlan: ~Copyable {
    /// A login that waits for its answer.
    struct Asking: Sendable {
        /// Distinguishes it from earlier logins to the node, whose end may be noticed late.
        let number: Int
        let task: Task<LoginInfo, any Error>
        /// The answer of the node, also when time was up in the same moment.
        var heard: LoginInfo?
    }

    /// A login that has timed out, and whose success still counts for some time.
    struct Late: Sendable {
        let number: Int
        let row: RemoteNodeSessionDTO
        let secret: SessionSecret
        /// The end of that time, by the service's clock.
        let due: Duration
    }

    /// A session that the node has granted over this link.
    struct Visit: Sendable {
        let result: LoginResult
        var loop: KeepAliveLoop?

        /// Ends the keep-alive, and goes on with another one, or with none.
        mutating func replaceLoop(with next: KeepAliveLoop?) {
            loop?.task.cancel()
            loop = next
        }
    }

    /// The reasons for a login to fail.
    enum Failure: Sendable {
        /// The link has gone, or the login was called off: the session is as it was before.
        case passing
        case refused
        case silent(Late)
    }

    /// The tasks of a session that has ended.
    struct Left: Sendable {
        var login: Task<LoginInfo, any Error>?
        var loop: Task<Void, Never>?

        func cancel() {
            login?.cancel()
            loop?.cancel()
        }
    }

    /// The session with a node while no login is under way.
    private enum Standing {
        case out
        /// The row is marked by an earlier link. The node still answers requests, but a post needs a login.
        case owed
        case inside(Visit)
    }

    private enum State: ~Copyable {
        case resting(Standing)
        case late(Late)
        case asking(Asking, before: Standing)
    }

    private var state: State

    /// The plan at the beginning of a link; a marked row is one that an earlier link left as connected.
    init(isMarked: Bool) {
        self.init(.resting(isMarked ? .owed : .out))
    }

    private init(_ state: consuming State) {
        self.state = state
    }

    // MARK: Situation

    private var standing: Standing {
        switch state {
        case .resting(let standing): standing
        case .late: .out
        case .asking(_, let before): before
        }
    }

    /// The login that waits for its answer.
    var asking: Asking? {
        switch state {
        case .resting: nil
        case .late: nil
        case .asking(let asking, _): asking
        }
    }

    /// True when a login waits for its answer, or has timed out lately.
    var awaitsAnswer: Bool {
        switch state {
        case .resting: false
        case .late: true
        case .asking: true
        }
    }

    /// The present session, also while another login is under way.
    var visit: Visit? { if case .inside(let visit) = standing { visit } else { nil } }

    /// True when the node may be asked: it has accepted a login, over this link or an earlier one.
    var mayRequest: Bool { if case .out = standing { false } else { true } }

    /// True when the node treats a post as new.
    var mayPost: Bool { asking == nil && visit != nil }

    /// True when a session is to be renewed, and no login is under way.
    var awaitsLogin: Bool { asking == nil && mayRequest }

    /// The state for users.
    var shown: RemoteNodeState {
        if asking != nil { return .authenticating }
        return visit.map { .connected($0.result.permissionLevel) } ?? .disconnected
    }

    // MARK: Logins

    /// Begins a login. One that waits is replaced; its holder has cancelled it.
    mutating func ask(_ asking: Asking) {
        let before = standing
        self = Self(.asking(asking, before: before))
    }

    /// Notes the success of a login; returns a timed-out login for which it still counts.
    mutating func hear(_ info: LoginInfo, at now: Duration) -> Late? {
        switch consume state {
        case .asking(var asking, let before):
            asking.heard = info
            self = Self(.asking(asking, before: before))
            return nil
        case .late(let late) where now <= late.due:
            self = Self(.late(late))
            return late
        case .late:
            self = Self(.resting(.out))
            return nil
        case let other:
            self = Self(other)
            return nil
        }
    }

    /// Begins a session by the login with this number; returns `false` when that one was called off since.
    ///
    /// The keep-alive of an earlier session goes on until it is replaced.
    mutating func accept(_ number: Int, _ result: LoginResult) -> Bool {
        let visit = Visit(result: result, loop: visit?.loop)
        switch consume state {
        case .asking(let asking, _) where asking.number == number: self = Self(.resting(.inside(visit)))
        case .late(let late) where late.number == number: self = Self(.resting(.inside(visit)))
        case let other:
            self = Self(other)
            return false
        }
        return true
    }

    /// Ends a login without success; returns the tasks of the session where that has ended too.
    mutating func fail(_ number: Int, _ failure: Failure) -> Left? {
        let left = Left(loop: visit?.loop?.task)
        switch consume state {
        case .asking(let asking, let before) where asking.number == number:
            switch failure {
            case .passing:
                self = Self(.resting(before))
                return nil
            case .refused: self = Self(.resting(.out))
            case .silent(let late): self = Self(.late(late))
            }
            return left
        case let other:
            self = Self(other)
            return nil
        }
    }

    /// Forgets a login that has timed out, so that its success does not count any more.
    mutating func forgetLate() {
        switch consume state {
        case .late: self = Self(.resting(.out))
        case let other: self = Self(other)
        }
    }

    // MARK: Sessions

    /// Changes the present session; returns `nil` when there is none.
    @discardableResult
    mutating func change<R>(_ change: (inout Visit) -> R) -> R? {
        switch consume state {
        case .resting(.inside(var visit)):
            let result = change(&visit)
            self = Self(.resting(.inside(visit)))
            return result
        case .asking(let asking, .inside(var visit)):
            let result = change(&visit)
            self = Self(.asking(asking, before: .inside(visit)))
            return result
        case let other:
            self = Self(other)
            return nil
        }
    }

    /// Ends the session whose keep-alive this is; a login that is under way goes on. Returns whether it ended.
    mutating func lapse(_ loop: Int) -> Bool {
        guard visit?.loop?.number == loop else { return false }
        switch consume state {
        case .asking(let asking, _): self = Self(.asking(asking, before: .out))
        case .late: self = Self(.resting(.out))
        case .resting: self = Self(.resting(.out))
        }
        return true
    }

    /// Ends everything with the node; returns the tasks of it.
    mutating func leave() -> Left {
        let left = Left(login: asking?.task, loop: visit?.loop?.task)
        self = Self(.resting(.out))
        return left
    }
}
