import MeshCrypto
public import MeshWire

/// The repeaters that are to relay a flood, and the key that shows them so.
public enum ScopeKey: Hashable, Sendable {
    /// All of them.
    case disabled
    /// The name of a channel, used as it is.
    case channelName(String)
    /// A key of one's own, 16 bytes.
    case rawKey(FixedBytes<16>)
    /// A region's name, without its `#`.
    case region(String)

    /// The key that goes to the radio; all zero for no scope.
    public var key: FixedBytes<16> {
        switch self {
        case .disabled: FixedBytes()
        case .channelName(let name): FixedBytes(SHA256.hash([UInt8](name.utf8)).array)
        case .rawKey(let key): key
        case .region(let name): MeshHash.regionKey(name: [UInt8](name.utf8))
        }
    }
}
