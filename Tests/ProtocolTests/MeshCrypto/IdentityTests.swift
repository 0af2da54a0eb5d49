import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

@Suite struct IdentityTests {
    @Test(.proves("OTA-010"), arguments: OTAVector.kind("identity"))
    func `identities follow from their seed`(row: OTAVector) throws {
        let identity = LocalIdentity(seed: try row.fixed("seed"))

        let part = row.name.hasSuffix("_prv64") ? identity.privateKey.hex : identity.publicKey.hex
        #expect(part == row.output)
    }

    @Test(.proves("OTA-011"), arguments: OTAVector.kind("ecdh"))
    func `secrets are the raw X25519 output for the mapped key`(row: OTAVector) throws {
        let identity = LocalIdentity(privateKey: try row.fixed("prv64"))

        #expect(identity.sharedSecret(with: try row.fixed("peer_pub")).hex == row.output)
    }

    @Test(.proves("OTA-011"), arguments: OddKeys.all.agreements)
    func `odd keys and scalars are taken as the firmware takes them`(row: OddKeys.AgreementRow) throws {
        let identity = LocalIdentity(privateKey: try #require(FixedBytes(hex: row.privateKey)))

        #expect(identity.publicKey.hex == row.publicKey)
        #expect(identity.sharedSecret(with: try #require(FixedBytes(hex: row.peer))).hex == row.secret)
    }

    @Test(arguments: CryptoCompanionVectors.all.identities.keys.sorted())
    func `public keys follow from imported private keys`(name: String) throws {
        let pair = try #require(CryptoCompanionVectors.all.identities[name])
        let key = try #require(ExpandedPrivateKey(hex: pair.privateKey64))

        #expect(LocalIdentity(privateKey: key).publicKey.hex == pair.publicKey)
        #expect(LocalIdentity.isUsable(key))
    }

    @Test(.proves("OTA-015")) func `keys that are not clamped are refused on import`() {
        let alice = LocalIdentity(seed: Seed32(repeatElement(1, count: 32)))
        #expect(LocalIdentity.isUsable(alice.privateKey))

        for (index, bit) in [(0, 1), (0, 2), (0, 4), (31, 0x40), (31, 0x80)] as [(Int, UInt8)] {
            var key = alice.privateKey
            key[index] ^= bit
            #expect(!LocalIdentity.isUsable(key), "byte \(index), bit \(bit)")
        }
        #expect(!LocalIdentity.isUsable(ExpandedPrivateKey()))
        #expect(!LocalIdentity.isUsable(ExpandedPrivateKey(repeatElement(0xFF, count: 64))))
    }

    @Test(.proves("OTA-015"), arguments: [0x00, 0xFF] as [UInt8])
    func `keys with a reserved first byte are refused on import and passed over on generation`(first: UInt8) throws {
        var draws = Draws(seed: 15)
        var reserved: Seed32?
        for _ in 0..<4000 {
            let seed: Seed32 = draws.fixed()
            if LocalIdentity(seed: seed).publicKey[0] == first {
                reserved = seed
                break
            }
        }
        let bad = try #require(reserved)
        #expect(!LocalIdentity.isUsable(LocalIdentity(seed: bad).privateKey))

        let good = Seed32(repeatElement(1, count: 32))
        var asked = 0
        let identity = LocalIdentity.generate {
            asked += 1
            return asked <= 3 ? bad : good
        }
        #expect(identity == LocalIdentity(seed: good))
        #expect(asked == 4)

        asked = 0
        let last = LocalIdentity.generate {
            asked += 1
            return bad
        }
        #expect(last == LocalIdentity(seed: bad))
        #expect(asked == 11)
    }

    @Test func `both sides of any pair agree on their secret`() {
        var draws = Draws(seed: 11)
        for _ in 0..<50 {
            let (a, b) = (LocalIdentity(seed: draws.fixed()), LocalIdentity(seed: draws.fixed()))
            #expect(a.sharedSecret(with: b.publicKey) == b.sharedSecret(with: a.publicKey))
            #expect(!a.sharedSecret(with: b.publicKey).isZero)
        }
    }

    @Test func `an identity prints without its private key`() {
        let alice = LocalIdentity(seed: Seed32(repeatElement(1, count: 32)))
        #expect("\(alice)" == "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c")
    }
}
