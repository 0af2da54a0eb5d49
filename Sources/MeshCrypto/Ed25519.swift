import CSodium
public import MeshWire

/// Signatures as the nodes of the mesh judge them.
public enum Ed25519 {
    /// Returns whether `signature` is one that the firmware accepts from `key` for `message`.
    ///
    /// The firmware is more lenient than the standard: it checks S·B = R + k·A as points, without the cofactor. It
    /// accepts any point for A and R in any encoding (a zero x with a sign is refused). It does not require S to be
    /// below L, and ignores the top bit of S. Boards that verify in hardware may refuse signatures that only this
    /// lenience accepts. Source: OverTheAir, "Keys and signatures"; the portable build calls `Ed25519::verify` of
    /// rweather/Crypto.
    public static func verify(_ signature: Signature, of message: UnsafeRawBufferPointer, by key: PublicKey) -> Bool {
        Sodium.prepare()
        // What the strict check accepts, the lenient one does too; only a refusal needs a closer look.
        if isStrictlyValid(signature, message, key) { return true }

        let written = signature.withUnsafeBytes { FixedBytes<32>(UnsafeRawBufferPointer(rebasing: $0[32...])) }
        var scalar = written
        scalar[31] &= 0x7F
        scalar = Edwards.reduced(scalar)
        if scalar != written {
            // The hash does not cover S, so S may be replaced by the number it stands for.
            var usual = signature
            for index in 0..<32 { usual[32 + index] = scalar[index] }
            if isStrictlyValid(usual, message, key) { return true }
        }

        let commitment = signature.withUnsafeBytes { FixedBytes<32>($0) }
        guard Edwards.isOdd(key) || Edwards.isOdd(commitment) else { return false }
        guard let keyPoint = Edwards.decoded(key), let commitmentPoint = Edwards.decoded(commitment),
            let product = Edwards.multiplied(keyPoint, by: challenge(commitment, key, message)),
            let sum = Edwards.sum(commitmentPoint, product)
        else { return false }
        return sum == Edwards.multipliedBase(by: scalar)
    }

    /// Returns whether the signature is that of the key's owner over these bytes; a useless key or signature is not
    /// valid.
    public static func verify(_ signature: Signature, of message: [UInt8], by key: PublicKey) -> Bool {
        message.withUnsafeBytes { verify(signature, of: $0, by: key) }
    }

    /// k, the number that binds a signature to key and message.
    static func challenge(
        _ commitment: FixedBytes<32>, _ key: PublicKey, _ message: UnsafeRawBufferPointer
    ) -> Edwards.Scalar {
        var hash = SHA512()
        hash.update(commitment)
        hash.update(key)
        hash.update(message)
        return Edwards.reduced(hash.finalize())
    }

    private static func isStrictlyValid(
        _ signature: Signature, _ message: UnsafeRawBufferPointer, _ key: PublicKey
    ) -> Bool {
        signature.withPointer { signature in
            key.withPointer { key in
                crypto_sign_ed25519_verify_detached(signature, message.start, UInt64(message.count), key) == 0
            }
        }
    }
}
