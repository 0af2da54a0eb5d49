import MeshCrypto
import MeshWire

/// A packet on the air as the suite writes and reads it.
///
/// The bytes are stated here once more, on purpose: the codec of the radio under test is not its own witness. Format:
/// OverTheAir, "Packet layout" and "Path length".
package struct AirPacket: Hashable, Sendable {
    package enum Route: UInt8, Sendable {
        case scopedFlood, flood, direct, scopedDirect
    }

    package enum Kind: UInt8, Sendable {
        case request, response, text, ack, advert, groupText, groupData, anonymous
        case path, trace, multipart, control, reserved12, reserved13, reserved14, raw
    }

    package var version: UInt8 = 0
    package var kind: Kind
    package var route: Route
    /// Two transport codes, little-endian, on scoped routes only.
    package var codes: [UInt8] = []
    /// The encoded byte: two bits of hash size − 1, six bits of hops.
    package var pathLength: UInt8 = 0
    package var path: [UInt8] = []
    package var payload: [UInt8]

    package init(_ kind: Kind, _ route: Route, path: [UInt8] = [], hashSize: UInt8 = 1, payload: [UInt8]) {
        self.kind = kind
        self.route = route
        self.path = path
        self.payload = payload
        pathLength = (hashSize - 1) << 6 | UInt8(truncatingIfNeeded: path.count / Int(hashSize))
        if route == .scopedFlood || route == .scopedDirect { codes = [0, 0, 0, 0] }
    }

    /// Parses a frame; `nil` when it ends too early.
    package init?(_ frame: [UInt8]) {
        guard let header = frame.first, let route = Route(rawValue: header & 3),
            let kind = Kind(rawValue: header >> 2 & 15)
        else { return nil }
        self.kind = kind
        self.route = route
        version = header >> 6
        let isScoped = route == .scopedFlood || route == .scopedDirect
        let start = isScoped ? 5 : 1
        guard frame.count > start else { return nil }
        codes = isScoped ? [UInt8](frame[1..<5]) : []
        pathLength = frame[start]
        let count = Int(pathLength >> 6 + 1) * Int(pathLength & 63)
        guard frame.count >= start + 1 + count else { return nil }
        path = [UInt8](frame[(start + 1)..<(start + 1 + count)])
        payload = [UInt8](frame[(start + 1 + count)...])
    }

    package var bytes: [UInt8] {
        [version << 6 | kind.rawValue << 2 | route.rawValue] + codes + [pathLength] + path + payload
    }

    /// The same packet by another route.
    package func by(_ route: Route, path: [UInt8] = [], hashSize: UInt8 = 1) -> AirPacket {
        AirPacket(kind, route, path: path, hashSize: hashSize, payload: payload)
    }

    /// The same packet, scoped to a region.
    package func scoped(_ key: [UInt8]) -> AirPacket {
        var packet = by(.scopedFlood, path: path, hashSize: pathLength >> 6 + 1)
        packet.codes = code(of: key).wireBytes + [0, 0]
        return packet
    }

    /// The transport code that the scope with this key gives the packet.
    package func code(of key: [UInt8]) -> UInt16 {
        MeshHash.transportCode(key: FixedBytes(key), type: kind.rawValue, payload: payload)
    }
}
