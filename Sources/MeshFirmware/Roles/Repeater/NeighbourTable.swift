public import MeshCrypto
import MeshPacket
public import MeshWire

/// The repeaters that a repeater receives itself, the latest fifty. Source: InfrastructureNodes, "Neighbours and
/// discovery".
public struct NeighbourTable: Hashable, Sendable {
    /// A repeater that was received without a relay in between.
    public struct Neighbour: Hashable, Sendable {
        /// The key that identifies the neighbour.
        public let publicKey: PublicKey
        /// The neighbour's own time in its last advert.
        public var advertTime: UInt32
        /// This node's Unix seconds when it was received last.
        public var heardTime: UInt32
        /// In quarter decibels.
        public var snr: Int8
    }

    /// `MAX_NEIGHBOURS` of almost every build.
    public static let capacity = 50

    /// In the order of their first appearance.
    public private(set) var entries: [Neighbour] = []

    /// Enters a received repeater; the oldest entry makes room.
    mutating func note(_ key: PublicKey, advert: UInt32, heard: UInt32, snr: Int8) {
        let entry = Neighbour(publicKey: key, advertTime: advert, heardTime: heard, snr: snr)
        if let known = entries.firstIndex(where: { $0.publicKey == key }) {
            entries[known] = entry
        } else if entries.count < Self.capacity {
            entries.append(entry)
        } else if let oldest = entries.indices.min(by: {
            (entries[$0].heardTime, $0) < (entries[$1].heardTime, $1)
        }) {
            entries[oldest] = entry
        }
    }

    /// Forgets those whose keys begin like this: all of them for no bytes.
    mutating func remove(_ prefix: [UInt8]) {
        entries.removeAll { $0.publicKey.starts(with: prefix) }
    }

    /// The entries in the order that a request asks for; equal ones in the order of the table.
    func sorted(by order: NeighboursRequest.Order) -> [Neighbour] {
        // Entries heard at second 0 are taken for empty by the firmware.
        let heard = entries.enumerated().filter { $0.element.heardTime > 0 }
        let sorted = heard.sorted { one, other in
            let (a, b) = (one.element, other.element)
            let isBefore: Bool
            let isAfter: Bool
            switch order {
            case .newestFirst: (isBefore, isAfter) = (a.heardTime > b.heardTime, a.heardTime < b.heardTime)
            case .oldestFirst: (isBefore, isAfter) = (a.heardTime < b.heardTime, a.heardTime > b.heardTime)
            case .strongestFirst: (isBefore, isAfter) = (a.snr > b.snr, a.snr < b.snr)
            case .weakestFirst: (isBefore, isAfter) = (a.snr < b.snr, a.snr > b.snr)
            default: (isBefore, isAfter) = (false, false)
            }
            return isBefore || !isAfter && one.offset < other.offset
        }
        return sorted.map(\.element)
    }

    /// The answer to `neighbors`: newest first, a line each, until 134 bytes are used (INF-141).
    func text(at now: UInt32) -> [UInt8] {
        var text: [UInt8] = []
        for neighbour in sorted(by: .newestFirst) where text.count < 134 {
            if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
            let ago = Int32(bitPattern: now &- neighbour.heardTime)
            text += "\([UInt8](neighbour.publicKey.prefix(4)).hex.uppercased()):\(ago):\(neighbour.snr)".utf8
        }
        return text.isEmpty ? [UInt8]("-none-".utf8) : text
    }
}
