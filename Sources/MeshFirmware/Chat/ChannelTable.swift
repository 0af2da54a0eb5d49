import MeshCrypto
public import MeshWire

/// One group channel: a name for people and the secret that its packets are sealed with.
public struct GroupChannel: Hashable, Sendable {
    /// At most 31 bytes and a NUL.
    public var name: FixedBytes<32>
    /// A 128-bit key is followed by 16 zero bytes.
    public var secret: FixedBytes<32>
    /// First byte of group packets. Zero until the slot was first written.
    public var hash: UInt8

    /// An unused slot.
    public init() {
        name = FixedBytes()
        secret = FixedBytes()
        hash = 0
    }

    public init(name: ByteText, secret: FixedBytes<32>) {
        self.name = FixedBytes(text: name.untilNUL.prefix(31))
        self.secret = secret
        hash = MeshHash.channelHash(secret: secret)
    }

    /// True when the slot has no key: packets sealed with the all-zero key still match it.
    public var isUnused: Bool { secret.isZero }

    /// "Public", which every node is born with in slot 0.
    public static let publicChannel = GroupChannel(
        name: "Public",
        secret: FixedBytes([
            0x8B, 0x33, 0x87, 0xE9, 0xC5, 0xCD, 0xEA, 0x6A, 0xC9, 0xE5, 0xED, 0xBA, 0xA1, 0x15, 0xCD, 0x72,
        ]))
}

/// The channel slots of a companion; all exist at all times (CMP-128, CMP-152).
public struct ChannelTable: Sendable {
    /// Every slot in order; a free one has no name and a zero key.
    public private(set) var slots: [GroupChannel]
    /// True when unused slots take part in reception with the all-zero key.
    let usesZeroKeys: Bool

    /// True when slots without a name take no part in reception (FWV-111).
    let skipsUnnamed: Bool

    /// All slots unused but the first, which is "Public".
    public init(count: Int, usesZeroKeys: Bool = true, skipsUnnamed: Bool = false) {
        slots = Array(repeating: GroupChannel(), count: count)
        self.usesZeroKeys = usesZeroKeys
        self.skipsUnnamed = skipsUnnamed
        if count > 0 { slots[0] = .publicChannel }
    }

    /// The number of slots, used or not.
    public var count: Int { slots.count }

    /// The channel in a slot; `nil` for an index that the board does not have.
    public subscript(index: Int) -> GroupChannel? {
        slots.indices.contains(index) ? slots[index] : nil
    }

    /// A channel that may be sent to: with the quirk off, an unused slot is none.
    func usable(_ index: Int) -> GroupChannel? {
        guard let channel = self[index], usesZeroKeys || !channel.isUnused else { return nil }
        return channel
    }

    /// Puts a channel into a slot; `false` for an index that the board does not have.
    package mutating func set(_ channel: GroupChannel, at index: Int) -> Bool {
        guard slots.indices.contains(index) else { return false }
        slots[index] = channel
        return true
    }

    /// Channels with this hash in slot order, at most four.
    func matches(hash: UInt8) -> ChannelMatches {
        var matches = ChannelMatches()
        for index in slots.indices where slots[index].hash == hash && takesPart(slots[index]) {
            if !matches.add(index, secret: slots[index].secret) { break }
        }
        return matches
    }

    private func takesPart(_ channel: GroupChannel) -> Bool {
        (usesZeroKeys || !channel.isUnused) && !(skipsUnnamed && channel.name[0] == 0)
    }

    /// The lowest slot that holds the secret of slot `index`: what received traffic is reported with.
    func reportedIndex(of index: Int) -> Int {
        let secret = slots[index].secret
        return slots.firstIndex { $0.secret == secret } ?? index
    }
}
