package import MeshCompanion
package import MeshCrypto
import MeshPacket
package import MeshWire

/// The contacts of a chat node in the order in which look-ups walk them: hidden transient slots, then the listed ones.
///
/// The transient slots stand for nodes that were addressed without being contacts. Unused ones have an all-zero key, so
/// a look-up of zeros finds one. Removing such a slot moves the first listed contact into the hidden part: the table
/// is one array in the firmware too (CompanionStatements, CMP-101 and CMP-234). Where no listed contact moves up, a
/// place of the hidden part falls behind the end: transient contacts are still put there, and no look-up finds them.
public struct ContactSlots: Sendable {
    /// `MAX_ANON_CONTACTS`.
    public static let transientSlots = 8

    /// Slots in front that no listing shows: ``transientSlots`` since 1.17, none before.
    public let hiddenSlots: Int
    /// All slots, hidden ones first.
    public private(set) var slots: [Contact]
    /// Places of the hidden part behind the last slot, with what removals left in them.
    private var behind: [Contact] = []
    /// `MAX_CONTACTS`: listed contacts at most.
    public let capacity: Int
    /// The place where contacts of type 0 are kept.
    let transients: FirmwareSwitches.TransientContacts
    /// True when look-ups of an all-zero key find unused transient slots.
    let showsHiddenSlots: Bool

    /// A table of no contacts that lists at most `capacity`.
    package init(
        capacity: Int, transients: FirmwareSwitches.TransientContacts = .hidden, showsHiddenSlots: Bool = true
    ) {
        self.capacity = capacity
        self.transients = transients
        self.showsHiddenSlots = showsHiddenSlots
        hiddenSlots = transients == .hidden ? Self.transientSlots : 0
        slots = Array(repeating: Contact(), count: hiddenSlots)
    }

    /// The number of contacts that the app sees: that in CONTACTS_START. Below zero after hidden slots were
    /// removed.
    public var listedCount: Int { slots.count - hiddenSlots }
    /// True when no further contact can be listed.
    public var isFull: Bool { slots.count >= hiddenSlots + capacity }
    /// The contacts that a listing shows, in its order.
    public var listed: ArraySlice<Contact> { slots.dropFirst(hiddenSlots) }

    /// The contact at a place that was looked up or given away.
    package subscript(index: Int) -> Contact {
        get { index < slots.count ? slots[index] : behind[index - slots.count] }
        set {
            if index < slots.count { slots[index] = newValue } else { behind[index - slots.count] = newValue }
        }
    }

    /// Forgets everything, as before loading.
    mutating func reset() {
        slots = Array(repeating: Contact(), count: hiddenSlots)
        behind = []
    }

    /// True for a contact that listings may show: in 1.16 they skip those of type 0 (FWV-063).
    package func isShown(_ contact: Contact) -> Bool { transients != .inTable || contact.type != .none }

    // MARK: Looking up

    /// The first slot whose key equals `key`.
    package func index(of key: PublicKey) -> Int? {
        for index in slots.indices where slots[index].publicKey == key && isVisible(index) { return index }
        return nil
    }

    /// The first slot whose key starts with the six bytes of a message's recipient.
    package func index(ofPrefix prefix: FixedBytes<6>) -> Int? {
        search: for index in slots.indices where isVisible(index) {
            for offset in prefix.indices where slots[index].publicKey[offset] != prefix[offset] { continue search }
            return index
        }
        return nil
    }

    /// Slots whose key starts with `hash`, in table order, at most eight.
    func matches(hash: UInt8) -> PeerMatches {
        var matches = PeerMatches()
        for index in slots.indices where slots[index].publicKey[0] == hash && isVisible(index) {
            if !matches.add(index) { break }
        }
        return matches
    }

    private func isVisible(_ index: Int) -> Bool {
        showsHiddenSlots || index >= hiddenSlots || !slots[index].publicKey.isZero
    }

    // MARK: Adding and removing

    /// The result of a request for a slot.
    package enum Slot {
        case free(Int)
        /// The new contact replaces the oldest one that is no favourite.
        case overwrites(Int)
        case none
    }

    /// Returns the slot for a new contact; a free slot is appended at once.
    ///
    /// Ties for the oldest go to the lowest index. Source: `allocateContactSlot`.
    package mutating func allocate(overwriting: Bool) -> Slot {
        if !isFull {
            slots.append(Contact())
            if !behind.isEmpty { behind.removeFirst() }
            return .free(slots.count - 1)
        }
        guard overwriting else { return .none }
        var oldest: Int?
        var age = UInt32.max
        for index in slots.indices.dropFirst(hiddenSlots)
        where !slots[index].isFavourite && slots[index].lastModified < age && isShown(slots[index]) {
            age = slots[index].lastModified
            oldest = index
        }
        return oldest.map { .overwrites($0) } ?? .none
    }

    /// The transient slot that was used longest ago; `nil` when contacts have moved into all of them, or none is there.
    ///
    /// Places behind the end count as well. Source: `allocateContactSlot`, which reads the first
    /// `MAX_ANON_CONTACTS` whatever `num_contacts` is.
    func transientSlot() -> Int? {
        var oldest: Int?
        var age = UInt32.max
        for index in 0..<(transients == .hidden ? hiddenSlots : slots.count)
        where self[index].type == .none && self[index].lastModified < age {
            age = self[index].lastModified
            oldest = index
        }
        return oldest
    }

    /// Removes a slot; those behind it move up, and the content of the last one stays in its place.
    package mutating func remove(at index: Int) {
        guard let last = slots.last else { return }
        slots.remove(at: index)
        if slots.count < hiddenSlots { behind.insert(last, at: 0) }
    }

    // MARK: Secrets

    /// The secret shared with a contact, computed once and kept until the slot is given to another contact.
    mutating func secret(at index: Int, identity: LocalIdentity) -> SharedSecret {
        if let secret = self[index].cachedSecret { return secret }
        let secret = identity.sharedSecret(with: self[index].publicKey)
        self[index].cachedSecret = secret
        return secret
    }
}
