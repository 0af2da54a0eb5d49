public import MeshCompanion
public import MeshWire

/// The rights that a node grants after a login.
public struct LoginInfo: Hashable, Sendable {
    /// The highest rights that the node grants.
    public enum Role: Hashable, Sendable {
        case guest, readWrite, admin
    }

    /// The highest rights that the node grants, from its list of permissions where it sends one.
    public var role: Role
    /// The node's key, as far as the answer has it.
    public var publicKeyPrefix: FixedBytes<6>
    /// The node's clock, seconds since 1970; `nil` from old nodes.
    public var serverTime: UInt32?
    /// The node's protocol level; `nil` from old nodes.
    public var firmwareLevel: UInt8?

    /// 1 in the first byte is the only mark of an admin; 2 there is a room's guest.
    public init(_ push: Push.LoginSuccess) {
        role =
            if push.permissions == 1 {
                .admin
            } else if let acl = push.aclPermissions {
                acl & 3 == 2 ? .readWrite : .guest
            } else {
                push.serverTime == nil ? .readWrite : .guest
            }
        publicKeyPrefix = push.publicKeyPrefix
        serverTime = push.serverTime
        firmwareLevel = push.firmwareLevel
    }
}
