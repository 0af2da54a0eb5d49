public import MeshFirmware
import MeshTime

/// Repeaters that are joined beside the radio: two by a serial line, or several by ESP-NOW.
public struct WorldBridge: Hashable, Sendable {
    /// The nodes, as places in the world; two for a serial line. Repeaters whose build has a bridge of this kind.
    public var nodes: [Int]
    /// A serial line or ESP-NOW.
    public var kind: BridgeKind

    public init(_ nodes: [Int], kind: BridgeKind) {
        self.nodes = nodes
        self.kind = kind
    }
}

/// A bridge in a world, with what is under way on it.
struct BridgeLine: Sendable {
    let bridge: WorldBridge
    /// The moment at which each node's last byte has left.
    var freeAt: [Instant]
}

/// Bytes on their way over a bridge.
struct BridgeWrite: Sendable {
    let to: Int
    let bytes: [UInt8]
    let tuning: UInt32
}

/// The bytes that bridges carry.
extension World {
    /// Joins nodes by a bridge, from now on. A node in several bridges writes to all of them.
    public mutating func join(_ bridge: WorldBridge) {
        bridges.append(BridgeLine(bridge: bridge, freeAt: bridge.nodes.map { _ in .start }))
    }

    /// Carries what a node writes to its bridge to the other ends, which have it when its last byte has arrived.
    mutating func carry(_ bytes: [UInt8], tuning: UInt32, from index: Int) {
        bytes.withUnsafeBytes { digest.fold(.bridged, at: now, node: Int32(index), $0) }
        record(index, .bridged(bytes))
        for line in bridges.indices {
            let bridge = bridges[line].bridge
            guard let end = bridge.nodes.firstIndex(of: index) else { continue }
            let time = max(now, bridges[line].freeAt[end]) + bridge.kind.time(bytes.count, tuning)
            bridges[line].freeAt[end] = time
            for other in bridge.nodes where other != index {
                bridgeWrites[bridgeWritesMade] = BridgeWrite(to: other, bytes: bytes, tuning: tuning)
                queue.schedule(.bridge(write: bridgeWritesMade), at: time)
                bridgeWritesMade &+= 1
            }
        }
    }

    /// Hands bytes to the other end of a bridge; a board that is down loses them.
    mutating func arrive(_ number: Int32) {
        guard let write = bridgeWrites.removeValue(forKey: number), radios[write.to].isUp else { return }
        pass(.bridge(write.bytes, tuning: write.tuning), to: write.to)
    }
}

extension BridgeKind {
    /// The time that so many bytes need: ten bits each on a serial line, a megabit a second behind a preamble by
    /// ESP-NOW.
    fileprivate func time(_ bytes: Int, _ tuning: UInt32) -> TimeSpan {
        switch self {
        case .rs232: .microseconds(Int64(bytes) * 10_000_000 / Int64(max(tuning, 1)))
        case .none, .espNow: .microseconds(1000 + 8 * Int64(bytes))
        }
    }
}
