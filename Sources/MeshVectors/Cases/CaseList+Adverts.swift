import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

extension CaseList {
    /// Adverts of every node type with every flag, of damaged application data, and with signatures that fail.
    static func adverts(_ cast: VectorCast) -> CaseList {
        var list = CaseList(.adverts)
        for type in [0, 1, 2, 3, 4, 15] as [UInt8] {
            for flags in 0..<16 {
                let data = data(NodeType(rawValue: type), flags)
                list.addAdvert(
                    "type-\(type)-\(words(for: flags))", advert(cast.carol, data),
                    flags & 8 == 0 ? "OTA-078" : "OTA-075")
            }
        }
        list.addData(cast)
        list.addNames(cast)
        list.addForgeries(cast)
        return list
    }

    /// An advert that floods.
    static func advert(
        _ member: VectorCast.Member, _ data: AdvertData, at time: UInt32 = VectorCast.stamp
    ) -> PacketView? {
        advert(member, data.written(), at: time)
    }

    private static func advert(
        _ member: VectorCast.Member, _ data: [UInt8], at time: UInt32 = VectorCast.stamp
    ) -> PacketView? {
        guard
            var packet = data.withUnsafeBytes({
                PacketFactory.advert(of: member.identity, timestamp: time, appData: $0)
            })
        else { return nil }
        packet.routeFlood()
        return packet
    }

    private static func data(_ type: NodeType, _ flags: Int) -> AdvertData {
        AdvertData(
            type: type,
            location: flags & 1 == 0 ? nil : AdvertData.Location(latitude: 48_117_266, longitude: -11_576_124),
            feature1: flags & 2 == 0 ? 0 : 0x0102, feature2: flags & 4 == 0 ? 0 : 0x0304,
            name: flags & 8 == 0 ? ByteText() : "Carol")
    }

    private static func words(for flags: Int) -> String {
        let all = ["location", "feature-1", "feature-2", "name"]
        let words = all.indices.filter { flags >> $0 & 1 == 1 }.map { all[$0] }
        return words.isEmpty ? "plain" : words.joined(separator: "-")
    }

    private mutating func addAdvert(_ name: String, _ packet: PacketView?, _ statement: String) {
        if let packet { add(.packet, name, packet.bytes, statement) }
    }

    /// Application data that ends before and within each field, none, and more than is signed.
    private mutating func addData(_ cast: VectorCast) {
        let whole = Self.data(.repeater, 15)
        let bytes = whole.written()
        for field in whole.printed() {
            for length in [field.offset, field.offset + field.size / 2] where length < bytes.count {
                addAdvert(
                    "data-of-\(length)-of-\(bytes.count)", Self.advert(cast.carol, [UInt8](bytes[..<length])),
                    "OTA-078")
            }
        }
        guard var longer = Self.advert(cast.carol, bytes + [UInt8](repeating: 0x61, count: 32 - bytes.count)) else {
            return
        }
        addAdvert("data-of-32", longer, "OTA-077")
        _ = [UInt8](repeating: 0x62, count: 8).withUnsafeBytes { longer.appendPayload($0) }
        addAdvert("data-of-40-of-which-32-are-signed", longer, "OTA-077")
    }

    private mutating func addNames(_ cast: VectorCast) {
        let names: [(String, ByteText)] = [
            ("longest", ByteText(bytes: [UInt8](repeating: 0x6E, count: 31))),
            ("cut-between-characters", ByteText("Zwölf Türme über dem grünen Tal ÄÖÜ")),
            ("emoji", "📻"),
        ]
        for (name, text) in names {
            addAdvert("name-\(name)", Self.advert(cast.carol, AdvertData(type: .chat, name: text)), "OTA-075")
        }
        let raw: [(String, [UInt8])] = [
            ("broken-utf-8", [0x81, 0x66, 0xC3, 0x28]), ("with-nul", [0x81, 0x61, 0x00, 0x62]),
            ("of-no-bytes", [0x81]),
        ]
        for (name, data) in raw { addAdvert("name-\(name)", Self.advert(cast.carol, data), "OTA-078") }
    }

    /// One bit changed in each signed part, a node's own advert, and one that is not newer.
    private mutating func addForgeries(_ cast: VectorCast) {
        let data = Self.data(.chat, 9)
        guard let packet = Self.advert(cast.carol, data) else { return }
        let places = [("key", 1), ("timestamp", 33), ("signature", 60), ("data", 104)]
        for (name, offset) in places {
            var bytes = packet.bytes
            bytes[packet.payloadOffset + offset] ^= 1
            add(.packet, "forged-\(name)", bytes, "OTA-024")
        }
        addAdvert("of-the-radio-itself", Self.advert(cast.bob, data), "CMP-229")
        addAdvert(
            "not-newer", Self.advert(cast.alice, AdvertData(type: .chat, name: "Alice again"), at: VectorCast.met),
            "OTA-076")
        addAdvert("newer", Self.advert(cast.alice, AdvertData(type: .chat, name: "Alice again")), "OTA-076")
    }
}
