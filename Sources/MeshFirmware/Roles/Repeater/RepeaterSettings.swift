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
