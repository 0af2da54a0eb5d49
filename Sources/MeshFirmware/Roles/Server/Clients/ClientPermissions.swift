public import MeshWire

/// The permissions of a client of a server.
///
/// Source: InfrastructureNodes, "Client table"; firmware, `ClientACL.h`.
///
/// Two bits are the role; the other members choose the alerts of a sensor that the client wants. Bits 2 to 5 are
/// kept and mean nothing.
public struct ClientPermissions: OptionSet, ExpressibleByRawValue, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A role and nothing else.
    public init(_ role: ClientRole) {
        rawValue = role.rawValue
    }

    /// Low-priority alerts (`PERM_RECV_ALERTS_LO`).
    public static let lowAlerts = ClientPermissions(rawValue: 0x40)
    /// High-priority alerts (`PERM_RECV_ALERTS_HI`).
    public static let highAlerts = ClientPermissions(rawValue: 0x80)

    /// The lower two bits; setting them leaves the others.
    public var role: ClientRole {
        get { ClientRole(bits: rawValue) }
        set { rawValue = rawValue & ~3 | newValue.rawValue }
    }

    /// True when the client may change settings.
    public var isAdmin: Bool { role == .admin }
}

/// The roles that a client can have (`PERM_ACL_…`).
public enum ClientRole: UInt8, Hashable, Sendable, CaseIterable {
    case guest
    case readOnly
    case readWrite
    case admin

    /// Bits above the lower two are ignored.
    init(bits: UInt8) {
        switch bits & 3 {
        case 0: self = .guest
        case 1: self = .readOnly
        case 2: self = .readWrite
        default: self = .admin
        }
    }
}
