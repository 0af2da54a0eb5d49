public import FoundationEssentials
import MeshWire

/// A channel as a link: `meshcore://channel/add?name=Public&secret=…`.
///
/// Source: firmware, qr_codes.md.
public struct ChannelLink: Hashable, Sendable {
    /// The channel's name.
    public var name: String
    /// 16 bytes.
    public var secret: Data

    public init(name: String, secret: Data) {
        self.name = name
        self.secret = secret
    }

    /// Reads the channel of a link; `nil` when it is none. Other parts of the link are ignored.
    public init?(_ link: String) {
        guard let query = LinkQuery(link, path: "channel/add"), let name = query["name"],
            let digits = query["secret"], let secret = FixedBytes<16>(hex: digits)
        else { return nil }
        self.init(name: name, secret: Data(secret.array))
    }
}

extension ChannelLink: CustomStringConvertible {
    public var description: String {
        LinkQuery([("name", name), ("secret", [UInt8](secret).hex)]).link(path: "channel/add")
    }
}
