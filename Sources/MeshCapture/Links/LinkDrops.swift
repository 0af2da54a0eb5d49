/// Records that held nothing for the layers above, counted by cause.
public struct LinkDrops: Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// A link type that is none of Bluetooth low energy's, by its number in pcap.
        case unknownLink(UInt32)
        /// Shorter than the headers of its link type.
        case tooShort
        /// A packet on the air whose check sum is bad.
        case badCheckSum
        /// Whitened, and on no channel that would tell how.
        case whitened
        /// Isochronous packets on the air.
        case isochronous
        /// What a sniffer and its program said to each other.
        case snifferTalk
        /// A type, an opcode or a version that has no meaning here.
        case unknownType(UInt32)
    }

    public struct Count: Hashable, Sendable {
        public let cause: Cause
        public internal(set) var records: Int
    }

    /// In the order of their first record.
    public private(set) var counts: [Count] = []

    public init() {}

    /// Counts one more; `true` for the first of its cause.
    mutating func add(_ cause: Cause) -> Bool {
        guard let known = counts.firstIndex(where: { $0.cause == cause }) else {
            counts.append(Count(cause: cause, records: 1))
            return true
        }
        counts[known].records += 1
        return false
    }
}
