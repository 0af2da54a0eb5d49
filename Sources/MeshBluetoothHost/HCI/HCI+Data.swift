extension HCI {
    /// The header of a fragment of data (ACL): its connection, and its place in a packet of L2CAP.
    package struct DataHeader: Hashable, Sendable {
        /// The Packet_Boundary_Flag: where in an L2CAP packet the fragment belongs.
        package enum Boundary: Hashable, Sendable {
            /// The beginning of a packet that must not be flushed, as a host of low energy sends it.
            case first
            case continuation
            /// The beginning of a packet, as a controller delivers it.
            case firstFlushable
            /// A whole packet, on links that are none of low energy.
            case whole

            fileprivate var bits: UInt16 {
                switch self {
                case .first: 0
                case .continuation: 1
                case .firstFlushable: 2
                case .whole: 3
                }
            }

            fileprivate init(bits: UInt16) {
                switch bits & 3 {
                case 0: self = .first
                case 1: self = .continuation
                case 2: self = .firstFlushable
                default: self = .whole
                }
            }
        }

        /// In bytes.
        package static let size = 4

        /// Of 12 bits.
        package var handle: UInt16
        /// The place of the fragment in an L2CAP packet, bits 12 and 13 of the first two bytes.
        package var boundary: Boundary
        /// Of the fragment.
        package var length: UInt16

        package init(handle: UInt16, boundary: Boundary, length: UInt16) {
            self.handle = handle
            self.boundary = boundary
            self.length = length
        }

        /// Reads a header in place; `nil` for fewer bytes than it has.
        package init?(_ bytes: Span<UInt8>) {
            guard bytes.count >= Self.size else { return nil }
            let word = bytes.word(at: 0)
            self.init(handle: word & 0x0FFF, boundary: Boundary(bits: word >> 12), length: bytes.word(at: 2))
        }

        /// The header as bytes.
        package var bytes: [UInt8] { (handle & 0x0FFF | boundary.bits << 12).wireBytes + length.wireBytes }
    }

    /// A packet of L2CAP cut into fragments of so many bytes at most, each behind its header.
    ///
    /// `first`: how the first of them is marked.
    package static func fragments(
        of packet: [UInt8], handle: UInt16, first: DataHeader.Boundary, size: Int
    ) -> [[UInt8]] {
        stride(from: 0, to: packet.count, by: size).map { start in
            let fragment = packet[start..<min(start + size, packet.count)]
            let boundary = start == 0 ? first : .continuation
            return DataHeader(handle: handle, boundary: boundary, length: UInt16(fragment.count)).bytes + fragment
        }
    }
}
