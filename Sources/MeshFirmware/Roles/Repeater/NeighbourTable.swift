public import MeshCrypto

/// The repeaters that a repeater hears itself, the latest fifty. Source: infrastructure document §8.5.
public struct NeighbourTable: Hashable, Sendable {
    public struct Neighbour: Hashable, Sendable {
        public let publicKey: PublicKey
        /// The neighbour's own time in its last advert.
        public var advertTime: UInt32
        /// This node's Unix seconds when it was heard last.
        public var heardTime: UInt32
        /// In quarter decibels.
        public var snr: Int8
    }

    /// `MAX_NEIGHBOURS` of almost every build.
    public static let capacity = 50

    /// In the order of their first appearance.
    public private(set) var entries: [Neighbour] = []

    /// Enters what was heard; the one not heard for longest makes room.
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
}
