import MeshCrypto
import MeshWire
import Testing

/// Sealing of what is kept on disk, against the known answers of the mode's authors.
@Suite struct AES256GCMTests {
    struct Answer: Sendable {
        var key: String
        var nonce: String
        var plaintext: String
        var data: String
        var sealed: String
    }

    /// McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 13 to 16.
    static let answers = [
        Answer(
            key: String(repeating: "0", count: 64), nonce: "000000000000000000000000", plaintext: "", data: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Answer(
            key: String(repeating: "0", count: 64), nonce: "000000000000000000000000",
            plaintext: "00000000000000000000000000000000", data: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Answer(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", nonce: "cafebabefacedbaddecaf888",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    @Test(arguments: answers)
    func `the known answers are given and opened`(answer: Answer) throws {
        let key = FixedBytes<32>(try bytes(answer.key))
        let nonce = FixedBytes<12>(try bytes(answer.nonce))
        let data = try bytes(answer.data)

        let sealed = AES256GCM.seal(try bytes(answer.plaintext), key: key, nonce: nonce, authenticating: data)

        #expect(sealed.hex == answer.sealed)
        #expect(try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: data) == bytes(answer.plaintext))
    }

    @Test func `any changed bit of bytes, tag, key, nonce or data is noticed`() {
        let key = FixedBytes<32>(Array(1...32))
        let nonce = FixedBytes<12>(Array(1...12))
        let sealed = AES256GCM.seal(Array("secret".utf8), key: key, nonce: nonce, authenticating: [7])

        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(AES256GCM.open(changed, key: key, nonce: nonce, authenticating: [7]) == nil)
        }
        for count in 0..<sealed.count {
            #expect(AES256GCM.open(Array(sealed.prefix(count)), key: key, nonce: nonce, authenticating: [7]) == nil)
        }
        #expect(AES256GCM.open(sealed, key: FixedBytes(), nonce: nonce, authenticating: [7]) == nil)
        #expect(AES256GCM.open(sealed, key: key, nonce: FixedBytes(), authenticating: [7]) == nil)
        #expect(AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: [8]) == nil)
        #expect(AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: [7]) == Array("secret".utf8))
    }
}
