package import MeshPacket
import MeshWire

/// An exported contact as a link: `meshcore://` and the advert packet in hexadecimal digits.
public struct ContactCard: Hashable, Sendable, CustomStringConvertible {
    /// The beginning of every such link.
    public static let scheme = "meshcore://"

    /// The advert, as EXPORT_CONTACT gives it.
    public var packet: [UInt8]

    public init(packet: [UInt8]) {
        self.packet = packet
    }

    /// The card of a link; `nil` when it is none.
    public init?(_ link: some StringProtocol) {
        guard link.hasPrefix(Self.scheme), let packet = [UInt8](hex: link.dropFirst(Self.scheme.count)),
            !packet.isEmpty
        else { return nil }
        self.packet = packet
    }

    public var description: String { Self.scheme + packet.hex }

    /// The first link in a line of text: a word with the scheme in front, in either case; `nil` without one.
    package static func link(in line: some Collection<UInt8>) -> String? {
        let words = line.split { $0 == 0x20 || 9...13 ~= $0 }
        let link = words.first { word in
            word.count > scheme.utf8.count && zip(word, scheme.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
        }
        return link.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The advert in the packet, signed by its node or not; `nil` for a packet that is cut, or of another type.
    package var advert: Advert? {
        guard let view = try? PacketView(packet, as: .blob), view.type == .advert else { return nil }
        return view.withPayload { try? Advert(reading: $0) }
    }
}
