import MeshCore

/// The life of one connection: the parts on its link, and the waits that a loss of the link ends.
///
/// It governs which part may follow which, and that each of them is ended once. A part that comes after the loss is
/// added all the same, because it has to be ended too. It does not govern whether the connection is wanted, which
/// `ConnectionPlan` does. `LiveConnection` holds it, and `LinkKeeper` ends the parts.
///
/// ```
/// parts   nothing --open--> link --begin--> session --serve--> services
///
/// up --lose--> lost --end--> ended
/// ```
struct LinkLife: ~Copyable {
    /// The parts of a connection, each of which stands on the one before.
    enum Parts {
        case nothing
        case link(any MeshTransport)
        case session(MeshCoreSession, over: any MeshTransport)
        case services(any ServiceGraph, of: MeshCoreSession, over: any MeshTransport)

        var transport: (any MeshTransport)? {
            switch self {
            case .nothing: nil
            case .link(let transport), .session(_, let transport), .services(_, _, let transport): transport
            }
        }

        var session: MeshCoreSession? {
            switch self {
            case .nothing, .link: nil
            case .session(let session, _), .services(_, let session, _): session
            }
        }

        var graph: (any ServiceGraph)? { if case .services(let graph, _, _) = self { graph } else { nil } }
    }

    private enum State: ~Copyable {
        case up(Parts, waits: [Once<Void>])
        case lost(SessionError, Parts)
        case ended(SessionError)
    }

    private var state = State.up(.nothing, waits: [])

    init() {}

    private init(_ state: consuming State) { self.state = state }

    /// The reason for the loss of the link; `nil` while the link is up.
    var loss: SessionError? {
        switch state {
        case .up: nil
        case .lost(let error, _): error
        case .ended(let error): error
        }
    }

    var parts: Parts {
        switch state {
        case .up(let parts, _): parts
        case .lost(_, let parts): parts
        case .ended: .nothing
        }
    }

    // MARK: Parts

    /// Adds the opened link; returns `false` when none is expected, and the caller has to close it.
    mutating func open(_ transport: any MeshTransport) -> Bool {
        add { if case .nothing = $0 { .link(transport) } else { nil } }
    }

    /// Adds a session over the link; `nil` when there is no link, or a session already.
    mutating func begin(_ make: (any MeshTransport) -> MeshCoreSession) -> MeshCoreSession? {
        let isAdded = add {
            if case .link(let transport) = $0 { .session(make(transport), over: transport) } else { nil }
        }
        return isAdded ? parts.session : nil
    }

    /// Adds the services of the session; returns `false` without a session, and the caller has to end them.
    mutating func serve(_ graph: any ServiceGraph) -> Bool {
        add {
            guard case .session(let session, let transport) = $0 else { return nil }
            return .services(graph, of: session, over: transport)
        }
    }

    private mutating func add(_ next: (Parts) -> Parts?) -> Bool {
        guard let next = next(parts) else { return false }
        switch consume state {
        case .up(_, let waits): self = Self(.up(next, waits: waits))
        case .lost(let error, _): self = Self(.lost(error, next))
        case .ended(let error):
            self = Self(.ended(error))
            return false
        }
        return true
    }

    // MARK: Loss

    /// Adds a wait that the loss ends; returns the loss when the link has gone.
    mutating func wait(_ once: Once<Void>) -> SessionError? {
        switch consume state {
        case .up(let parts, let waits):
            self = Self(.up(parts, waits: waits + [once]))
            return nil
        case let other:
            self = Self(other)
            return loss
        }
    }

    /// Notes the loss of the link; returns the waits that it ends. The first reason counts.
    mutating func lose(_ error: SessionError) -> [Once<Void>] {
        switch consume state {
        case .up(let parts, let waits):
            self = Self(.lost(error, parts))
            return waits
        case let other:
            self = Self(other)
            return []
        }
    }

    /// Ends a connection that was lost; returns the parts to be ended, once.
    mutating func end() -> Parts {
        switch consume state {
        case .lost(let error, let parts):
            self = Self(.ended(error))
            return parts
        case let other:
            self = Self(other)
            return .nothing
        }
    }
}
