/// Channels on one connection, and the packets on them.
///
/// A packet is the length of its payload, its channel, and the payload.
package enum L2CAP {
    /// The channels that every low-energy connection has.
    package enum Channel {
        /// The attribute protocol (ATT).
        package static let attributes: UInt16 = 4
        /// Requests about the connection itself, as its parameters, and about further channels.
        package static let signalling: UInt16 = 5
        /// The security manager protocol (SMP): pairing, and the exchange of keys.
        package static let securityManager: UInt16 = 6
    }

    /// The header in front of a payload.
    package struct Header: Hashable, Sendable {
        /// In bytes.
        package static let size = 4

        /// Of the payload.
        package var length: UInt16
        /// The channel identifier (CID); 0x0040 and above are given out by signalling.
        package var channel: UInt16

        package init(length: UInt16, channel: UInt16) {
            self.length = length
            self.channel = channel
        }

        /// Reads a header in place; `nil` for fewer bytes than it has.
        package init?(_ bytes: Span<UInt8>) {
            guard bytes.count >= Self.size else { return nil }
            self.init(length: bytes.word(at: 0), channel: bytes.word(at: 2))
        }

        /// The header as bytes.
        package var bytes: [UInt8] { length.wireBytes + channel.wireBytes }
    }

    /// The packet with this payload, of which the first 65,535 bytes count.
    package static func packet(_ payload: [UInt8], on channel: UInt16) -> [UInt8] {
        let length = UInt16(clamping: payload.count)
        return Header(length: length, channel: channel).bytes + payload.prefix(Int(length))
    }
}
