import CSodium
public import MeshWire

/// A node's own key pair, for signatures and shared secrets.
///
/// The private key is kept in the 64-byte expanded form, the only one that the firmware stores, exports and imports.
/// Source: OverTheAir, "Keys and signatures" (OTA-010, OTA-015) and "Shared secret" (OTA-011).
public struct LocalIdentity: Hashable, Sendable {
    /// The key by which others know the node, 32 bytes.
    public let publicKey: PublicKey
    /// The key that no other node may see, 64 bytes.
    public let privateKey: ExpandedPrivateKey

    /// The identity that a node makes from 32 random bytes.
    public init(seed: Seed32) {
        var hash = SHA512()
        hash.update(seed)
        var expanded = hash.finalize()
        expanded[0] &= 0xF8
        expanded[31] &= 0x3F
        expanded[31] |= 0x40
        self.init(privateKey: expanded)
    }

    /// The identity of an imported key, whose scalar is used as given: nothing is clamped or checked (see `isUsable`).
    public init(privateKey: ExpandedPrivateKey) {
        Sodium.prepare()
        self.privateKey = privateKey
        publicKey = Edwards.multipliedBase(by: privateKey.withUnsafeBytes { FixedBytes<32>($0) })
    }

    /// Makes identities until the public key begins with neither 00 nor FF, but never more than eleven.
    ///
    /// Both bytes are reserved as node hashes. The last try is kept whatever it begins with, as the firmware does.
    public static func generate(_ nextSeed: () -> Seed32) -> LocalIdentity {
        var identity = LocalIdentity(seed: nextSeed())
        for _ in 0..<10 where identity.hasReservedHash { identity = LocalIdentity(seed: nextSeed()) }
        return identity
    }

    private var hasReservedHash: Bool { publicKey[0] == 0x00 || publicKey[0] == 0xFF }

    private var scalar: FixedBytes<32> { privateKey.withUnsafeBytes { FixedBytes<32>($0) } }

    /// Signs with the expanded key; for a key made from a seed this is the standard signature.
    public func sign(_ message: UnsafeRawBufferPointer) -> Signature {
        var hash = SHA512()
        privateKey.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[32...])) }
        hash.update(message)
        let nonce = Edwards.reduced(hash.finalize())
        let commitment = Edwards.multipliedBase(by: nonce)
        let challenge = Ed25519.challenge(commitment, publicKey, message)
        let response = Edwards.multiplied(challenge, Edwards.reduced(scalar), adding: nonce)
        var signature = Signature()
        for index in 0..<32 {
            signature[index] = commitment[index]
            signature[32 + index] = response[index]
        }
        return signature
    }

    /// Signs a message; the same message gives the same signature each time.
    public func sign(_ message: [UInt8]) -> Signature {
        message.withUnsafeBytes { sign($0) }
    }

    /// Returns the raw X25519 output with the peer's key mapped to the Montgomery curve; costs some 80 µs, keep it
    /// per peer.
    ///
    /// No key is refused. One of 32 zero bytes, like every point of small order, gives the all-zero secret.
    public func sharedSecret(with peer: PublicKey) -> SharedSecret {
        Sodium.prepare()
        let y = Field25519(peer)
        let u = ((.one + y) * (.one - y).inverse).bytes
        // Libsodium clamps the scalar itself; for a point of small order it writes nothing and says so.
        return scalar.withPointer { scalar in
            u.withPointer { u in .filled { _ = crypto_scalarmult_curve25519($0, scalar, u) } }
        }
    }

    /// Returns whether the firmware would accept this key as its own.
    ///
    /// It refuses a public key that begins with 00 or FF, and a scalar that is not clamped. Key agreement clamps
    /// and the public key's derivation does not, so the two directions disagree. Source:
    /// `LocalIdentity::validatePrivateKey`.
    public static func isUsable(_ key: ExpandedPrivateKey) -> Bool {
        let candidate = LocalIdentity(privateKey: key)
        guard !candidate.hasReservedHash else { return false }
        let secret = candidate.sharedSecret(with: counterpart.publicKey)
        return secret == counterpart.sharedSecret(with: candidate.publicKey) && !secret.isZero
    }

    /// The other side of the trial agreement. The firmware has a pair of its own; any sound pair gives the same
    /// verdict.
    private static let counterpart = LocalIdentity(seed: Seed32(repeatElement(0x5A, count: 32)))
}

extension LocalIdentity: CustomStringConvertible {
    /// The public key; the private one is not for logs.
    public var description: String { publicKey.hex }
}
