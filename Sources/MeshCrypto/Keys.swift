public import MeshWire

/// The identity of a node: the Ed25519 encoding of its public point. Any 32 bytes may arrive in its place.
public typealias PublicKey = FixedBytes<32>

/// An Ed25519 signature: the point R, then the scalar S, 32 bytes each.
public typealias Signature = FixedBytes<64>

/// The private key as the firmware stores and exports it: 32 bytes of scalar, then 32 bytes of nonce prefix.
public typealias ExpandedPrivateKey = FixedBytes<64>

/// The random bytes an identity is made from; the firmware does not keep them.
public typealias Seed32 = FixedBytes<32>

/// The secret that two nodes share: the raw X25519 output, without key derivation.
public typealias SharedSecret = FixedBytes<32>

/// A 128-bit channel key; a channel slot holds it zero-extended to 32 bytes.
public typealias ChannelKey = FixedBytes<16>

extension FixedBytes where size == 32 {
    /// The secret of a channel slot that holds a 128-bit key: the key, then 16 zero bytes.
    public init(channel secret: ChannelKey) {
        self = secret.withUnsafeBytes { FixedBytes<32>($0) }
    }
}
