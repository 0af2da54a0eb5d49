import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@Suite struct AdvertTests {
    static let adverts = OTAVectors.kind("packet").filter { $0.name.hasPrefix("advert_") }

    @Test(arguments: adverts)
    func `adverts of the vectors carry a valid signature and one bit less breaks it`(
        vector: OTAVectors.Vector
    ) throws {
        let view = try PacketView(vector.expected)
        var damaged = vector.expected
        damaged[damaged.count - 1] ^= 1
        let other = try PacketView(damaged)
        guard case .advert(let advert) = try Packet(view).payload else {
            Issue.record("no advert")
            return
        }

        #expect(view.hasValidAdvertSignature)
        #expect(advert.isSignatureValid)
        #expect(!other.hasValidAdvertSignature)
    }

    @Test(.proves("OTA-077"))
    func `only the first 32 bytes of application data are signed and all are carried`() throws {
        let data: [UInt8] = [0x81] + [UInt8](repeating: 0x61, count: 31)
        let signed = try #require(
            data.withUnsafeBytes { PacketFactory.advert(of: Fixture.alice, timestamp: 1, appData: $0) })
        var longer = signed
        longer.setPayload(signed.payload + [UInt8](repeating: 0x62, count: 8))
        longer.routeFlood()

        let packet = try Packet(longer)

        #expect(longer.hasValidAdvertSignature)
        #expect(packet.encoded() == longer.bytes)
        guard case .advert(let advert) = packet.payload else { return }
        let name = try advert.data().name
        #expect(name.bytes == [UInt8](repeating: 0x61, count: 31))
    }

    @Test func `an advert with more than 32 bytes of application data is not made`() {
        let data = [UInt8](repeating: 0, count: 33)

        #expect(data.withUnsafeBytes { PacketFactory.advert(of: Fixture.alice, timestamp: 1, appData: $0) } == nil)
    }

    @Test(
        arguments: [
            ([], "flags", 0), ([0x91], "lat", 1), ([0x91, 1, 2, 3, 4, 5], "lon", 5), ([0x21, 1], "feat1", 1),
            ([0x41], "feat2", 1), ([0x61, 1, 2, 3], "feat2", 3),
        ] as [([UInt8], String, Int)])
    func `application data shorter than its flags announce names the missing field`(
        data: [UInt8], field: String, offset: Int
    ) {
        let error = #expect(throws: FrameError.self) { try AdvertData(appData: data) }

        #expect(error?.field == field)
        #expect(error?.offset == offset)
    }

    @Test func `a name is read up to its first NUL and bytes nobody announced are left alone`() throws {
        let named = try AdvertData(appData: [0x82, 0x61, 0x62, 0x00, 0x63])
        let nameless = try AdvertData(appData: [0x02, 0x61, 0x62])

        #expect(named.name == "ab")
        #expect(named.nodeType == .repeater)
        #expect(nameless.name.isEmpty)
        #expect(nameless.location == nil)
    }

    @Test(
        .proves("OTA-075"),
        arguments: [
            ([0x61, 0xC3], 1), ([0xC0, 0x80], 0), ([0xE0, 0x9F, 0x80], 0), ([0xED, 0xA0, 0x80], 0),
            ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF0, 0x8F, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0),
            ([0x61, 0x80, 0x62], 1), ([0xE2, 0x82, 0xAC, 0x00, 0x61], 3), ([0xF0, 0x9F, 0x9A, 0x80], 4),
            ([0xED, 0x9F, 0xBF], 3), ([0xF4, 0x8F, 0xBF, 0xBF], 4), ([0xE2, 0x82], 0), ([0xF0, 0x9F, 0x9A, 0x41], 0),
        ] as [([UInt8], Int)])
    func `a name ends at its first malformed character`(bytes: [UInt8], kept: Int) {
        #expect(ByteText(bytes: bytes).validUTF8Prefix(atMost: 31).count == kept)
    }

    @Test(.proves("OTA-075")) func `the cut agrees with the standard library's idea of well-formed text`() {
        var random = Seed(8).stream("utf8")
        let alphabet: [UInt8] = [0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xF5]
        for _ in 0..<20_000 {
            let bytes = (0..<Int(random.draw(0, 9))).map { _ in alphabet[Int(random.draw(0, 12))] }
            let kept = ByteText(bytes: bytes).validUTF8Prefix(atMost: 31).bytes
            #expect(String(validating: kept, as: UTF8.self) != nil)
            for more in (kept.count + 1)..<max(kept.count + 1, min(bytes.count, kept.count + 4) + 1) {
                #expect(String(validating: bytes.prefix(more), as: UTF8.self) == nil, "\(bytes.hex)")
            }
        }
    }

    @Test func `a name that does not fit at all leaves its flag unset`() {
        #expect(AdvertData(type: .chat, name: ByteText(bytes: [0xFF, 0x61])).written() == [0x01])
        #expect(AdvertData(type: .chat, name: "\0a").written() == [0x01])
    }
}
