import MeshCrypto
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// The functions of Secure Connections and of addresses, against figures of others.
@Suite struct SecureFunctionTests {
    private func bytes<let size: Int>(_ hex: some StringProtocol) -> FixedBytes<size> {
        FixedBytes(hex: hex) ?? FixedBytes()
    }

    private func address(_ type: some StringProtocol, _ hex: some StringProtocol) -> BluetoothAddress {
        BluetoothAddress(number: UInt64(hex, radix: 16) ?? 0, isRandom: type == "01")
    }

    private let u = "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6"
    private let v = "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd"
    private let n1 = "d5cb8454d177733effffb2ec712baeab"
    private let n2 = "a6e8e7cc25a75f6e216583f7ff3dc4cf"

    /// Bluetooth Core, Vol 3 Part H, D.2.
    @Test func `f4 is that of the specification`() {
        #expect(
            SMP.confirm(u: bytes(u), v: bytes(v), random: bytes(n1), z: 0).hex == "f2c916f107a9bd1cf1eda1bea974872d")
    }

    /// Bluetooth Core, Vol 3 Part H, D.3.
    @Test func `f5 is that of the specification`() {
        let keys = SMP.keys(
            secret: bytes("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"),
            initiatorRandom: bytes(n1), responderRandom: bytes(n2), initiator: address("00", "56123737bfce"),
            responder: address("00", "a713702dcfc1"))

        #expect(keys.check.hex == "2965f176a1084a02fd3f6a20ce636e20")
        #expect(keys.longTerm.hex == "6986791169d7cd23980522b594750a38")
    }

    /// Bluetooth Core, Vol 3 Part H, D.4.
    @Test func `f6 is that of the specification`() {
        let check = SMP.check(
            key: bytes("2965f176a1084a02fd3f6a20ce636e20"), own: bytes(n1), other: bytes(n2),
            passkey: bytes("12a3343bb453bb5408da42d20c2d0fc8"), features: bytes("010102"),
            from: address("00", "56123737bfce"), to: address("00", "a713702dcfc1"))

        #expect(check.hex == "e3c473989cd0e8c5d26c0b09da958f61")
    }

    /// Bluetooth Core, Vol 3 Part H, D.7.
    @Test func `ah is that of the specification, and resolves its address only`() {
        let key: FixedBytes<16> = bytes("ec0234a357c8ad05341010a60a397d9b")

        #expect(SMP.addressHash(key: key, random: 0x708194) == 0x0DFBAA)
        #expect(SMP.resolves(BluetoothAddress(number: 0x7081_940D_FBAA, isRandom: true), by: key))
        #expect(!SMP.resolves(BluetoothAddress(number: 0x7081_940D_FBAB, isRandom: true), by: key))
        #expect(!SMP.resolves(BluetoothAddress(number: 0x7081_940D_FBAA, isRandom: false), by: key))
    }

    /// Random inputs, made and computed with Bumble 0.0.236 (`bumble.crypto`), turned to the specification's byte
    /// order.
    @Test func `another implementation comes to the same on random inputs`() throws {
        let lines = SecureFunctionVectors.bumble.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count == 40)
        for line in lines { check(name: String(line[0]), line.dropFirst().map(String.init)) }
    }

    private func check(name: String, _ f: [String]) {
        switch name {
        case "f4":
            let z: FixedBytes<1> = bytes(f[3])
            #expect(SMP.confirm(u: bytes(f[0]), v: bytes(f[1]), random: bytes(f[2]), z: z[0]).hex == f[4])
        case "f5":
            let keys = SMP.keys(
                secret: bytes(f[0]), initiatorRandom: bytes(f[1]), responderRandom: bytes(f[2]),
                initiator: address(f[3], f[4]), responder: address(f[5], f[6]))
            #expect(keys.check.hex == f[7])
            #expect(keys.longTerm.hex == f[8])
        case "f6":
            let value = SMP.check(
                key: bytes(f[0]), own: bytes(f[1]), other: bytes(f[2]), passkey: bytes(f[3]), features: bytes(f[4]),
                from: address(f[5], f[6]), to: address(f[7], f[8]))
            #expect(value.hex == f[9])
        case "c1":
            let value = SMP.confirm(
                key: bytes(f[0]), random: bytes(f[1]), request: bytes(f[2]), response: bytes(f[3]),
                initiator: address(f[4], f[6]), responder: address(f[5], f[7]))
            #expect(value.hex == f[8])
        case "s1":
            #expect(SMP.shortTermKey(key: bytes(f[0]), responder: bytes(f[1]), initiator: bytes(f[2])).hex == f[3])
        case "ah":
            let hash = SMP.addressHash(key: bytes(f[0]), random: UInt32(f[1], radix: 16) ?? 0)
            #expect(hash == UInt32(f[2], radix: 16))
        case "p256":
            let pair = P256KeyPair(privateKey: bytes(f[0]))
            #expect(pair?.publicKey == P256PublicKey(x: bytes(f[1]), y: bytes(f[2])))
            #expect(pair?.sharedSecret(with: P256PublicKey(x: bytes(f[3]), y: bytes(f[4])))?.hex == f[5])
        default: Issue.record("no function \(name)")
        }
    }
}
