public import MeshCompanion
import MeshWire

/// The contacts that a radio sent in one listing.
public struct ContactTable: Equatable, Sendable {
    /// The greatest number of contacts: many more than any radio keeps.
    ///
    /// Firmware reports its capacity in one byte, halved. Measurements use tables of 10,000.
    public static let limit = 16_384

    /// The contacts in the order in which the radio sent them.
    public var contacts: [ContactRecord] = []
    /// The number of contacts on the radio in all, also when a part of them was requested.
    public var total: Int = 0
    /// The time of the latest change among those sent, by the radio's clock; 0 when none was sent.
    public var lastModified: UInt32 = 0

    public init() {}
}

/// The contact table as known without asking the radio: its last listing, and whether that is out of date.
public struct ContactCache: Sendable {
    /// The contacts in the order in which the radio sent them.
    public private(set) var contacts: [ContactRecord] = []
    /// The nodes that the radio heard and did not add; the newest last.
    public private(set) var pending: [ContactRecord] = []
    /// True when the radio's table has changed since its last complete listing.
    public private(set) var needsRefresh = true

    /// New nodes that are remembered.
    static let pendingLimit = 64

    /// Returns the first contact whose key begins with these bytes; `nil` for no bytes.
    public func contact(key: some Collection<UInt8>) -> ContactRecord? {
        key.isEmpty ? nil : contacts.first { $0.publicKey.starts(with: key) }
    }

    /// The contact of that name, as people read it.
    public func contact(named name: String) -> ContactRecord? {
        contacts.first { $0.name.text.readable == name }
    }

    mutating func replace(_ table: ContactTable) {
        contacts = table.contacts
        needsRefresh = false
    }

    mutating func merge(_ table: ContactTable) {
        for contact in table.contacts { update(contact) }
    }

    mutating func update(_ contact: ContactRecord) {
        pending.removeAll { $0.publicKey == contact.publicKey }
        if let index = contacts.firstIndex(where: { $0.publicKey == contact.publicKey }) {
            contacts[index] = contact
        } else {
            contacts.append(contact)
        }
    }

    mutating func note(_ event: MeshEvent) {
        switch event {
        case .newContact(let contact):
            pending.removeAll { $0.publicKey == contact.publicKey }
            if pending.count == Self.pendingLimit { pending.removeFirst() }
            pending.append(contact)
        case .contactDeleted(let key):
            contacts.removeAll { $0.publicKey == key }
            needsRefresh = true
        case .advertisement, .pathUpdate, .contactsFull: needsRefresh = true
        default: break
        }
    }
}
