/// The way in which a packet travels: bits 1…0 of its header.
@frozen
public enum RouteType: UInt8, Hashable, Sendable, CaseIterable {
    /// Flooded within the region that the first transport code names.
    case transportFlood = 0
    /// Flooded; each forwarder appends its hash to the path.
    case flood = 1
    /// Sent along the path; each forwarder removes its hash. An empty path is zero hop.
    case direct = 2
    /// Sent along the path, with transport codes carried along.
    case transportDirect = 3

    /// The route of a header byte.
    @inlinable
    public init(header: UInt8) {
        switch header & 3 {
        case 0: self = .transportFlood
        case 1: self = .flood
        case 2: self = .direct
        default: self = .transportDirect
        }
    }

    /// True when four bytes of transport codes follow the header.
    @inlinable public var hasTransportCodes: Bool { self == .transportFlood || self == .transportDirect }
    /// True when all relays pass the packet on.
    @inlinable public var isFlood: Bool { rawValue < 2 }
    /// True when the packet names its relays, or has none.
    @inlinable public var isDirect: Bool { rawValue >= 2 }

    /// The firmware's name.
    public var name: String {
        switch self {
        case .transportFlood: "TRANSPORT_FLOOD"
        case .flood: "FLOOD"
        case .direct: "DIRECT"
        case .transportDirect: "TRANSPORT_DIRECT"
        }
    }
}

extension RouteType: CustomStringConvertible {
    public var description: String { name }
}

/// The two numbers that a packet with a transport route carries behind its header.
///
/// The first is the code of a region (OverTheAir, "Regions and transport codes"), the second is reserved: originators
/// write 0 and receivers ignore it. A shared contact travels with both zero.
@frozen
public struct TransportCodes: Hashable, Sendable {
    /// The code of the region; 0 for none.
    public var region: UInt16
    /// The second code, which the firmware sends as 0.
    public var reserved: UInt16

    @inlinable
    public init(region: UInt16 = 0, reserved: UInt16 = 0) {
        self.region = region
        self.reserved = reserved
    }

    /// `{0, 0}`: "send nowhere", the mark of a shared contact.
    @inlinable public static var zero: TransportCodes { TransportCodes() }
}
