public import FoundationEssentials
import MeshWire

/// A channel as a link: `meshcore://channel/add?name=Public&secret=…`, with `&region_scope=…` if its messages stay in a
/// region.
///
/// Source: firmware, qr_codes.md.
public struct ChannelLink: Hashable, Sendable {
    /// The channel's name.
    public var name: String
    /// 16 bytes.
    public var secret: Data
    /// The region in which messages are relayed, without its `#`; `nil` for the scope that the sender's radio has.
    public var regionScope: String?

    public init(name: String, secret: Data, regionScope: String? = nil) {
        self.name = name
        self.secret = secret
        self.regionScope = regionScope.flatMap(Self.region)
    }

    /// The link of a channel of the store.
    public init(_ channel: ChannelDTO) {
        self.init(name: channel.name, secret: channel.secret, regionScope: channel.regionScope)
    }

    /// Reads the channel of a link; `nil` when it is none. Other parts of the link are ignored.
    public init?(_ link: String) {
        guard let query = LinkQuery(link, path: "channel/add"), let name = query["name"],
            let digits = query["secret"], let secret = FixedBytes<16>(hex: digits)
        else { return nil }
        self.init(name: name, secret: Data(secret.array), regionScope: query["region_scope"])
    }

    /// Returns a region's name as it is stored: without a leading `#`; `nil` for no name.
    package static func region(_ name: String) -> String? {
        let plain = name.hasPrefix("#") ? String(name.dropFirst()) : name
        return plain.isEmpty ? nil : plain
    }
}

extension ChannelLink: CustomStringConvertible {
    public var description: String {
        let region = regionScope.map { [("region_scope", $0)] } ?? []
        return LinkQuery([("name", name), ("secret", [UInt8](secret).hex)] + region).link(path: "channel/add")
    }
}
