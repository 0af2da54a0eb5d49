import CLibCrypto
public import MeshWire

/// A point of the curve P-256 as received; it need not be one.
public struct P256PublicKey: Hashable, Sendable {
    /// The first coordinate, the most significant byte first.
    public var x: FixedBytes<32>
    /// The second coordinate, likewise.
    public var y: FixedBytes<32>

    public init(x: FixedBytes<32>, y: FixedBytes<32>) {
        self.x = x
        self.y = y
    }

    /// The point lies on the curve, and is not the one at infinity.
    public var isOnCurve: Bool { P256Curve.withPoint(self) { _, _, _ in true } ?? false }
}

/// A key pair on the curve P-256, for agreeing on a secret.
///
/// The private key never leaves it: no description and no mirror shows it. Source: SEC 1, FIPS 186-4 D.1.2.3.
public struct P256KeyPair: Sendable {
    /// The key that the other side receives.
    public let publicKey: P256PublicKey
    private let privateKey: FixedBytes<32>

    /// The pair of a private key, most significant byte first; `nil` for 0 and for numbers from the group's order up.
    public init?(privateKey: FixedBytes<32>) {
        guard let publicKey = P256Curve.publicKey(of: privateKey) else { return nil }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// The pair of 40 random bytes; the same bytes give the same pair, and all bytes give one.
    ///
    /// They are reduced modulo the group's order less one, plus one. Source: FIPS 186-4, B.4.1.
    public init(seed: FixedBytes<40>) {
        guard let pair = P256KeyPair(privateKey: P256Curve.privateKey(from: seed)) else {
            preconditionFailure("a number within the group's order is a private key")
        }
        self = pair
    }

    /// Returns the secret that both sides have in common: the x coordinate of the shared point, most significant
    /// byte first.
    ///
    /// `nil` for a public key that is no point of the curve: with such a one a peer could learn the private key.
    public func sharedSecret(with peer: P256PublicKey) -> FixedBytes<32>? {
        P256Curve.product(of: peer, and: privateKey)
    }
}

extension P256KeyPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The x coordinate of the public key.
    public var description: String { publicKey.x.hex }
    public var debugDescription: String { description }
    /// Without the private key, for `dump` and test reports.
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// The library's arithmetic of the curve.
private enum P256Curve {
    /// Runs with the curve and room for calculations.
    static func withGroup<R>(_ body: (OpaquePointer, OpaquePointer) -> R) -> R {
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let context = BN_CTX_secure_new() else {
            preconditionFailure("libcrypto has no P-256")
        }
        defer {
            BN_CTX_free(context)
            EC_GROUP_free(group)
        }
        return body(group, context)
    }

    /// Runs with the point of a public key; `nil` when there is none.
    static func withPoint<R>(
        _ key: P256PublicKey, _ body: (_ group: OpaquePointer, _ context: OpaquePointer, _ point: OpaquePointer) -> R?
    ) -> R? {
        withGroup { group, context in
            guard let point = EC_POINT_new(group) else { preconditionFailure("no memory for a point") }
            defer { EC_POINT_free(point) }
            // 4: both coordinates follow. The library refuses coordinates that fulfil no equation of the curve.
            let encoded: [UInt8] = [4] + key.x.array + key.y.array
            guard EC_POINT_oct2point(group, point, encoded, encoded.count, context) == 1 else {
                ERR_clear_error()
                return nil
            }
            return body(group, context, point)
        }
    }

    static func privateKey(from seed: FixedBytes<40>) -> FixedBytes<32> {
        withGroup { group, context in
            guard let number = seed.withPointer({ BN_bin2bn($0, 40, nil) }), let limit = BN_new() else {
                preconditionFailure("no memory for a number")
            }
            defer {
                BN_clear_free(number)
                BN_free(limit)
            }
            return .filled { key in
                let isDone =
                    BN_copy(limit, EC_GROUP_get0_order(group)) != nil && BN_sub_word(limit, 1) == 1
                    && BN_div(nil, number, number, limit, context) == 1 && BN_add_word(number, 1) == 1
                    && BN_bn2binpad(number, key, 32) == 32
                precondition(isDone, "arithmetic within the order cannot fail")
            }
        }
    }

    static func publicKey(of privateKey: FixedBytes<32>) -> P256PublicKey? {
        withGroup { group, context in
            withScalar(privateKey, group) { scalar in
                guard let point = EC_POINT_new(group) else { preconditionFailure("no memory for a point") }
                defer { EC_POINT_free(point) }
                guard EC_POINT_mul(group, point, scalar, nil, nil, context) == 1 else { return nil }
                return coordinates(of: point, group, context)
            }
        }
    }

    static func product(of key: P256PublicKey, and privateKey: FixedBytes<32>) -> FixedBytes<32>? {
        withPoint(key) { group, context, point in
            withScalar(privateKey, group) { scalar in
                guard let product = EC_POINT_new(group) else { preconditionFailure("no memory for a point") }
                defer { EC_POINT_clear_free(product) }
                guard EC_POINT_mul(group, product, nil, point, scalar, context) == 1 else { return nil }
                return coordinates(of: product, group, context)?.x
            }
        }
    }

    /// Runs with the number of a private key; `nil` when it is not within 1 ..< the group's order.
    private static func withScalar<R>(
        _ key: FixedBytes<32>, _ group: OpaquePointer, _ body: (OpaquePointer) -> R?
    ) -> R? {
        guard let scalar = key.withPointer({ BN_bin2bn($0, 32, nil) }) else {
            preconditionFailure("no memory for a number")
        }
        defer { BN_clear_free(scalar) }
        guard BN_is_zero(scalar) == 0, BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0 else { return nil }
        return body(scalar)
    }

    /// The coordinates of a point; `nil` for the one at infinity.
    private static func coordinates(
        of point: OpaquePointer, _ group: OpaquePointer, _ context: OpaquePointer
    ) -> P256PublicKey? {
        var encoded = [UInt8](repeating: 0, count: 65)
        guard
            EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &encoded, encoded.count, context) == 65
        else { return nil }
        return P256PublicKey(x: FixedBytes(encoded[1..<33]), y: FixedBytes(encoded[33...]))
    }
}
