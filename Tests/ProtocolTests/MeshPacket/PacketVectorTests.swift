import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Every vector of kind `packet`, made from its inputs by the structs and the factory, and compared whole.
@Suite struct PacketVectorTests {
    @Test(.proves("OTA-075", "OTA-085", "OTA-087"), arguments: OTAVectors.kind("packet"))
    func `packets match the vectors byte for byte`(vector: OTAVectors.Vector) throws {
        var view = try PacketVector(vector).made()

        try Self.route(&view, vector)

        #expect(view.bytes.hex == vector.output)
    }

    @Test(arguments: OTAVectors.kind("packet"))
    func `packets of the vectors are read and written again unchanged`(vector: OTAVectors.Vector) throws {
        let packet = try Packet(vector.expected)

        let view = try PacketView(vector.expected)
        let written = try packet.view()
        #expect(packet.encoded().hex == vector.output)
        #expect(written == view)
        #expect(packet.type == view.type)
    }

    @Test(.proves("OTA-008"), arguments: OTAVectors.kind("packet_hash"))
    func `packet hashes match the vectors`(vector: OTAVectors.Vector) throws {
        let type = PayloadType(rawValue: UInt8(try vector.int("type")))
        let length = PathLength(rawValue: UInt8(vector.number("path_len") ?? 0))
        let path = [UInt8](repeating: 9, count: length.byteCount)
        let payload = try vector.data("payload")
        let view = try #require(
            PacketView(type: type, route: .direct, pathLength: length, path: path, payload: payload))

        #expect(withUnsafeBytes(of: view.packetHash.littleEndian) { $0.hex } == vector.output)
    }

    @Test(.proves("OTA-008")) func `a multi-ack is entered under the hash of its inside`() throws {
        let heard = try PacketView(OTAVectors.vector("multiack6_direct_zero").expected)
        let expected = try OTAVectors.vector("hash_multiack6_inner").output

        #expect(withUnsafeBytes(of: heard.innerPacketHash.littleEndian) { $0.hex } == expected)
    }

    @Test(arguments: OTAVectors.kind("ack_hash"))
    func `acknowledgement hashes match the vectors`(vector: OTAVectors.Vector) throws {
        let hash: UInt32?
        if let plaintext = vector.bytes("plaintext") {
            if vector.bytes("client_pub") != nil {
                let client = try vector.key("client_pub")
                hash = plaintext.withUnsafeBytes { AckHash.keepAlive($0, client: client) }
            } else {
                let receiver = try vector.key("receiver_pub")
                hash = plaintext.withUnsafeBytes { AckHash.text($0, sender: PublicKey(), receiver: receiver) }
            }
        } else {
            let sender = try vector.identity("from_seed").publicKey
            hash = try vector.textPlaintext().ackHash(sender: sender, receiver: vector.key("to_pub"))
        }

        let known = try #require(hash)
        #expect(withUnsafeBytes(of: known.littleEndian) { $0.hex } == vector.output)
    }

    @Test func `the hash of a padded plaintext is that of the text before its first NUL`() throws {
        let vector = try OTAVectors.vector("txt_flood_attempt200")
        let secret = Fixture.bob.sharedSecret(with: Fixture.alice.publicKey)

        let heard = try PacketView(vector.expected)
        let opened = try #require(heard.opened(with: secret))
        let hash = opened.withBytes {
            AckHash.text($0, sender: Fixture.alice.publicKey, receiver: Fixture.bob.publicKey)
        }

        #expect(hash == UInt32(0x1AB6_2161))
        let text = try opened.read(TextPlaintext.self)
        #expect(text.attempt == 200)
        #expect(text.text == "Hello Bob")
    }

    @Test(.proves("OTA-075"), arguments: OTAVectors.kind("app_data"))
    func `application data of adverts matches the vectors`(vector: OTAVectors.Vector) throws {
        let data = AdvertData(
            type: NodeType(rawValue: UInt8(try vector.int("adv_type"))),
            feature1: UInt16(try vector.int("feat1")),
            feature2: UInt16(try vector.int("feat2")), name: ByteText(try vector.string("name")))

        #expect(data.written().hex == vector.output)
        let read = try AdvertData(appData: vector.expected)
        #expect(read == data)
    }

    /// Routes a packet as the vector states, or as its note implies when it states nothing.
    static func route(_ view: inout PacketView, _ vector: OTAVectors.Vector) throws {
        let expected = try PacketView(vector.expected)
        let hashSize = vector.number("path_hash_size") ?? expected.pathLength.hashSize
        if let region = vector.text("region") {
            let key = MeshHash.regionKey(name: [UInt8](region.utf8))
            view.routeFlood(hashSize: hashSize, codes: TransportCodes(region: view.transportCode(for: key)))
        } else if view.type == .trace {
            view.routeDirect(.unknown, try vector.data("path"))
        } else if vector.text("route") == "flood" || vector.text("route") == nil && expected.isFlood {
            view.routeFlood(hashSize: hashSize)
        } else if view.type == .path, let path = vector.bytes("route_path") {
            view.routeDirect(PathLength(hashSize: 1, hops: path.count), path)
        } else if view.type != .path, let path = vector.bytes("path") {
            let length = vector.byte("path_len").map(PathLength.init(rawValue:))
            view.routeDirect(length ?? PathLength(hashSize: 1, hops: path.count), path)
        } else if expected.hopCount == 0 {
            view.routeZeroHop()
        } else {
            view.routeDirect(expected.pathLength, expected.path)
        }
    }
}
