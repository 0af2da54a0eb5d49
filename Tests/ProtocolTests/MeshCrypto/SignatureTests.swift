import MeshCrypto
import MeshWire
import Testing

/// A test of RFC 8032, section 7.1.
struct StandardSignature: Sendable {
    let seed: String
    let publicKey: String
    let message: String
    let signature: String

    static let all = [
        StandardSignature(
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        StandardSignature(
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        StandardSignature(
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    ]
}

@Suite struct SignatureTests {
    @Test(arguments: StandardSignature.all)
    func `signing with the expanded key gives the standard signature`(row: StandardSignature) throws {
        let identity = LocalIdentity(seed: try #require(Seed32(hex: row.seed)))
        let message = try #require([UInt8](hex: row.message))

        #expect(identity.publicKey.hex == row.publicKey)
        let signature = identity.sign(message)
        #expect(signature.hex == row.signature)
        #expect(Ed25519.verify(signature, of: message, by: identity.publicKey))
    }

    @Test(arguments: OddKeys.all.signatures)
    func `odd signatures get the firmware's verdict`(row: OddKeys.SignatureRow) throws {
        let signature = try #require(Signature(hex: row.signature))
        let key = try #require(PublicKey(hex: row.publicKey))
        let message = try #require([UInt8](hex: row.message))

        #expect(Ed25519.verify(signature, of: message, by: key) == row.valid)
    }

    @Test func `a signature whose S has the group order added is accepted`() throws {
        let order = try #require(
            [UInt8](hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
        var draws = Draws(seed: 5)
        for length in 0..<40 {
            let identity = LocalIdentity(seed: draws.fixed())
            let message = draws.bytes(length)
            var signature = identity.sign(message)
            var carry: UInt16 = 0
            for index in 0..<32 {
                carry += UInt16(signature[32 + index]) + UInt16(order[index])
                signature[32 + index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            #expect(Ed25519.verify(signature, of: message, by: identity.publicKey))
        }
    }

    @Test func `a flipped bit anywhere but in the top of S is refused`() {
        let identity = LocalIdentity(seed: Seed32(repeatElement(2, count: 32)))
        let message: [UInt8] = [1, 2, 3]
        let signature = identity.sign(message)

        for bit in 0..<512 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(Ed25519.verify(changed, of: message, by: identity.publicKey) == (bit == 511), "bit \(bit)")
        }
        for bit in 0..<256 {
            var key = identity.publicKey
            key[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Ed25519.verify(signature, of: message, by: key))
        }
        #expect(!Ed25519.verify(signature, of: [1, 2, 2], by: identity.publicKey))
        #expect(!Ed25519.verify(signature, of: [1, 2, 3, 0], by: identity.publicKey))
    }

    @Test func `whatever an imported key signs verifies under its public key`() {
        var draws = Draws(seed: 6)
        for length in 0..<40 {
            // Neither clamped nor below 2^255.
            let identity = LocalIdentity(privateKey: draws.fixed())
            let message = draws.bytes(length * 5)
            #expect(Ed25519.verify(identity.sign(message), of: message, by: identity.publicKey))
        }
    }

    @Test func `random bytes are no signature and stop nothing`() {
        var draws = Draws(seed: 7)
        for _ in 0..<300 {
            #expect(!Ed25519.verify(draws.fixed(), of: draws.bytes(20), by: draws.fixed()))
        }
        #expect(!Ed25519.verify(draws.fixed(), of: [], by: PublicKey()))
    }
}
