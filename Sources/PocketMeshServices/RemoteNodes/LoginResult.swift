import MeshCore
import MeshPacket

/// The rights that a node grants after a login.
public struct LoginResult: Hashable, Sendable {
    /// The level of rights that the node grants.
    public var permissionLevel: RoomPermissionLevel
    /// The node's clock, seconds since 1970; `nil` from old nodes.
    public var serverTime: UInt32?
    /// The node's protocol level; `nil` from old nodes.
    public var firmwareLevel: UInt8?

    /// True when the node grants all rights.
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

/// The state of a session with a node.
public enum RemoteNodeState: Hashable, Sendable {
    case disconnected
    case authenticating
    /// The node has accepted our login, with these rights.
    case connected(RoomPermissionLevel)
}

extension RemoteNodePolicy.LoginLimit {
    /// Returns the limit of a login from its write on: by the path's hops, or the cap for a flood.
    ///
    /// `suggestion` is the radio's estimate in milliseconds, which knows the length of the packet.
    func duration(along path: PathLength, suggestion: UInt32) -> Duration {
        let formula = path.isUnknown ? cap : base + perHop * path.hopCount
        return min(cap, max(formula, .milliseconds(Int64(suggestion)) * suggestionFactor))
    }
}
