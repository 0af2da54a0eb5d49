import CSodium
import MeshWire

/// Points and scalars of Ed25519 in their 32-byte encodings.
///
/// Composed from libsodium's arithmetic where that accepts any point. Its multiplication is not used, as it
/// requires points of the large subgroup.
enum Edwards {
    typealias Point = FixedBytes<32>
    typealias Scalar = FixedBytes<32>

    static let identity: Point = {
        var point = Point()
        point[0] = 1
        return point
    }()

    /// A 512-bit number modulo the group order L.
    static func reduced(_ number: FixedBytes<64>) -> Scalar {
        number.withPointer { number in .filled { crypto_core_ed25519_scalar_reduce($0, number) } }
    }

    /// A 256-bit number modulo the group order L.
    static func reduced(_ number: FixedBytes<32>) -> Scalar {
        reduced(number.withUnsafeBytes { FixedBytes<64>($0) })
    }

    /// a·b + c modulo L, for reduced numbers.
    static func multiplied(_ a: Scalar, _ b: Scalar, adding c: Scalar) -> Scalar {
        let product: Scalar = a.withPointer { a in
            b.withPointer { b in .filled { crypto_core_ed25519_scalar_mul($0, a, b) } }
        }
        return product.withPointer { product in
            c.withPointer { c in .filled { crypto_core_ed25519_scalar_add($0, product, c) } }
        }
    }

    /// The base point times a number of 256 bits, none of them changed.
    static func multipliedBase(by number: FixedBytes<32>) -> Point {
        // Libsodium leaves the top bit out, so a number that has it is reduced first. Its return code only says whether
        // the result is the identity.
        let scalar = number[31] < 128 ? number : reduced(number)
        return scalar.withPointer { scalar in
            .filled { _ = crypto_scalarmult_ed25519_base_noclamp($0, scalar) }
        }
    }

    /// The sum of two points, in the encoding that is the only one; `nil` when one of them is no point.
    static func sum(_ a: Point, _ b: Point) -> Point? {
        var isPoint = false
        let sum: Point = a.withPointer { a in
            b.withPointer { b in .filled { isPoint = crypto_core_ed25519_add($0, a, b) == 0 } }
        }
        return isPoint ? sum : nil
    }

    /// The point in the encoding that is the only one; `nil` for no point, and for a signed zero x.
    static func decoded(_ bytes: Point) -> Point? {
        guard let point = sum(bytes, identity), point[31] >> 7 == bytes[31] >> 7 else { return nil }
        return point
    }

    /// Any decoded point times a reduced scalar, by doubling and adding; slow (milliseconds), for odd points only.
    static func multiplied(_ point: Point, by scalar: Scalar) -> Point? {
        var result = identity
        // The order of such a point divides eight, so three bits say all.
        let bits = isSmallOrder(point) ? 3 : 253
        for bit in (0..<bits).reversed() {
            guard let doubled = sum(result, result) else { return nil }
            result = doubled
            if scalar[bit / 8] >> UInt8(bit % 8) & 1 == 1 {
                guard let added = sum(result, point) else { return nil }
                result = added
            }
        }
        return result
    }

    /// Returns whether strict libraries refuse these bytes as a point at once although they may encode one.
    static func isOdd(_ bytes: Point) -> Bool {
        isAboveField(bytes) || isSmallOrder(bytes)
    }

    /// Returns whether the y coordinate is written as a number from p up.
    private static func isAboveField(_ bytes: Point) -> Bool {
        guard bytes[0] >= 0xED, bytes[31] & 0x7F == 0x7F else { return false }
        for index in 1..<31 where bytes[index] != 0xFF { return false }
        return true
    }

    /// Returns whether the point, its y written below p, has an order of 1, 2, 4 or 8: y is 0, 1, −1 or one of two
    /// others.
    private static func isSmallOrder(_ bytes: Point) -> Bool {
        var y = bytes
        y[31] &= 0x7F
        return y.isZero || y == identity || y == minusOne || y == order8 || y == minusOrder8
    }

    private static let minusOne = coordinate(0x7FFF_FFFF_FFFF_FFFF, .max, .max, 0xFFFF_FFFF_FFFF_FFEC)
    private static let order8 = coordinate(
        0x05FC_536D_8802_38B1, 0x3933_C6D3_05AC_DFD5, 0xF098_EFF2_89F4_C345, 0xB027_B2C2_8F95_E826)
    private static let minusOrder8 = coordinate(
        0x7A03_AC92_77FD_C74E, 0xC6CC_392C_FA53_202A, 0x0F67_100D_760B_3CBA, 0x4FD8_4D3D_706A_17C7)

    private static func coordinate(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> FixedBytes<32> {
        var bytes = FixedBytes<32>()
        for (word, value) in [d, c, b, a].enumerated() {
            for index in 0..<8 { bytes[8 * word + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
        }
        return bytes
    }
}
