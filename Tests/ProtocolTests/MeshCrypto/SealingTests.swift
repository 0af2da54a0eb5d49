import MeshCrypto
import MeshTestSupport
import MeshWire
import Testing

@Suite struct SealingTests {
    @Test(.proves("OTA-012"), arguments: OTAVector.kind("crypto"))
    func `sealing uses 16 secret bytes, a MAC of two and zero padding`(row: OTAVector) throws {
        let secret: SharedSecret = try row.fixed("secret")
        let plaintext = try row.bytes("plaintext")

        let blob = Sealing.seal(plaintext, secret: secret)

        #expect(blob.hex == row.output)
        let opened = try #require(Sealing.open(blob, secret: secret))
        #expect(opened.count == blob.count - 2)
        #expect(opened.starts(with: plaintext))
        #expect(opened[plaintext.count...].allSatisfy { $0 == 0 })
    }

    @Test func `the cipher is AES-128 as in FIPS 197`() throws {
        let plaintext = try #require([UInt8](hex: "00112233445566778899aabbccddeeff"))
        let secret = SharedSecret(0..<16)

        #expect(Sealing.seal(plaintext, secret: secret)[2...].hex == "69c4e0d86a7b0430d8cdb78070b4c55a")
    }

    @Test func `what is sealed opens with the same secret only`() {
        var draws = Draws(seed: 12)
        for length in 0...184 {
            let secret: SharedSecret = draws.fixed()
            let plaintext = draws.bytes(length)
            var blob: [UInt8] = [0xAA, 0xBB]
            plaintext.withUnsafeBytes { Sealing.seal($0, secret: secret, into: &blob) }
            #expect(blob.count == 2 + Sealing.sealedSize(of: length))
            #expect(blob.starts(with: [0xAA, 0xBB]))

            let opened = Sealing.open([UInt8](blob[2...]), secret: secret)
            if length == 0 {
                #expect(opened == nil)
            } else {
                #expect(opened?.prefix(length) == plaintext[...])
            }

            // Only the MAC sees the upper half of the secret.
            var other = secret
            other[31] ^= 1
            let refused = Sealing.open([UInt8](blob[2...]), secret: other)
            let mac = HMACSHA256.authenticate(key: other.array, [UInt8](blob[4...])).prefix(2)
            #expect(refused == nil || mac == blob[2..<4])
        }
    }

    @Test func `a flipped bit is refused`() {
        let secret = SharedSecret(repeatElement(3, count: 32))
        let blob = Sealing.seal([UInt8](0..<40), secret: secret)
        var accepted = 0
        for bit in 0..<blob.count * 8 {
            var changed = blob
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            if Sealing.open(changed, secret: secret) != nil { accepted += 1 }
        }
        // Sixteen bits of MAC let one in 65,536 pass; of these 400 none does.
        #expect(accepted == 0)
    }

    @Test func `short blobs and broken blocks are refused and leave the output alone`() {
        let secret = SharedSecret(repeatElement(4, count: 32))
        for count in 0...40 {
            let ciphertext = [UInt8](repeating: 9, count: count)
            let mac = HMACSHA256.authenticate(key: secret.array, ciphertext)
            let blob = [mac[0], mac[1]] + ciphertext
            var output: [UInt8] = [7]

            let isOpen = blob.withUnsafeBytes { Sealing.open($0, secret: secret, into: &output) }

            #expect(blob.withUnsafeBytes { Sealing.verify($0, secret: secret) } == (count > 0))
            #expect(isOpen == (count > 0 && count % 16 == 0))
            #expect(isOpen || output == [7])
        }
        #expect(Sealing.open([], secret: secret) == nil)
        #expect(Sealing.open([1], secret: secret) == nil)
        #expect(Sealing.open([1, 2], secret: secret) == nil)
    }

    @Test func `sealing into memory is sealing into an array`() {
        let secret = SharedSecret(repeatElement(5, count: 32))
        let plaintext = [UInt8](0..<50)
        var memory = [UInt8](repeating: 0xEE, count: 100)

        let size = memory.withUnsafeMutableBytes { output in
            plaintext.withUnsafeBytes { Sealing.seal($0, secret: secret, into: output) }
        }
        #expect([UInt8](memory[..<size]) == Sealing.seal(plaintext, secret: secret))
        #expect(memory[size...].allSatisfy { $0 == 0xEE })

        var opened = [UInt8](repeating: 0xEE, count: 100)
        let count = opened.withUnsafeMutableBytes { output in
            memory[..<size].withUnsafeBytes { Sealing.open($0, secret: secret, into: output) }
        }
        #expect(count == 64)
        #expect(opened[..<64] == (plaintext + [UInt8](repeating: 0, count: 14))[...])
        #expect(opened[64...].allSatisfy { $0 == 0xEE })
    }

    @Test func `threads that seal at once do not disturb each other`() async {
        let expected = (0..<8).map { number in
            Sealing.seal([UInt8](0..<100), secret: SharedSecret(repeatElement(UInt8(number), count: 32)))
        }
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let secret = SharedSecret(repeatElement(UInt8(number), count: 32))
                    return (0..<500).allSatisfy { _ in
                        Sealing.seal([UInt8](0..<100), secret: secret) == expected[number]
                    }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
