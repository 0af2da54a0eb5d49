public import MeshCompanion
import MeshCrypto
public import MeshPacket
public import MeshWire

// The radio's contact table.
extension MeshCoreSession {
    /// The contacts that changed after `since`, by the radio's clock; all of them without it.
    ///
    /// Two callers who want the same share one listing, which goes on while one of them waits. `each` receives the
    /// contacts as they come, with the number so far and the radio's total. They stay valid when the listing fails. A
    /// radio that sends more than `ContactTable.limit` is not believed: `unreadableReply`.
    @discardableResult
    public func getContacts(
        since: UInt32? = nil, each: (@Sendable (ContactRecord, _ received: Int, _ total: Int) -> Void)? = nil
    ) async throws -> ContactTable {
        if each == nil, let listing = listings.join(since: since) { return try await awaitListing(listing) }
        let listing = listings.add(since: since) { number in
            Task { try await list(number, since: since, each: each) }
        }
        return try await awaitListing(listing)
    }

    private func awaitListing(_ listing: ContactListings.Listing) async throws -> ContactTable {
        try await withTaskCancellationHandler {
            try await listing.task.value
        } onCancel: {
            Task { await leaveListing(listing.number) }
        }
    }

    private func leaveListing(_ number: Int) { listings.leave(number)?.cancel() }

    private func list(
        _ number: Int, since: UInt32?, each: (@Sendable (ContactRecord, Int, Int) -> Void)?
    ) async throws -> ContactTable {
        defer { listings.end(number) }
        let table: ContactTable
        do {
            table = try await listOnce(since: since, each: each)
        } catch SessionError.refused(_, .badState) {
            // The radio still lists for somebody who has gone; an introduction ends that.
            try await sendAppStart()
            table = try await listOnce(since: since, each: each)
        }
        if since == nil { known.contacts.replace(table) } else { known.contacts.merge(table) }
        return table
    }

    private func listOnce(
        since: UInt32?, each: (@Sendable (ContactRecord, Int, Int) -> Void)?
    ) async throws -> ContactTable {
        let table = ListedContacts()
        var limits = ExchangeLimits(pause: configuration.contactInactivity, total: configuration.contactTotal) {
            limit in
            let listed = table.value
            return .listingStalled(received: listed.contacts.count, total: listed.total, after: limit)
        }
        limits.skipsUnreadable = true
        return try await send(GetContacts(since: since), limits: limits) { reply in
            switch reply {
            case .start(let start):
                table.begin(total: Int(start.count))
                return .part
            case .contact(let contact):
                let count = table.add(contact.record)
                guard count <= ContactTable.limit else { return .failure(.tooManyContacts) }
                each?(contact.record, count, table.value.total)
                return .part
            case .end(let end): return .reply(table.end(end.mostRecentLastModified))
            }
        }
    }

    /// The contacts as last listed, listed again when the radio has changed them since, or when forced.
    public func ensureContacts(force: Bool = false) async throws -> [ContactRecord] {
        if force || contacts.needsRefresh { try await getContacts() }
        return contacts.contacts
    }

    /// Throws `refused` with `notFound` for a key that is no contact's.
    public func getContact(publicKey: FixedBytes<32>) async throws -> ContactRecord {
        let record = try await send(GetContactByKey(publicKey: publicKey)) { $0.record.publicKey == publicKey }.record
        known.contacts.update(record)
        return record
    }

    /// Writes a contact whole; the radio stamps the change itself.
    public func updateContact(_ contact: ContactRecord) async throws {
        try await send(AddUpdateContact(contact))
        known.contacts.update(contact)
    }

    /// Gives a contact a path, or none, and keeps everything else of it.
    public func changeContactPath(
        _ contact: ContactRecord, length: PathLength, path: [UInt8]
    ) async throws {
        var changed = contact
        changed.outPathLength = length
        changed.outPath = FixedBytes(path)
        try await updateContact(changed)
    }

    /// Gives a contact other flags, and keeps everything else of it.
    public func changeContactFlags(_ contact: ContactRecord, flags: UInt8) async throws {
        var changed = contact
        changed.flags = flags
        try await updateContact(changed)
    }

    /// Forgets the path to a contact: the next message to it is flooded.
    public func resetPath(_ key: FixedBytes<32>) async throws { try await send(ResetPath(publicKey: key)) }

    /// Removes a contact from the radio. Radios refuse (`notFound`) an unknown one.
    public func removeContact(_ key: FixedBytes<32>) async throws {
        try await send(RemoveContact(publicKey: key))
        known.contacts.note(.contactDeleted(publicKey: key))
    }

    /// Sends a contact's advert to the nodes in reach.
    public func shareContact(_ key: FixedBytes<32>) async throws { try await send(ShareContact(publicKey: key)) }

    /// The card of a contact, or our own without a key.
    public func exportContact(_ key: FixedBytes<32>? = nil) async throws -> ContactCard {
        let wanted = key ?? currentSelfInfo?.publicKey
        let reply = try await send(ExportContact(publicKey: key)) { reply in
            guard let wanted else { return true }
            return Self.advertised(by: reply.packet).map { wanted.starts(with: $0) } ?? true
        }
        return ContactCard(packet: reply.packet)
    }

    /// The key in an advert packet; `nil` when it is none.
    private static func advertised(by packet: [UInt8]) -> [UInt8]? {
        guard let view = try? PacketView(packet) else { return nil }
        let key = view.withPayload { [UInt8]($0.prefix(CompanionLimits.publicKey)) }
        return key.count == CompanionLimits.publicKey ? key : nil
    }

    /// Gives the radio a contact's advert as if it had been heard; a packet that is no advert is refused.
    public func importContact(_ card: ContactCard) async throws { try await send(ImportContact(packet: card.packet)) }

    /// The way that the last advert of a node came, if the radio remembers it.
    public func getAdvertPath(_ key: FixedBytes<32>) async throws -> AdvertPathResponse {
        try await send(GetAdvertPath(publicKey: key))
    }
}

extension SessionError {
    fileprivate static let tooManyContacts = SessionError.unreadableReply(
        .getContacts,
        FrameError(field: "contacts", offset: 0, reason: .invalid("there are more than \(ContactTable.limit)")))
}

/// A listing as it grows, shared by the exchange and its time limit.
private final class ListedContacts: Sendable {
    private let table = Locked(ContactTable())

    var value: ContactTable { table.value }

    func begin(total: Int) {
        table.change { $0.total = total }
    }

    func add(_ contact: ContactRecord) -> Int {
        table.change { table in
            table.contacts.append(contact)
            return table.contacts.count
        }
    }

    func end(_ lastModified: UInt32) -> ContactTable {
        table.change { table in
            table.lastModified = lastModified
            return table
        }
    }
}
