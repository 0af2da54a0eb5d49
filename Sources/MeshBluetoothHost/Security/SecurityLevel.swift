import MeshWire

/// The protection of a connection, from none to the best; a server compares it with the need of an attribute.
///
/// Source: Bluetooth Core, Vol 3 Part C, 10.2.1: security mode 1, levels 1 to 4.
package enum SecurityLevel: UInt8, Comparable, Hashable, Sendable, CaseIterable {
    /// Open to all listeners.
    case none = 1
    /// Encrypted, without proof of the other side's identity: just works.
    case encrypted = 2
    /// Encrypted, and a passkey proved the other side: protected against a man in the middle (MITM).
    case authenticated = 3
    /// The same by LE Secure Connections, with a key of 16 bytes.
    case authenticatedSecure = 4

    package static func < (a: SecurityLevel, b: SecurityLevel) -> Bool { a.rawValue < b.rawValue }
}

extension SecurityLevel: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "not encrypted"
        case .encrypted: "encrypted"
        case .authenticated: "encrypted with MITM protection"
        case .authenticatedSecure: "encrypted with MITM protection by Secure Connections"
        }
    }
}
