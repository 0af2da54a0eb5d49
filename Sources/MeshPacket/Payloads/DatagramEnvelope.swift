public import MeshWire

/// The outer form of REQ, RESPONSE, TXT_MSG and PATH: two node hashes and sealed bytes.
///
/// The hashes are the first bytes of the public keys; the seal uses the secret that the two nodes share. The length of
/// the plaintext is lost in the padding. Source: OverTheAir, "Datagrams".
public struct DatagramEnvelope: FieldGroup, Hashable {
    /// The first byte of the addressee's key.
    public var destinationHash: UInt8 = 0
    /// The first byte of the sender's key.
    public var sourceHash: UInt8 = 0
    /// The first two bytes of the HMAC over the ciphertext.
    public var mac = FixedBytes<2>()
    /// Whole cipher blocks; anything else is garbage that is still forwarded.
    public var ciphertext: [UInt8] = []

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("dest_hash", &destinationHash, unit: .hex)
        w.u8("src_hash", &sourceHash, unit: .hex)
        w.fixed("mac", &mac)
        w.rest("ciphertext", &ciphertext, atMost: 176)
    }
}

/// The outer form of GRP_TXT and GRP_DATA: the hash of a channel and bytes sealed with its key.
///
/// Source: OverTheAir, "Group packets".
public struct GroupDatagram: FieldGroup, Hashable {
    /// The first byte of the digest of the channel's secret.
    public var channelHash: UInt8 = 0
    /// The first two bytes of the HMAC over the ciphertext.
    public var mac = FixedBytes<2>()
    /// Whole cipher blocks; anything else is garbage that is still forwarded.
    public var ciphertext: [UInt8] = []

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("channel_hash", &channelHash, unit: .hex)
        w.fixed("mac", &mac)
        w.rest("ciphertext", &ciphertext, atMost: 176)
    }
}

/// A sealed request whose sender need not be known to the addressee: it carries the sender's whole key.
///
/// Logins to server roles, and a repeater's questions about regions, owner and clock.
/// Source: OverTheAir, "Anonymous requests".
public struct AnonymousRequest: FieldGroup, Hashable {
    /// The first byte of the addressee's key.
    public var destinationHash: UInt8 = 0
    /// The sender's key, 32 bytes.
    public var senderKey = FixedBytes<32>()
    /// The first two bytes of the HMAC over the ciphertext.
    public var mac = FixedBytes<2>()
    /// Whole cipher blocks; anything else is garbage that is still forwarded.
    public var ciphertext: [UInt8] = []

    public init() {}

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("dest_hash", &destinationHash, unit: .hex)
        w.fixed("sender_pub_key", &senderKey)
        w.fixed("mac", &mac)
        w.rest("ciphertext", &ciphertext, atMost: 144)
    }
}
