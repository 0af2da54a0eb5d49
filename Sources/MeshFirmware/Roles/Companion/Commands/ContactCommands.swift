package import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

// The contact table (CompanionStatements, CMP-083 to CMP-112 and CMP-213 to CMP-216).
extension CompanionRadio {
    // MARK: Listing

    mutating func handle(_ frame: GetContacts) {
        guard listing == nil else { return refuse(.badState) }
        let since = frame.since ?? 0
        let count =
            core.quirks.contains(.unfilteredContactCount)
            ? contacts.listedCount : contacts.listed.count { isListed($0, since: since) }
        sendApart(Resp.ContactsStart(count: UInt32(truncatingIfNeeded: count)))
        listing = ListingProgress(next: contacts.hiddenSlots, since: since)
    }

    /// Lists one contact, or the end. Contacts that the filter leaves out need a step too.
    mutating func listNextContact() {
        guard var progress = listing else { return }
        // Contacts that no listing shows take no step.
        while progress.next < contacts.slots.count, !contacts.isShown(contacts[progress.next]) { progress.next += 1 }
        guard progress.next < contacts.slots.count else {
            let isEmpty = !progress.hasSent && !core.quirks.contains(.zeroEndOfContacts)
            send(Resp.EndOfContacts(mostRecentLastModified: isEmpty ? progress.since : progress.newest))
            listing = nil
            return
        }
        let contact = contacts[progress.next]
        progress.next += 1
        if isListed(contact, since: progress.since) {
            send(Resp.Contact(record: contact.record))
            progress.newest = max(progress.newest, contact.lastModified)
            progress.hasSent = true
        }
        listing = progress
    }

    private func isListed(_ contact: Contact, since: UInt32) -> Bool {
        guard contacts.isShown(contact) else { return false }
        return contact.lastModified > since || (since == 0 && !core.quirks.contains(.zeroLastmodNeverListed))
    }

    // MARK: Changing

    mutating func handle(_ frame: AddUpdateContact) {
        // The time follows the position and is not there without it.
        let lastModified = (frame.position == nil ? nil : frame.lastModified) ?? core.unixTime
        if let index = contacts.index(of: frame.publicKey) {
            contacts[index].take(frame, lastModified: lastModified)
            contactsChanged()
            return ok()
        }
        var contact = Contact()
        contact.take(frame, lastModified: lastModified)
        guard add(contact) != nil else { return refuse(.tableFull) }
        contactsChanged()
        ok()
    }

    /// Puts a new contact into the table: type 0 where the version keeps transient ones, others at the end or over the
    /// oldest.
    package mutating func add(_ contact: Contact) -> Int? {
        let index = contact.type == .none ? transientSlot() : allocateSlot()
        if let index { contacts[index] = contact }
        return index
    }

    /// A slot for a contact of type 0 (FWV-019, FWV-063, FWV-082).
    private mutating func transientSlot() -> Int? {
        switch core.switches.transientContacts {
        case .refused: return allocateSlot()
        case .hidden: return contacts.transientSlot()
        case .inTable:
            guard contacts.isFull else { return allocateSlot() }
            guard let index = contacts.transientSlot() else { return nil }
            overwrite(index)
            return index
        }
    }

    /// Returns a slot for a listed contact; a contact that it replaces is reported.
    mutating func allocateSlot() -> Int? {
        switch contacts.allocate(overwriting: preferences.autoAdd & 1 != 0) {
        case .free(let index): return index
        case .overwrites(let index):
            overwrite(index)
            return index
        case .none: return nil
        }
    }

    /// Reports a contact that another one replaces (`onContactOverwrite`).
    private mutating func overwrite(_ index: Int) {
        let key = contacts[index].publicKey
        removeAdvert(of: key)
        pushIfConnected(Push.ContactDeleted(publicKey: key))
    }

    mutating func handle(_ frame: RemoveContact) {
        guard let index = contacts.index(of: frame.publicKey) else { return refuse(.notFound) }
        contacts.remove(at: index)
        removeAdvert(of: frame.publicKey)
        contactsChanged()
        ok()
    }

    mutating func handle(_ frame: ResetPath) {
        guard let index = contacts.index(of: frame.publicKey) else { return refuse(.notFound) }
        contacts[index].outPathLength = .unknown
        if !core.quirks.contains(.resetPathKeepsLastmod) { contacts[index].lastModified = core.unixTime }
        contactsChanged()
        ok()
    }

    // MARK: Asking

    mutating func handle(_ frame: GetContactByKey) {
        guard let index = contacts.index(of: frame.publicKey) else { return refuse(.notFound) }
        send(Resp.Contact(record: contacts[index].record))
    }

    mutating func handle(_ frame: GetAdvertPath) {
        guard let entry = advertPaths.entry(of: frame.publicKey) else { return refuse(.notFound) }
        send(
            Resp.AdvertPath(
                receivedAt: entry.receivedAt, pathLength: entry.pathLength,
                path: [UInt8](entry.path.prefix(entry.pathLength.byteCount))))
    }

    // MARK: Passing on

    mutating func handle(_ frame: ShareContact) {
        guard let index = contacts.index(of: frame.publicKey) else { return refuse(.notFound) }
        guard let stored = adverts.load(contacts[index].publicKey, from: flash), core.takeForSending() else {
            return refuse(.tableFull)
        }
        guard let packet = try? PacketView(stored, as: .blob) else {
            core.release()
            return refuse(.tableFull)
        }
        core.sendZeroHop(packet, codes: .zero)
        ok()
    }

    mutating func handle(_ frame: ExportContact) {
        guard let key = frame.publicKey else { return exportSelf() }
        guard let index = contacts.index(of: key), let stored = adverts.load(contacts[index].publicKey, from: flash)
        else { return refuse(.notFound) }
        if stored.count >= core.switches.frameLimit, !core.quirks.contains(.overlongReplyLost) {
            return refuse(.notFound)
        }
        send(Resp.ExportContact(packet: stored))
    }

    private mutating func exportSelf() {
        guard var packet = createSelfAdvert() else { return refuse(.tableFull) }
        core.release()
        packet.routeFlood()
        send(Resp.ExportContact(packet: packet.bytes))
    }

    mutating func handle(_ frame: ImportContact) {
        if core.pool.freeCount == 0, !core.quirks.contains(.poolErrorNames) { return refuse(.tableFull) }
        guard core.quirks.contains(.importAlwaysOK) || isNews(frame.packet) else { return refuse(.illegalArg) }
        let isTaken = frame.packet.withUnsafeBytes { core.importAdvert($0) }
        if isTaken { ok() } else { refuse(.illegalArg) }
    }

    /// Returns whether the packet is an advert that reception will not drop: genuine, another node's, named, newer
    /// than known.
    private func isNews(_ bytes: [UInt8]) -> Bool {
        guard let packet = try? PacketView(bytes, as: .blob), packet.type == .advert, packet.hasValidAdvertSignature
        else { return false }
        let payload = packet.payload
        let key = PublicKey(payload.prefix(32))
        let data = try? AdvertData(appData: Array(payload.dropFirst(Advert.headSize).prefix(PacketLimits.advertData)))
        guard key != core.publicKey, let data, !data.name.isEmpty else { return false }
        guard let index = contacts.index(of: key) else { return true }
        return packet.payloadU32(at: 32) ?? 0 > contacts[index].lastAdvert
    }
}

extension Contact {
    /// Stores what an app sent about a contact; the position stays as it is when the app sent none.
    mutating func take(_ frame: AddUpdateContact, lastModified: UInt32) {
        publicKey = frame.publicKey
        type = frame.type
        flags = frame.flags
        outPathLength = frame.outPathLength
        outPath = frame.outPath
        name = frame.name
        lastAdvert = frame.lastAdvert
        if let position = frame.position {
            latitude = position.latitude
            longitude = position.longitude
        }
        self.lastModified = lastModified
    }

    /// The contact as CONTACT and NEW_ADVERT carry it.
    package var record: ContactRecord {
        var record = ContactRecord()
        record.publicKey = publicKey
        record.type = type
        record.flags = flags
        record.outPathLength = outPathLength
        record.outPath = outPath
        record.name = FixedBytes(text: displayName)
        record.lastAdvert = lastAdvert
        record.latitude = latitude
        record.longitude = longitude
        record.lastModified = lastModified
        return record
    }
}
