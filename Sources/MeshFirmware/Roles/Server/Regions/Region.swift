import MeshCrypto
public import MeshWire

/// An entry of a server's region table: a name under which floods may be scoped. Source: firmware, `RegionEntry`.
public struct Region: Hashable, Sendable {
    /// Counted up from 1; the wildcard has 0.
    public let id: UInt16
    /// The region that this one is a part of, 0 for the wildcard. Nothing is inherited from it.
    public internal(set) var parent: UInt16
    /// The flags that deny floods of this region.
    public internal(set) var flags: RegionFlags
    /// At most 30 bytes, with the leading `#` that it was given, if any.
    public let name: ByteText

    /// Longer names are cut.
    static let longestName = 30

    init(id: UInt16, parent: UInt16, flags: RegionFlags, name: some Sequence<UInt8>) {
        self.id = id
        self.parent = parent
        self.flags = flags
        self.name = ByteText(bytes: [UInt8](name.prefix(Self.longestName)))
    }

    /// The name as it is compared and listed: without a leading `#`.
    public var plainName: ArraySlice<UInt8> { Self.withoutHash(name.bytes[...]) }

    /// The key that marks scoped floods of this region; `nil` for a private one, whose name begins with `$`.
    ///
    /// The firmware has no storage for the keys of private regions. Source: InfrastructureNodes, "How replies travel".
    public var key: FixedBytes<16>? {
        name.bytes.first == UInt8(ascii: "$") ? nil : MeshHash.regionKey(name: name.bytes)
    }

    static func withoutHash<Name: Collection<UInt8>>(_ name: Name) -> Name.SubSequence {
        name.dropFirst(name.first == UInt8(ascii: "#") ? 1 : 0)
    }

    /// Letters, digits, `-`, `$`, `#` and every byte from `A` on, so that names may be in any script.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte >= UInt8(ascii: "A")
        }
    }
}

/// The traffic that a region refuses.
public struct RegionFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Floods scoped to the region are not forwarded (`REGION_DENY_FLOOD`).
    public static let denyFlood = RegionFlags(rawValue: 1)
    /// Kept and without meaning so far (`REGION_DENY_DIRECT`).
    public static let denyDirect = RegionFlags(rawValue: 2)
}

/// The region that a received flood belongs to.
///
/// Source: InfrastructureNodes, "How replies travel".
public enum RegionMatch: Hashable, Sendable {
    /// It is un-scoped, and such floods are allowed.
    case wildcard
    /// It carries the code of a region that allows floods.
    case region(id: UInt16, key: FixedBytes<16>)
}
