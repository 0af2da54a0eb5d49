public import FoundationEssentials
import MeshWire

/// A contact as a link: `meshcore://contact/add?name=Ann&public_key=…&type=1`.
///
/// Source: firmware, qr_codes.md.
public struct ContactLink: Hashable, Sendable {
    /// The contact's name.
    public var name: String
    /// 32 bytes.
    public var publicKey: Data
    /// The node type: 1 companion, 2 repeater, 3 room server, 4 sensor.
    public var type: UInt8

    public init(name: String, publicKey: Data, type: UInt8 = 1) {
        self.name = name
        self.publicKey = publicKey
        self.type = type
    }

    /// The contact of a link; `nil` when it is none.
    public init?(_ link: String) {
        guard let query = LinkQuery(link, path: "contact/add"), let name = query["name"],
            let digits = query["public_key"], let key = FixedBytes<32>(hex: digits)
        else { return nil }
        let type = query["type"] ?? "1"
        guard let type = UInt8(type), 1...4 ~= type else { return nil }
        self.init(name: name, publicKey: Data(key.array), type: type)
    }
}

extension ContactLink: CustomStringConvertible {
    public var description: String {
        LinkQuery([
            ("name", name), ("public_key", [UInt8](publicKey).hex), ("type", "\(type)"),
        ]).link(path: "contact/add")
    }
}
