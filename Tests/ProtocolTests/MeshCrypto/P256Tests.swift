import MeshCrypto
import MeshWire
import Testing

/// Key agreement on the curve of Secure Connections.
@Suite struct P256Tests {
    struct DataSet: Sendable {
        var privateA: String
        var privateB: String
        var publicA: (x: String, y: String)
        var secret: String
    }

    /// Bluetooth Core, Vol 2 Part G, 7.1.2: P-256 sample data, sets 1 and 2.
    static let dataSets = [
        DataSet(
            privateA: "3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd",
            privateB: "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd",
            publicA: (
                x: "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6",
                y: "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"
            ),
            secret: "ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"),
        DataSet(
            privateA: "06a516693c9aa31a6084545d0c5db641b48572b97203ddffb7ac73f7d0457663",
            privateB: "529aa0670d72cd6497502ed473502b037e8803b5c60829a5a3caa219505530ba",
            publicA: (
                x: "2c31a47b5779809ef44cb5eaaf5c3e43d5f8faad4a8794cb987e9b03745c78dd",
                y: "919512183898dfbecd52e2408e43871fd021109117bd3ed4eaf8437743715d4f"
            ),
            secret: "ab85843a2f6d883f62e5684b38e307335fe6e1945ecd19604105c6f23221eb69"),
    ]

    private func pair(_ hex: String) throws -> P256KeyPair {
        let key = try #require(FixedBytes<32>(hex: hex))
        return try #require(P256KeyPair(privateKey: key))
    }

    @Test(arguments: dataSets)
    func `both sides of the sample data agree on its secret`(data: DataSet) throws {
        let (a, b) = (try pair(data.privateA), try pair(data.privateB))

        #expect(a.publicKey.x.hex == data.publicA.x)
        #expect(a.publicKey.y.hex == data.publicA.y)
        #expect(a.sharedSecret(with: b.publicKey)?.hex == data.secret)
        #expect(b.sharedSecret(with: a.publicKey)?.hex == data.secret)
    }

    @Test func `a key that is no point of the curve is refused`() throws {
        let pair = try pair(Self.dataSets[0].privateA)
        var beside = pair.publicKey
        beside.y[31] ^= 1
        let zero = P256PublicKey(x: FixedBytes(), y: FixedBytes())
        let aboveField = P256PublicKey(
            x: FixedBytes(repeatElement(0xFF, count: 32)), y: FixedBytes(repeatElement(0xFF, count: 32)))

        for key in [beside, zero, aboveField] {
            #expect(!key.isOnCurve)
            #expect(pair.sharedSecret(with: key) == nil)
        }
        #expect(pair.publicKey.isOnCurve)
    }

    /// The group's order: FIPS 186-4, D.1.2.3.
    @Test func `private keys are the numbers below the order of the group, without zero`() throws {
        var order = try #require(
            FixedBytes<32>(hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        #expect(P256KeyPair(privateKey: order) == nil)
        #expect(P256KeyPair(privateKey: FixedBytes()) == nil)
        order[31] -= 1
        #expect(P256KeyPair(privateKey: order) != nil)
    }

    @Test func `the same random bytes give the same pair, and all give one`() {
        for byte in [UInt8(0), 1, 0x7F, 0xFF] {
            let seed = FixedBytes<40>(repeatElement(byte, count: 40))
            let pair = P256KeyPair(seed: seed)
            #expect(pair.publicKey == P256KeyPair(seed: seed).publicKey)
            #expect(pair.publicKey.isOnCurve)
        }
        #expect(P256KeyPair(seed: FixedBytes([1])).publicKey != P256KeyPair(seed: FixedBytes([2])).publicKey)
    }

    @Test func `nothing shows the private key`() throws {
        let pair = try pair(Self.dataSets[0].privateA)
        var dumped = ""
        dump(pair, to: &dumped)

        for text in ["\(pair)", String(reflecting: pair), "\([pair])", dumped] {
            #expect(!text.lowercased().contains(Self.dataSets[0].privateA.prefix(8)))
            #expect(!text.contains("privateKey"))
        }
    }
}
