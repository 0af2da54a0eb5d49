/// The receptions of observers: every distinct (packet, observer, path) with the time and SNR of its first reception.
struct FloodLog: Hashable, Sendable {
    struct Packet: Hashable, Sendable {
        /// The node that sent it first.
        var origin: Int
        var isAdvert: Bool
        /// Time on air of the first frame, in seconds.
        var airtime: Double = 0
    }

    struct Reception: Hashable, Sendable {
        /// A place in `packets`.
        var packet: Int
        var observer: Int
        /// Hashes of the relays, `hashSize` bytes each.
        var path: [UInt8]
        var hashSize: Int = 1
        /// The relays as nodes, where the log knows them: hashes of one byte are shared by several.
        var relays: [Int] = []
        /// In seconds.
        var time: Double
        /// In dB.
        var snr: Double = 0

        /// Relays between origin and observer.
        var hops: Int { path.count / max(1, hashSize) }
    }

    private struct Key: Hashable {
        var packet: Int
        var observer: Int
        var path: [UInt8]
    }

    private(set) var packets: [Packet] = []
    /// In the order of time.
    private(set) var receptions: [Reception] = []
    private var known: Set<Key> = []

    init() {}

    /// The place of a new packet.
    mutating func open(_ packet: Packet) -> Int {
        packets.append(packet)
        return packets.count - 1
    }

    /// Adds a reception; one with a path that this observer has heard already does not count again.
    mutating func append(_ reception: Reception) {
        let key = Key(packet: reception.packet, observer: reception.observer, path: reception.path)
        guard known.insert(key).inserted else { return }
        receptions.append(reception)
    }
}
