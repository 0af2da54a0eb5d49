import MeshCore
import MeshPacket

/// What a node lets us do after a login.
public struct LoginResult: Hashable, Sendable {
    /// What the node lets us do.
    public var permissionLevel: RoomPermissionLevel
    /// The node's clock, seconds since 1970; `nil` from old nodes.
    public var serverTime: UInt32?
    /// The node's protocol level; `nil` from old nodes.
    public var firmwareLevel: UInt8?

    /// Whether the node lets us do everything.
    public var isAdmin: Bool { permissionLevel == .admin }

    init(_ info: LoginInfo) {
        permissionLevel =
            switch info.role {
            case .guest: .guest
            case .readWrite: .readWrite
            case .admin: .admin
            }
        serverTime = info.serverTime
        firmwareLevel = info.firmwareLevel
    }
}

/// What a session with a node is at.
public enum RemoteNodeState: Hashable, Sendable {
    case disconnected
    case authenticating
    /// The node has let us in, with these rights.
    case connected(RoomPermissionLevel)
}

extension RemoteNodePolicy.LoginLimit {
    /// How long a login may take from its write on: by the hops of the path, or, when it floods, as long as any.
    ///
    /// `suggestion` is the radio's estimate in milliseconds, which knows the length of the packet.
    func duration(along path: PathLength, suggestion: UInt32) -> Duration {
        let formula = path.isUnknown ? cap : base + perHop * path.hopCount
        return min(cap, max(formula, .milliseconds(Int64(suggestion)) * suggestionFactor))
    }
}
