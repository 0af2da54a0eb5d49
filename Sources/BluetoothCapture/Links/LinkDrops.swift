/// Records that held nothing for the layers above, counted by cause.
package struct LinkDrops: Hashable, Sendable {
    /// The reason for which a record held nothing.
    package enum Cause: Error, Hashable, Sendable {
        /// A link type that is none of Bluetooth low energy's, by its number in pcap.
        case unknownLink(UInt32)
        /// A type, an opcode or a version that has no meaning here.
        case unknownType(UInt32)
        /// Shorter than the headers of its link type.
        case tooShort
        /// A packet on the air whose check sum is bad.
        case badCheckSum
        /// Whitened, and on a channel that is unknown.
        case whitened
        /// Isochronous packets on the air.
        case isochronous
        /// The conversation of a sniffer and its program.
        case snifferTalk
        /// More causes than are kept apart.
        case others
    }

    /// The number of records with one cause.
    package struct Count: Hashable, Sendable {
        /// The cause that these records share.
        package let cause: Cause
        /// Records of this cause, 1 or more.
        package internal(set) var records: Int
    }

    /// A file that has a new one in each record is none that is worth more.
    static let mostCauses = 64

    /// In the order of their first record.
    package private(set) var counts: [Count] = []

    package init() {}

    /// The number of records that were dropped for a cause.
    package subscript(cause: Cause) -> Int {
        counts.first { $0.cause == cause }?.records ?? 0
    }

    /// Counts one more; `true` for the first of its cause.
    mutating func add(_ cause: Cause) -> Bool {
        if let known = counts.firstIndex(where: { $0.cause == cause }) {
            counts[known].records += 1
            return false
        }
        guard counts.count < Self.mostCauses || cause == .others else { return add(.others) }
        counts.append(Count(cause: cause, records: 1))
        return true
    }
}

extension LinkDrops.Cause: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownLink(let number): "link type \(number) is none of Bluetooth low energy's"
        case .unknownType(let number): "type \(number) has no meaning here"
        case .tooShort: "shorter than the headers of the link type"
        case .badCheckSum: "the check sum is bad"
        case .whitened: "whitened, on an unknown channel"
        case .isochronous: "isochronous"
        case .snifferTalk: "a sniffer's own"
        case .others: "other causes"
        }
    }
}
