import MeshCrypto
import MeshWire

/// The requests whose answers are awaited; nothing expires (CMP-166, CMP-167).
///
/// The firmware has a variable for each kind. It clears all of them for a new request, so at most one is open. A
/// node without that quirk keeps several; one too many replaces the oldest.
package struct PendingRequests: Sendable {
    enum Kind: Sendable { case login, status, telemetry, discovery, binary }

    /// Requests that are open side by side where more than one may be.
    static let limit = 16

    private struct Request {
        var kind: Kind
        /// First four key bytes of the node asked.
        var mark: UInt32
        var tag: UInt32
    }

    private var open: [Request] = []

    package init() {}

    /// Notes a request to a node; `isOnly` forgets every other one.
    mutating func note(_ kind: Kind, to key: PublicKey, tag: UInt32, isOnly: Bool) {
        if isOnly { open.removeAll(keepingCapacity: true) }
        if open.count == Self.limit { open.removeFirst() }
        open.append(Request(kind: kind, mark: Self.mark(of: key), tag: tag))
    }

    /// Ends the oldest request to a node; without a tag any answer of that node does. A mark of zero fits nothing.
    mutating func end(_ kind: Kind, mark: UInt32, tag: UInt32? = nil) -> Bool {
        end { $0.kind == kind && mark != 0 && $0.mark == mark && (tag == nil || $0.tag == tag) }
    }

    /// Ends the request with a tag, whichever node was asked.
    ///
    /// `zeroFitsNone` is the firmware's comparison with a variable that is zero while no request of the kind is open.
    mutating func end(_ kind: Kind, tag: UInt32, zeroFitsNone: Bool) -> Bool {
        if end({ $0.kind == kind && tag != 0 && $0.tag == tag }) { return true }
        return tag == 0 && zeroFitsNone && !open.contains { $0.kind == kind }
    }

    private mutating func end(_ fits: (Request) -> Bool) -> Bool {
        guard let index = open.firstIndex(where: fits) else { return false }
        open.remove(at: index)
        return true
    }

    /// The four key bytes that logins and status requests are matched by.
    static func mark(of key: PublicKey) -> UInt32 {
        UInt32(key[0]) | UInt32(key[1]) << 8 | UInt32(key[2]) << 16 | UInt32(key[3]) << 24
    }
}
