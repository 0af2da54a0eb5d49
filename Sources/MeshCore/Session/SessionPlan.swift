/// Decides the life of a session: what it may do on its link, and what is left to end.
///
/// It opens and reads nothing; `MeshCoreSession` does. The task that reads the link is part of the states that have
/// one, so that none is ever forgotten. It does not govern commands and their answers: `ExchangePlan` does.
///
/// ```
/// stopped --open--> opened --read--> reading --lose--> lost
///    ^                 |                |                |
///    +------ stop -----+----------------+----------------+
/// ```
struct SessionPlan: ~Copyable {
    typealias Reader = Task<Void, Never>

    private enum State: ~Copyable {
        case stopped
        /// The link is open, and commands may be written; nothing is read yet.
        case opened
        case reading(Reader)
        /// The link has gone; `stop` or `start` go on from here.
        case lost(SessionError, Reader)
    }

    /// The consequences of an open link.
    enum OnOpen: Hashable, Sendable {
        /// The link is to be read.
        case read
        /// Another caller has opened the session.
        case isOpen
        /// Another caller had opened the session, and its link has gone.
        case isLost(SessionError)
    }

    /// The consequences of a stop.
    enum OnStop: Hashable, Sendable {
        /// Nothing is open.
        case nothing
        /// Every wait is to be ended, the link to be closed, and the end of the reader to be awaited.
        case end(Reader?)
    }

    private var state: State

    init() {
        self.init(.stopped)
    }

    private init(_ state: consuming State) {
        self.state = state
    }

    /// The reason why nothing can be sent now; `nil` when it can.
    var obstacle: SessionError? {
        switch state {
        case .stopped: .notStarted
        case .opened: nil
        case .reading: nil
        case .lost(let error, _): error
        }
    }

    /// The link has been opened.
    mutating func open() -> OnOpen {
        switch consume state {
        case .stopped:
            self = Self(.opened)
            return .read
        case .opened:
            self = Self(.opened)
            return .isOpen
        case .reading(let reader):
            self = Self(.reading(reader))
            return .isOpen
        case .lost(let error, let reader):
            self = Self(.lost(error, reader))
            return .isLost(error)
        }
    }

    /// A task reads the open link from now on; `false` when the session was stopped, and the task is not wanted.
    mutating func read(with reader: Reader) -> Bool {
        switch consume state {
        case .opened:
            self = Self(.reading(reader))
            return true
        case let other:
            self = Self(other)
            return false
        }
    }

    /// The link has gone; `false` when that is no news.
    mutating func lose(_ error: SessionError) -> Bool {
        switch consume state {
        case .reading(let reader):
            self = Self(.lost(error, reader))
            return true
        case let other:
            self = Self(other)
            return false
        }
    }

    /// The session is to stop, in whatever state.
    mutating func stop() -> OnStop {
        switch consume state {
        case .stopped:
            self = Self(.stopped)
            return .nothing
        case .opened:
            self = Self(.stopped)
            return .end(nil)
        case .reading(let reader):
            self = Self(.stopped)
            return .end(reader)
        case .lost(_, let reader):
            self = Self(.stopped)
            return .end(reader)
        }
    }
}
