import MeshWire
import Testing

@testable import BluetoothCapture

/// The ciphers of the link, against figures of others.
@Suite struct LinkCipherTests {
    /// Bluetooth Core, Vol 6 Part C, 1: LTK, SKDm, SKDs, IVm and IVs of the sample data.
    private let cipher = LinkCipher(
        longTermKey: FixedBytes<16>(hex: "4c68384139f574d836bcf34e9dfb01bf") ?? FixedBytes(),
        keyHalves: (0xACBD_CEDF_E0F1_0213, 0x0213_2435_4657_6879), nonceHalves: (0xBADC_AB24, 0xDEAF_BABE))

    struct Sample: Sendable {
        var side: LinkSide
        var counter: UInt64
        /// The first byte of the header, in which NESN, SN and MD do not count.
        var header: UInt8
        var plain: String
        var sealed: String
    }

    /// The packets of the same sample data.
    static let samples = [
        Sample(side: .central, counter: 0, header: 0x0F, plain: "06", sealed: "9fcda7f448"),
        Sample(side: .peripheral, counter: 0, header: 0x07, plain: "06", sealed: "a34c13a415"),
        Sample(
            side: .central, counter: 1, header: 0x0E, plain: "1700636465666768696a6b6c6d6e6f707131323334353637383930",
            sealed: "7a70d664152 26df26b17839a060405596bd6564f796b5b9ce6ff32f75a6d33".filter { $0 != " " }),
        Sample(
            side: .peripheral, counter: 1, header: 0x06,
            plain: "170037363534333231304142434445464748494a4b4c4d4e4f5051",
            sealed: "f38881e7bd94c9c369b9a66846dd4786aa8c39ce540d0dae3adcdf89b96088"),
    ]

    @Test func `the key of a session is that of the sample data`() {
        #expect(cipher.sessionKey.array.hex == "99ad1b5226a37e3e058e3b8e27c2c666")
    }

    @Test(arguments: samples)
    func `packets are sealed and opened as in the sample data`(sample: Sample) throws {
        let plain = try #require([UInt8](hex: sample.plain))
        var bytes = cipher.seal(plain, header: sample.header, counter: sample.counter, sample.side)
        #expect(bytes.hex == sample.sealed)

        let isOpen = cipher.open(&bytes, header: sample.header ^ 0x1C, counter: sample.counter, sample.side)

        #expect(isOpen)
        #expect(bytes == plain)
    }

    @Test func `another counter, side, header or bit does not open, and leaves the bytes`() {
        let sealed = cipher.seal([1, 2, 3], header: 2, counter: 7, .central)
        var bytes = sealed
        var damaged = sealed
        damaged[1] ^= 4

        #expect(!cipher.open(&bytes, header: 2, counter: 8, .central))
        #expect(!cipher.open(&bytes, header: 2, counter: 7 + 1 << 38, .central))
        #expect(!cipher.open(&bytes, header: 2, counter: 7, .peripheral))
        #expect(!cipher.open(&bytes, header: 1, counter: 7, .central))
        #expect(bytes == sealed)
        #expect(!cipher.open(&damaged, header: 2, counter: 7, .central))
        #expect(cipher.open(&bytes, header: 2, counter: 7, .central))
    }
}
