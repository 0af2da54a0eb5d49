import MeshCrypto
import MeshWire
import Testing

/// The code over messages that Secure Connections are made of.
@Suite struct AESCMACTests {
    /// RFC 4493, section 4: the examples 1 to 4, beginnings of one message.
    @Test(arguments: [
        (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
        (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
    ])
    func `the examples of the standard come out`(count: Int, code: String) throws {
        let key = try #require(FixedBytes<16>(hex: "2b7e151628aed2a6abf7158809cf4f3c"))
        let message = try #require(
            [UInt8](
                hex: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                    + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"))

        #expect(AESCMAC.authenticate(Array(message.prefix(count)), key: key).hex == code)
    }

    @Test func `each length has a code of its own`() {
        let codes = (0..<200).map { AESCMAC.authenticate([UInt8](repeating: 0, count: $0), key: FixedBytes()) }

        #expect(Set(codes).count == codes.count)
    }
}
