import MeshCrypto
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire
import Testing

/// The examples of the module pages, compiled and run; `DocumentationTests` holds the pages against this folder.
@Suite struct ModuleExampleTests {
    struct Position: FieldGroup {
        var latitude: Int32 = 0
        var altitude: UInt16?

        mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i32("lat", &latitude, unit: .microdegrees)
            w.tail("alt", &altitude)
        }
    }

    @Test func `a group of fields is written and read by its one walk`() throws {
        var position = Position()
        position.latitude = 48_117_266
        let bytes = position.written()  // 4 bytes, little-endian
        let back = try bytes.withUnsafeBytes { memory throws(FrameError) in try Position(reading: memory) }

        #expect(bytes == [0x12, 0x36, 0xDE, 0x02])
        #expect(back == position)
    }

    @Test func `a named stream gives the same draw every time`() {
        let seed = Seed(7)
        var backoff = seed.stream("node", "relay-7", "backoff")
        let now = Instant.milliseconds(1500)
        let wake = now + .milliseconds(backoff.draw(0, 400))

        var again = seed.stream("node", "relay-7", "backoff")
        #expect(wake - now == .milliseconds(again.draw(0, 400)))
    }

    @Test func `the air and the firmware's estimate agree to the millisecond`() {
        let parameters = LoRaParameters(
            frequencyKilohertz: 869_618, bandwidthHertz: 62_500, spreadingFactor: 8, codingRate: 5)
        let airtime = Airtime(parameters)
        let onTheAir = airtime.microseconds(bytes: 100)
        let asTheFirmwareEstimates = airtime.milliseconds(bytes: 100)

        #expect(abs(onTheAir - 1000 * Int64(asTheFirmwareEstimates)) <= 1000)
    }

    @Test func `what alice seals bob opens, and her signature is hers`() {
        let alice = LocalIdentity(seed: Seed32(repeatElement(1, count: 32)))
        let bob = LocalIdentity(seed: Seed32(repeatElement(2, count: 32)))
        let sealed = Sealing.seal(Array("hello".utf8), secret: alice.sharedSecret(with: bob.publicKey))
        let opened = Sealing.open(sealed, secret: bob.sharedSecret(with: alice.publicKey))
        // The padding stays: opened is "hello" and eleven zero bytes.
        let signature = alice.sign(Array("an advert".utf8))
        let isGenuine = Ed25519.verify(signature, of: Array("an advert".utf8), by: alice.publicKey)

        #expect(opened == Array("hello".utf8) + Array(repeating: 0, count: 11))
        #expect(isGenuine)
    }

    @Test func `a packet is made, relayed, read and opened`() throws {
        let alice = LocalIdentity(seed: Seed32(repeatElement(1, count: 32)))
        let bob = LocalIdentity(seed: Seed32(repeatElement(2, count: 32)))
        let relay = LocalIdentity(seed: Seed32(repeatElement(4, count: 32)))
        let secret = alice.sharedSecret(with: bob.publicKey)
        guard let text = TextPlaintext(timestamp: 1_700_000_000, text: "Hello Bob"),
            var view = PacketFactory.datagram(
                .txtMsg, to: bob.publicKey[0], from: alice.publicKey[0], secret: secret, text)
        else { return }
        view.routeFlood(hashSize: 2)
        view.appendHop(relay.publicKey)
        let packet = try Packet(view)
        // packet.payload is .txtMsg with hashes, MAC and ciphertext; packet.path is the relay's two bytes.
        let opened = try view.opened(with: bob.sharedSecret(with: alice.publicKey))?.read(TextPlaintext.self)

        #expect(packet.path == [0xCA, 0x93])
        #expect(packet.type == .txtMsg)
        #expect(opened?.text == "Hello Bob")
    }
}
