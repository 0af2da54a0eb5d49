import MeshCrypto
import MeshWire

/// The one request that may be open: five variables of which at most one is not zero.
///
/// A new request of any kind forgets the others; nothing expires (companion document §9.4).
struct PendingRequests: Sendable {
    /// First four key bytes of the server.
    var login: UInt32 = 0
    /// First four key bytes of the node asked; the firmware does not compare the tag.
    var status: UInt32 = 0
    /// The tag of the status request, for nodes that do compare it.
    var statusTag: UInt32 = 0
    var telemetry: UInt32 = 0
    var discovery: UInt32 = 0
    var binary: UInt32 = 0

    /// The four key bytes that logins and status requests are matched by.
    static func mark(of key: PublicKey) -> UInt32 {
        UInt32(key[0]) | UInt32(key[1]) << 8 | UInt32(key[2]) << 16 | UInt32(key[3]) << 24
    }
}
