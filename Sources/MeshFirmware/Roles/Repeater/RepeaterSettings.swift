public import MeshPacket
public import MeshWire

/// What an administrator sets on a repeater, with the firmware's defaults.
///
/// Source: infrastructure document §3.3 (keys in brackets); firmware, `NodePrefs` and `MyMesh::MyMesh` of
/// simple_repeater.
public struct RepeaterSettings: Hashable, Sendable {
    /// The name in adverts (`name`), at most 31 bytes.
    public var name: ByteText
    /// The place in adverts (`lat`, `lon`); a repeater that was told none says 0, 0.
    public var position = AdvertData.Location(latitude: 0, longitude: 0)
    /// Whether nothing is forwarded (`repeat.disable`).
    public var isForwardingDisabled = false
    /// Floods with so many hops go no further (`f_max`): all of them, un-scoped ones (`f_max_uns`), adverts (`f_max_adv`).
    public var floodMax: UInt8 = 64
    public var floodMaxUnscoped: UInt8 = 64
    public var floodMaxAdvert: UInt8 = 8
    /// Whether un-scoped floods are forwarded: the wildcard region without its "deny flood" flag.
    public var allowsUnscopedFloods = true
    /// Whether it adverts itself at zero hop 16 s after boot (`ENABLE_ADVERT_ON_BOOT`).
    public var advertsOnBoot = true
    /// Regions in the order of the table; a scoped flood passes when one of them allows it and its code fits.
    public var regions: [RepeaterRegion] = []
    /// When a flood that has been here before is not sent on (`loop`).
    public var loopDetection = LoopDetection.off
    /// Time between zero-hop adverts in steps of two minutes (`adv_int`), 0 for none.
    public var advertInterval: UInt8 = 1
    /// Hours between flooded adverts (`f_adv_int`), 0 for none.
    public var floodAdvertInterval: UInt8 = 47
    /// Bytes of the path hashes of flooded adverts, less one (`hash_mode`).
    public var pathHashMode: UInt8 = 0
    /// Factor of the airtime from which the delay of forwarded floods is drawn (`f_txdelay`), 0…2.
    public var floodDelayFactor: Float = 0.5
    /// The same for direct packets (`d_txdelay`).
    public var directDelayFactor: Float = 0.3
    /// Base of the delay of weakly heard floods (`rxdelay`), 0 for none.
    public var receiveDelayBase: Float = 0
    /// Silence per time of sending (`af`): 1 is a duty cycle of one half.
    public var airtimeFactor: Float = 1
    /// Extra copies of forwarded direct acknowledgements (`multi_ack`).
    public var extraAcks: UInt8 = 0

    public init(name: ByteText) {
        self.name = name.prefix(31)
    }
}

/// An entry of a repeater's region table. Source: over-the-air document §12.
public struct RepeaterRegion: Hashable, Sendable {
    /// At most 30 bytes, with or without the leading `#`. Private regions, which begin with `$`, never match.
    public var name: ByteText
    /// Without its "deny flood" flag.
    public var allowsFlood: Bool

    public init(name: ByteText, allowsFlood: Bool = true) {
        self.name = name.prefix(30)
        self.allowsFlood = allowsFlood
    }
}

/// How often a repeater's own hash may be in the path of a flood that it sends on. Source: over-the-air document §15.2.
public enum LoopDetection: UInt8, Hashable, Sendable, CaseIterable {
    case off
    case minimal
    case moderate
    case strict

    /// So many own hashes of this size stop a flood; `nil` for no limit.
    public func limit(hashSize: Int) -> Int? {
        switch self {
        case .off: nil
        case .minimal: hashSize == 1 ? 4 : hashSize == 2 ? 2 : 1
        case .moderate: hashSize == 1 ? 2 : 1
        case .strict: 1
        }
    }
}
