package import MeshCrypto
import MeshPacket
package import MeshWire

/// The paths of the last adverts of sixteen nodes, contacts or not.
///
/// Nodes are distinguished by seven key bytes. An unused entry has time 0 and an all-zero prefix, which a look-up
/// of zeros matches (CMP-213 to CMP-216).
package struct AdvertPaths: Sendable {
    /// `ADVERT_PATH_TABLE_SIZE`.
    static let capacity = 16

    package struct Entry: Sendable {
        var prefix = FixedBytes<7>()
        /// For the display.
        package var name = FixedBytes<32>()
        /// By this node's clock.
        package var receivedAt: UInt32 = 0
        var pathLength = PathLength.empty
        var path = FixedBytes<64>()
    }

    package private(set) var entries = Array(repeating: Entry(), count: capacity)

    /// Stores the path of an advert over the entry of the same node, or over the oldest.
    mutating func record(
        _ key: PublicKey, name: FixedBytes<32>, pathLength: PathLength, path: UnsafeRawBufferPointer, at time: UInt32
    ) {
        guard pathLength.isValid else { return }
        let prefix = FixedBytes<7>(key.prefix(7))
        var chosen = 0
        var oldest = UInt32.max
        for index in entries.indices {
            if entries[index].prefix == prefix {
                chosen = index
                break
            }
            if entries[index].receivedAt < oldest {
                oldest = entries[index].receivedAt
                chosen = index
            }
        }
        entries[chosen].prefix = prefix
        entries[chosen].name = name
        entries[chosen].receivedAt = time
        entries[chosen].pathLength = pathLength
        entries[chosen].path.withUnsafeMutableBytes { $0.copyMemory(from: path) }
    }

    package func entry(of key: PublicKey) -> Entry? {
        let prefix = FixedBytes<7>(key.prefix(7))
        return entries.first { $0.prefix == prefix }
    }
}
