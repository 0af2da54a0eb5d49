import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

@Suite struct HashTests {
    @Test func `SHA-256 is that of FIPS 180, whole and in pieces`() {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.hash([UInt8]("abc".utf8)).hex == digest)
        var pieces = SHA256()
        pieces.update(UInt8(ascii: "a"))
        pieces.update([])
        pieces.update(FixedBytes<2>("bc".utf8))
        #expect(pieces.finalize().hex == digest)
        #expect(SHA256.hash([]).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `HMAC-SHA-256 is that of RFC 4231`() {
        let code = HMACSHA256.authenticate(key: [UInt8]("Jefe".utf8), [UInt8]("what do ya want for nothing?".utf8))
        #expect(code.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let first = HMACSHA256.authenticate(key: [UInt8](repeating: 0x0B, count: 20), [UInt8]("Hi There".utf8))
        #expect(first.hex == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    }

    @Test func `a 16-byte key extended with zeros gives the same HMAC`() {
        let key = ChannelKey(1...16)
        #expect(
            HMACSHA256.authenticate(key: key.array, [1, 2, 3])
                == HMACSHA256.authenticate(key: SharedSecret(channel: key).array, [1, 2, 3]))
    }

    @Test(arguments: OTAVector.kind("ack_hash"))
    func `acknowledgement hashes match the vectors`(row: OTAVector) throws {
        let hash: UInt32
        if row.inputs["plaintext"] != nil {
            let key: PublicKey = try row.fixed(row.inputs["client_pub"] != nil ? "client_pub" : "receiver_pub")
            hash = MeshHash.ackHash(plaintext: try row.bytes("plaintext"), key: key)
        } else {
            let time = UInt32(try row.number("timestamp"))
            let flags = UInt8(try row.number("txt_type") << 2 | row.number("attempt") & 3)
            let header = withUnsafeBytes(of: time.littleEndian) { [UInt8]($0) } + [flags]
            let sender = LocalIdentity(seed: try row.fixed("from_seed"))
            hash = MeshHash.ackHash(
                plaintext: header + [UInt8](try row.text("text").utf8), key: sender.publicKey)
        }
        #expect(withUnsafeBytes(of: hash.littleEndian) { $0.hex } == row.output)
    }

    @Test(arguments: CryptoCompanionVectors.all.derivations.expectedAck)
    func `ack hashes of the companion protocol`(row: CryptoCompanionVectors.ExpectedACK) throws {
        let key = try #require(PublicKey(hex: row.ownPublicKey))
        let plaintext = try #require([UInt8](hex: row.hashInput)).dropLast(32)

        let hash = MeshHash.ackHash(plaintext: [UInt8](plaintext), key: key)

        #expect(withUnsafeBytes(of: hash.littleEndian) { $0.hex } == row.ack)
    }

    @Test(.proves("OTA-008"), arguments: OTAVector.kind("packet_hash"))
    func `packet hashes cover type, payload and the path length of traces`(row: OTAVector) throws {
        let type = UInt8(try row.number("type"))
        let length = row.inputs["path_len"] == nil ? 0 : UInt8(try row.number("path_len"))
        let payload = try row.bytes("payload")

        let hash = MeshHash.packetHash(type: type, pathLength: length, payload: payload)

        #expect(withUnsafeBytes(of: hash.littleEndian) { $0.hex } == row.output)
        let isSameElsewhere = MeshHash.packetHash(type: type, pathLength: length + 1, payload: payload) == hash
        #expect(isSameElsewhere == (type != 9))
    }

    @Test(arguments: OTAVector.kind("channel_hash"))
    func `channel hashes match the vectors`(row: OTAVector) throws {
        let slot = SharedSecret(try row.bytes("secret"))
        #expect([MeshHash.channelHash(secret: slot)].hex == row.output)
    }

    @Test(arguments: CryptoCompanionVectors.all.derivations.channelHash)
    func `channel hashes of the companion protocol`(row: CryptoCompanionVectors.ChannelHash) throws {
        let secret = try #require(ChannelKey(hex: row.secret))
        #expect([MeshHash.channelHash(secret: SharedSecret(channel: secret))].hex == row.hash)
    }

    @Test(arguments: CryptoCompanionVectors.all.derivations.hashtagKey)
    func `hashtag channels get their key from their name`(row: CryptoCompanionVectors.HashtagKey) {
        #expect(MeshHash.hashtagKey(row.name).hex == row.key)
    }

    @Test(.proves("OTA-088"), arguments: OTAVector.kind("region_key"))
    func `region keys are hashes of the name with its sign`(row: OTAVector) throws {
        let name = [UInt8](try row.text("region").utf8)
        #expect(MeshHash.regionKey(name: name).hex == row.output)
    }

    @Test(.proves("OTA-088"), arguments: OTAVector.kind("transport_code"))
    func `transport codes are never 0 or FFFF`(row: OTAVector) throws {
        let code = MeshHash.transportCode(
            key: try row.fixed("key"), type: UInt8(try row.number("type")), payload: try row.bytes("payload"))
        #expect(withUnsafeBytes(of: code.littleEndian) { $0.hex } == row.output)
    }

    @Test func `every kind of vector is there`() {
        let kinds = [
            "identity", "ecdh", "crypto", "ack_hash", "packet_hash", "channel_hash", "region_key", "transport_code",
        ]
        #expect(kinds.map { OTAVector.kind($0).count } == [12, 5, 3, 9, 8, 4, 2, 5])
        #expect(CryptoCompanionVectors.all.identities.count == 13)
        #expect(OddKeys.all.signatures.count == 153)
        #expect(OddKeys.all.agreements.count == 31)
    }
}
