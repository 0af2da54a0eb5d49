public import FoundationEssentials
import MeshCrypto
import MeshWire

/// The secrets that make channels.
public enum ChannelSecret {
    /// The size of a secret, in bytes.
    public static let size = 16
    /// The secret of the channel that firmware creates in slot 0.
    public static let wellKnownPublic = Data([
        0x8b, 0x33, 0x87, 0xe9, 0xc5, 0xcd, 0xea, 0x6a, 0xc9, 0xe5, 0xed, 0xba, 0xa1, 0x15, 0xcd, 0x72,
    ])
    /// Marks an empty slot.
    public static let zero = Data(repeating: 0, count: size)

    /// The first 16 bytes of SHA-256 over the passphrase; zeros for an empty one, which makes no channel.
    ///
    /// The secret of a hashtag channel is that of its name, the `#` included.
    public static func hash(_ passphrase: String) -> Data {
        passphrase.isEmpty ? zero : Data(SHA256.hash([UInt8](passphrase.utf8)).array.prefix(size))
    }

    /// Returns whether this can be the secret of a channel: 16 bytes that are not all zero.
    public static func isValid(_ secret: Data) -> Bool { secret.count == size && secret.contains { $0 != 0 } }
}
