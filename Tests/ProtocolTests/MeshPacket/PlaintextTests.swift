import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@Suite struct PlaintextTests {
    private func roundTrip<G: FieldGroup>(_ type: G.Type) throws {
        var random = Seed(9).stream("plaintext", "\(type)")
        for _ in 0..<300 {
            let fields = G.fuzzed(using: &random)
            let bytes = fields.written()
            let again = try bytes.withUnsafeBytes { try G(reading: $0) }
            #expect(again == fields)
            // Whatever is cut, the reader stops without a trap and what it reads it writes again.
            for count in 0..<bytes.count {
                let cut = Array(bytes.prefix(count))
                guard let shorter = try? cut.withUnsafeBytes({ try G(reading: $0) }) else { continue }
                #expect(cut.starts(with: shorter.written()))
            }
        }
    }

    @Test func `every plaintext is written and read again unchanged`() throws {
        try roundTrip(TextPlaintext.self)
        try roundTrip(PathReturnPlaintext.self)
        try roundTrip(RequestPlaintext.self)
        try roundTrip(ResponsePlaintext.self)
        try roundTrip(LoginResponsePlaintext.self)
        try roundTrip(LoginPlaintext.self)
        try roundTrip(RoomLoginPlaintext.self)
        try roundTrip(AnonymousQueryPlaintext.self)
        try roundTrip(GroupTextPlaintext.self)
        try roundTrip(GroupDataPlaintext.self)
        try roundTrip(AdvertData.self)
    }

    @Test func `text is refused above its limit`() {
        let text = { (count: Int) in ByteText(String(repeating: "x", count: count)) }

        #expect(TextPlaintext(timestamp: 1, text: text(160)) != nil)
        #expect(TextPlaintext(timestamp: 1, text: text(161)) == nil)
        #expect(TextPlaintext(timestamp: 1, attempt: 4, text: text(158)) != nil)
        #expect(TextPlaintext(timestamp: 1, attempt: 4, text: text(159)) == nil)
    }

    @Test(arguments: [UInt8(0), 1, 3, 4, 7, 255])
    func `the attempt survives the way through plaintext and padding`(attempt: UInt8) throws {
        let sent = try #require(TextPlaintext(timestamp: 1, attempt: attempt, text: "Hello Bob"))
        let padded = sent.written() + [0, 0, 0, 0]

        let read = try padded.withUnsafeBytes { try TextPlaintext(reading: $0) }

        #expect(read.attempt == attempt)
        #expect(read.extendedAttempt == (attempt > 3 ? attempt : 0))
        #expect(read.text == "Hello Bob")
    }

    @Test func `CLI text has no acknowledgement and signed text that of its receiver`() throws {
        let cli = try #require(TextPlaintext(timestamp: 1, type: .cliData, text: "ver"))
        let signed = try #require(
            TextPlaintext(
                timestamp: 1_700_000_000, type: .signedPlain, attempt: 1, text: "post!",
                authorPrefix: FixedBytes([0x8A, 0x87, 0x5F, 0xFF])))

        #expect(cli.ackHash(sender: Fixture.alice.publicKey, receiver: Fixture.bob.publicKey) == nil)
        #expect(
            signed.ackHash(sender: Fixture.bob.publicKey, receiver: Fixture.alice.publicKey)
                == 0x9C68_0A9F)
    }

    @Test(.proves("OTA-069"), arguments: [UInt8(0xC1), 0x7F, 0x61, 0xFF])
    func `a returned path of an invalid length is no path`(length: UInt8) {
        let plaintext = [length] + [UInt8](repeating: 0, count: 159)

        let error = #expect(throws: FrameError.self) {
            try plaintext.withUnsafeBytes { try PathReturnPlaintext(opened: $0) }
        }

        #expect(error?.field == "path_len")
    }

    @Test func `a returned path and its extra hold 161 bytes and no more`() {
        let path = [UInt8](repeating: 1, count: 64)
        let length = PathLength(hashSize: 2, hops: 32)
        let made = { (count: Int) in
            PathReturnPlaintext(
                pathLength: length, path: path, extraType: .response, extra: [UInt8](repeating: 2, count: count))
        }
        let inPlace = { (count: Int) in
            path.withUnsafeBytes { path in
                [UInt8](repeating: 2, count: count).withUnsafeBytes { extra in
                    PacketFactory.pathReturn(
                        to: 1, from: 2, secret: SharedSecret(), pathLength: length, path: path,
                        extra: (.response, extra), random: 0)
                }
            }
        }

        #expect(made(97) != nil && inPlace(97) != nil)
        #expect(made(98) == nil && inPlace(98) == nil)
    }

    @Test func `group data with a length beyond its data names the data`() {
        let plaintext: [UInt8] = [0x00, 0xFF, 0x20, 1, 2, 3]

        let error = #expect(throws: FrameError.self) {
            try plaintext.withUnsafeBytes { try GroupDataPlaintext(reading: $0) }
        }

        #expect(error == FrameError(field: "data", offset: 3, reason: .truncated(needed: 32, left: 3)))
        #expect(GroupDataPlaintext(dataType: 0xFF00, data: [UInt8](repeating: 0, count: 166)) == nil)
    }

    @Test(arguments: [
        (PayloadType.txtMsg, 167), (.req, 167), (.path, 167), (.grpTxt, 168), (.grpData, 168), (.anonReq, 136),
    ])
    func `creation takes the longest plaintext and refuses one byte more`(type: PayloadType, limit: Int) {
        let made = { (count: Int) -> PacketView? in
            [UInt8](repeating: 5, count: count).withUnsafeBytes { plaintext in
                if type.isGroup { return PacketFactory.group(type, secret: SharedSecret(), plaintext) }
                if type == .anonReq {
                    return PacketFactory.anonymous(to: 1, from: PublicKey(), secret: SharedSecret(), plaintext)
                }
                return PacketFactory.datagram(type, to: 1, from: 2, secret: SharedSecret(), plaintext)
            }
        }

        #expect(
            made(limit)?.opened(with: SharedSecret())?.bytes.prefix(limit) == ArraySlice(repeating: 5, count: limit))
        #expect(made(limit + 1) == nil)
    }

    @Test func `creation refuses types that are not its own`() {
        [UInt8]([1]).withUnsafeBytes { plaintext in
            #expect(PacketFactory.datagram(.ack, to: 1, from: 2, secret: SharedSecret(), plaintext) == nil)
            #expect(PacketFactory.group(.txtMsg, secret: SharedSecret(), plaintext) == nil)
        }
    }

    @Test func `a flipped bit or another secret opens nothing`() throws {
        let frame = try OTAVectors.vector("txt_flood_hs1").expected
        let secret = Fixture.bob.sharedSecret(with: Fixture.alice.publicKey)
        var damaged = frame
        damaged[10] ^= 1

        let opened = try PacketView(frame).opened(with: secret)
        let wrong = try PacketView(frame).opened(with: Fixture.bob.sharedSecret(with: Fixture.carol.publicKey))
        let broken = try PacketView(damaged).opened(with: secret)
        let unsealed = try PacketView([0x0D, 0x00, 1, 2, 3, 4]).opened(with: secret)

        #expect(opened?.count == 16)
        #expect(wrong == nil && broken == nil && unsealed == nil)
    }
}
extension ArraySlice<UInt8> {
    fileprivate init(repeating byte: UInt8, count: Int) { self = [UInt8](repeating: byte, count: count)[...] }
}
