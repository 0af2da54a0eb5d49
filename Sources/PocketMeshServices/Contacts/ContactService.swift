public import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
import MeshWire

/// The contacts of a radio: synchronised with its table, written to it, and kept with the user's own values.
///
/// The radio is written first and the store after the radio's OK. So the store never holds a contact, a path or a flag
/// that the radio refused.
public actor ContactService {
    let session: MeshCoreSession
    let store: PersistenceStore
    let profile: StackProfile
    let dependencies: ServiceDependencies
    /// The events of this service: `contactsChanged` after each operation, other than synchronising, that changed
    /// contacts.
    public nonisolated let events: StackEvents
    private let lists: (any ListRefreshing)?

    /// Makes the service; `lists` show the changes of its operations.
    public init(
        session: MeshCoreSession, store: PersistenceStore, profile: StackProfile,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents(), lists: (any ListRefreshing)? = nil
    ) {
        self.session = session
        self.store = store
        self.profile = profile
        self.dependencies = dependencies
        self.events = events
        self.lists = lists
    }

    func changed(_ deviceID: UUID) async {
        events.emit(.contactsChanged(deviceID: deviceID))
        await lists?.notifyContactsChanged()
    }

    // MARK: Synchronisation

    /// Returns the watermark to synchronise from; `nil` when the whole table is to be listed.
    ///
    /// The whole table is listed on the first connection, after a change of the radio's identity, and when the last
    /// full listing is older than the user's choice or the policy allows. It is also listed when the radio's clock is
    /// behind the watermark: changes would carry times before it.
    public func contactWatermark(deviceID: UUID) async throws -> UInt32? {
        let device = try await inTerms(of: .contacts) { try await store.fetchDevice(id: deviceID) }
        guard let device else { throw StackError(.contacts, .deviceNotFound) }
        guard device.lastContactSync > 0, let full = device.lastFullContactSync else { return nil }
        let age = Duration.seconds(dependencies.now().timeIntervalSince(full))
        let limit = try await inTerms(of: .contacts) { try await FullContactSync.load(from: store)?.age }
        guard age < limit ?? profile.contacts.fullSyncAge, age >= .zero else { return nil }
        let time = try await inTerms(of: .contacts) { try await session.getTime() }
        guard time < device.lastContactSync else { return device.lastContactSync }
        dependencies.log.notice("the radio's clock is behind the watermark: all contacts are listed")
        try await inTerms(of: .contacts) { try await store.resetContactWatermark(deviceID: deviceID) }
        return nil
    }

    /// Reads the radio's contacts: those changed since the watermark, or all of them without one.
    ///
    /// All contacts are listed when the store has another number of contacts on the radio afterwards than the radio
    /// has. A listing that breaks off stores the contacts received and leaves the watermark; one that is cancelled
    /// stores nothing.
    ///
    /// `progress` receives the number of contacts received and the number expected, in order; it must not wait. A radio
    /// reports the size of its table and not of its changes. So in an incremental synchronisation both numbers are
    /// those received.
    @discardableResult
    public func syncContacts(
        deviceID: UUID, since watermark: UInt32? = nil,
        progress: (@Sendable (_ received: Int, _ total: Int) -> Void)? = nil
    ) async throws -> ContactSyncResult {
        guard let watermark, watermark > 0 else { return try await syncWholeTable(deviceID, progress) }
        let table = try await list(
            deviceID, since: watermark - min(watermark, profile.contacts.overlap), progress)
        return try await inTerms(of: .contacts) {
            let newest = try await store.saveContacts(
                table.contacts, deviceID: deviceID, end: .incremental, now: dependencies.now())
            let known = try await store.fetchContacts(deviceID: deviceID).count(where: \.onRadio)
            if known != table.total, !profile.contacts.trustsCutListing {
                dependencies.log.notice("\(known) contacts are known, the radio has \(table.total): all are listed")
                return try await syncWholeTable(deviceID, progress)
            }
            return ContactSyncResult(
                contactsReceived: table.contacts.count, lastSyncTimestamp: newest, isIncremental: true)
        }
    }

    private func syncWholeTable(
        _ deviceID: UUID, _ progress: (@Sendable (Int, Int) -> Void)?
    ) async throws -> ContactSyncResult {
        let table = try await list(deviceID, since: nil, progress)
        // A contact that could not be read is still on the radio.
        let isComplete = table.contacts.count >= table.total
        return try await inTerms(of: .contacts) {
            let newest = try await store.saveContacts(
                table.contacts, deviceID: deviceID, end: isComplete ? .full : .interrupted, now: dependencies.now())
            return ContactSyncResult(
                contactsReceived: table.contacts.count, lastSyncTimestamp: newest, isIncremental: false,
                isComplete: isComplete)
        }
    }

    private func list(
        _ deviceID: UUID, since: UInt32?, _ progress: (@Sendable (Int, Int) -> Void)?
    ) async throws -> ContactTable {
        let arrived = ArrivedContacts()
        do {
            return try await session.getContacts(since: since) { record, received, total in
                arrived.add(record)
                progress?(received, since == nil ? total : received)
            }
        } catch let error as SessionError {
            let records = arrived.all
            guard !records.isEmpty else { throw StackError(.contacts, of: error) }
            if profile.contacts.trustsCutListing { return .whole(records) }
            _ = try await inTerms(of: .contacts) {
                try await store.saveContacts(records, deviceID: deviceID, end: .interrupted, now: dependencies.now())
            }
            throw StackError(.contacts, .syncInterrupted(received: records.count, error))
        }
    }
}

extension ContactTable {
    /// Returns the table that a planted defect mistakes for the whole one of a radio.
    fileprivate static func whole(_ records: [ContactRecord]) -> ContactTable {
        var table = ContactTable()
        (table.contacts, table.total) = (records, records.count)
        return table
    }
}
