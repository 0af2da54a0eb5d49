import MeshCrypto
import MeshPacket
import MeshWire
import Testing

/// Makes the payload of a packet vector from the vector's inputs; the name's beginning says what it is.
struct PacketVector {
    let vector: OTAVectors.Vector

    init(_ vector: OTAVectors.Vector) {
        self.vector = vector
    }

    func made() throws -> PacketView {
        let view = try make()
        return try #require(view)
    }

    private func make() throws -> PacketView? {
        let name = vector.name
        if name.hasPrefix("reply_") || name.hasPrefix("room_") || name.hasPrefix("dialog_") { return try dialog() }
        if name.hasPrefix("txt_") {
            return try datagram(.txtMsg, try vector.textPlaintext())
        }
        if name.hasPrefix("ack") || name.hasPrefix("multiack") { return try ack() }
        if name.hasPrefix("advert_") { return try advert() }
        if name.hasPrefix("grp_") { return try group() }
        if name.hasPrefix("path_") { return try pathReturn() }
        if name.hasPrefix("login_") || name.hasPrefix("anon_") { return try anonymous() }
        if name.hasPrefix("req_") { return try request() }
        if name.hasPrefix("resp_") {
            let content = try vector.data("content")
            return try PacketFactory.datagram(
                .response, from: vector.identity("from_seed"), to: vector.key("to_pub"), bytes: content)
        }
        return try open()
    }

    private func datagram(_ type: PayloadType, _ fields: some FieldGroup) throws -> PacketView? {
        try PacketFactory.datagram(type, from: vector.identity("from_seed"), to: vector.key("to_pub"), fields)
    }

    private func ack() throws -> PacketView? {
        let bytes = try vector.data("ack")
        guard let remaining = vector.number("remaining") else {
            return bytes.withUnsafeBytes { PacketFactory.ack(copying: $0) }
        }
        return bytes.withUnsafeBytes { PacketFactory.multiAck(copying: $0, remaining: UInt8(remaining)) }
    }

    private func advert() throws -> PacketView? {
        let name = try vector.bytes("name_utf8") ?? [UInt8](try vector.string("name").utf8)
        let place = vector.numbers("latlon_e6").map {
            AdvertData.Location(latitude: Int32($0[0]), longitude: Int32($0[1]))
        }
        let data = AdvertData(
            type: NodeType(rawValue: UInt8(vector.number("adv_type") ?? 1)), location: place,
            name: ByteText(bytes: name))
        if let expected = vector.text("app_data") { #expect(data.written().hex == expected) }
        return PacketFactory.advert(of: try vector.identity("seed"), timestamp: try vector.u32("timestamp"), data: data)
    }

    private func group() throws -> PacketView? {
        let secret = SharedSecret(try vector.data("channel_secret"))
        if let type = vector.number("data_type") {
            let data = GroupDataPlaintext(dataType: UInt16(type), data: try vector.data("data"))
            return PacketFactory.group(.grpData, secret: secret, try #require(data))
        }
        let text = GroupTextPlaintext(
            timestamp: try vector.u32("timestamp"), sender: ByteText(try vector.string("sender")),
            text: ByteText(try vector.string("text")))
        return PacketFactory.group(.grpTxt, secret: secret, text)
    }

    /// Made twice: by the plaintext's fields and by the factory in place.
    private func pathReturn() throws -> PacketView? {
        let length = PathLength(rawValue: try vector.u8("path_len"))
        let path = try vector.data("path")
        let extra = vector.bytes("extra")
        let type = vector.number("extra_type").map { PayloadType(rawValue: UInt8($0)) }
        let random = FixedBytes<4>(vector.bytes("random4") ?? [])
        let fields =
            if let extra, let type {
                PathReturnPlaintext(pathLength: length, path: path, extraType: type, extra: extra)
            } else {
                PathReturnPlaintext(pathLength: length, path: path, random: random)
            }
        let walked = try datagram(.path, try #require(fields))

        let sender = try vector.identity("from_seed")
        let receiver = try vector.key("to_pub")
        let number = random.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
        let inPlace = path.withUnsafeBytes { path in
            (extra ?? []).withUnsafeBytes { bytes in
                PacketFactory.pathReturn(
                    to: receiver[0], from: sender.publicKey[0], secret: sender.sharedSecret(with: receiver),
                    pathLength: length, path: path, extra: type.map { ($0, bytes) }, random: number)
            }
        }
        #expect(walked == inPlace)
        return walked
    }

    private func anonymous() throws -> PacketView? {
        let sender = try vector.identity("from_seed")
        let receiver = try vector.key("to_pub")
        let secret = sender.sharedSecret(with: receiver)
        let timestamp = try vector.u32("timestamp")
        guard let password = vector.text("password") else {
            let query = AnonymousQueryPlaintext(tag: timestamp, question: try vector.u8("req"))
            return PacketFactory.anonymous(to: receiver[0], from: sender.publicKey, secret: secret, query)
        }
        guard vector.number("sync_since") != nil else {
            let login = LoginPlaintext(timestamp: timestamp, password: ByteText(password))
            return PacketFactory.anonymous(to: receiver[0], from: sender.publicKey, secret: secret, login)
        }
        let login = RoomLoginPlaintext(
            timestamp: timestamp, syncSince: try vector.u32("sync_since"), password: ByteText(password))
        return PacketFactory.anonymous(to: receiver[0], from: sender.publicKey, secret: secret, login)
    }

    private func request() throws -> PacketView? {
        let tag = try vector.u32("timestamp")
        if vector.number("sync_since") != nil {
            return try datagram(.req, RequestPlaintext(keepAlive: tag, syncSince: vector.u32("sync_since")))
        }
        let reserved = (vector.bytes("inverse_perm_mask") ?? []) + (try vector.data("reserved"))
        return try datagram(
            .req,
            RequestPlaintext(
                tag: tag, type: RequestType(rawValue: UInt8(try vector.int("req_type"))),
                reserved: FixedBytes(reserved), random: FixedBytes(try vector.data("random4"))))
    }

    /// Returns the packets that are not sealed: trace, control and raw packets.
    private func open() throws -> PacketView? {
        switch vector.name {
        case let name where name.hasPrefix("trace_"):
            return PacketFactory.trace(
                tag: try vector.u32("tag"), authCode: try vector.u32("auth"),
                flags: UInt8(try vector.int("flags")))
        case "ctrl_discover_req":
            return PacketFactory.control(
                DiscoverRequest(
                    filter: UInt8(try vector.int("filter")), tag: try tag(),
                    since: try vector.u32("since")))
        case let name where name.hasPrefix("ctrl_discover_resp"):
            return PacketFactory.control(
                DiscoverResponse(
                    nodeType: .repeater, snr: Int8(try vector.int("snr_x4")), tag: try tag(),
                    publicKey: try vector.key("pub"), prefixOnly: name.hasSuffix("prefix")))
        case "raw_custom_direct_1hop":
            return try vector.data("data").withUnsafeBytes { PacketFactory.rawCustom($0) }
        default: return nil
        }
    }

    /// A tag that the vector gives as bytes.
    private func tag() throws -> UInt32 {
        try vector.data("tag").withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    }
}
