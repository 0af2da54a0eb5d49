import Foundation
import MeshCompanion
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

@testable import MeshStore

/// Contacts, the watermark, and what stays when a contact goes and comes back.
@Suite struct ContactStoreTests {
    private static let now = Date.at(0)
    /// The second that `now` is on a radio with a right clock.
    private static let clock: UInt32 = 1_750_000_000

    @Test(.proves("SVC-126", "SVC-R-059"))
    func `a synchronisation keeps what the user made of a contact`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        var record = ContactRecord.numbered(1)
        record.flags = 1
        let id = try await store.saveContact(deviceID: devices[0].id, from: record)
        try await store.updateContactPreferences(id: id, nickname: "Al", isBlocked: false, isFavorite: true)
        let contact = try #require(try await store.fetchContact(id: id))
        try await store.saveMessage(.received(1, from: contact))

        record.flags = 0b1110
        record.name = FixedBytes("renamed".utf8)
        record.outPathLength = PathLength(rawValue: 0x42)
        record.outPath = FixedBytes([1, 2, 3, 4, 5])
        try await store.saveContacts([record], deviceID: devices[0].id, end: .incremental, now: Self.now)

        let after = try #require(try await store.fetchContact(id: id))
        #expect(after.displayName == "Al" && after.name == "renamed" && after.isFavorite)
        #expect(after.flags == 0b1110 && after.unreadCount == 1 && after.lastMessageDate == .at(1))
        #expect(after.outPathLengthRaw == 0x42, "SVC-R-057: the length byte with its hash size")
        #expect(after.outPath == Data([1, 2, 3, 4]) && after.routing == .path(hashSize: 2, hops: 2))
    }

    @Test func `a node that states no place keeps the one that it was given, and one that moves has the new one`()
        async throws
    {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let device = devices[0].id
        func synchronised(_ latitude: Int32, _ longitude: Int32) async throws -> [Double] {
            var record = ContactRecord.numbered(1)
            (record.latitude, record.longitude) = (latitude, longitude)
            try await store.saveContacts([record], deviceID: device, end: .incremental, now: Self.now)
            let contact = try #require(try await store.fetchContacts(deviceID: device).first)
            return [contact.latitude, contact.longitude]
        }

        #expect(try await synchronised(48_100_000, 11_500_000) == [48.1, 11.5])
        #expect(try await synchronised(0, 0) == [48.1, 11.5])
        #expect(try await synchronised(1_853_450_000, -1_598_750_000) == [48.1, 11.5], "junk is no place either")
        #expect(try await synchronised(48_200_000, 0) == [48.2, 0])
    }

    @Test(.proves("SVC-076", "SVC-R-049"))
    func `the watermark is the largest change time and never goes back`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let id = devices[0].id
        func sync(_ times: [UInt32], _ end: ContactSyncEnd = .incremental) async throws -> UInt32 {
            let records = times.enumerated().map { ContactRecord.numbered($0.offset, lastModified: $0.element) }
            return try await store.saveContacts(records, deviceID: id, end: end, now: Self.now)
        }

        #expect(try await sync([100, 300, 200]) == 300)
        #expect(try await sync([]) == 300)
        #expect(try await sync([50]) == 300)
        #expect(try await sync([400], .interrupted) == 300)
        #expect(try await sync([350], .full) == 350)
        #expect(try await store.fetchDevice(id: id)?.lastFullContactSync == Self.now)
        try await store.resetContactWatermark(deviceID: id)
        #expect(try await sync([7]) == 7)
    }

    @Test(.proves("SVC-076")) func `contacts and watermark are stored together or not at all`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        try await store.execute(
            "CREATE TRIGGER planted BEFORE UPDATE OF lastContactSync ON device BEGIN SELECT raise(ABORT, 'planted'); END"
        )

        await #expect(throws: StackError.self) {
            try await store.saveContacts(
                [.numbered(1, lastModified: 5)], deviceID: devices[0].id, end: .full, now: Self.now)
        }

        #expect(try await store.fetchContacts(deviceID: devices[0].id).isEmpty)
        #expect(try await store.fetchDevice(id: devices[0].id)?.lastFullContactSync == nil)
    }

    @Test(.proves("SVC-R-053")) func `a change time far in the future does not hide later changes`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let records: [ContactRecord] = [
            .numbered(1, lastModified: 4_294_000_000), .numbered(2, lastModified: Self.clock + 86_400),
            .numbered(3, lastModified: Self.clock + 86_401),
        ]

        let watermark = try await store.saveContacts(records, deviceID: devices[0].id, end: .full, now: Self.now)

        #expect(watermark == Self.clock + 86_400)
        #expect(try await store.fetchContacts(deviceID: devices[0].id).count == 3)
    }

    @Test(.proves("SVC-R-009")) func `of a stream that broke off everything is kept but the watermark`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let records = (0..<24).map { ContactRecord.numbered($0, lastModified: 9) }

        try await store.saveContacts(records, deviceID: devices[0].id, end: .interrupted, now: Self.now)

        #expect(try await store.fetchContacts(deviceID: devices[0].id).count == 24)
        #expect(try await store.fetchDevice(id: devices[0].id)?.lastContactSync == 0)
    }

    @Test(.proves("SVC-R-061"))
    func `a contact that a full synchronisation did not bring is not on the radio`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let id = devices[0].id
        try await store.saveContacts([.numbered(1), .numbered(2)], deviceID: id, end: .full, now: Self.now)
        _ = try await store.saveDiscoveredContact(deviceID: id, from: .numbered(3))

        try await store.saveContacts([.numbered(2)], deviceID: id, end: .full, now: Self.now)

        #expect(try await store.fetchContacts(deviceID: id).map(\.onRadio) == [false, true])
        try await store.saveContacts([.numbered(1)], deviceID: id, end: .incremental, now: Self.now)
        #expect(try await store.fetchContacts(deviceID: id).map(\.onRadio) == [true, true])
        #expect(try await store.fetchDiscoveredContacts(deviceID: id).map(\.onRadio) == [false])
    }

    @Test(.proves("SVC-090", "SVC-R-060"))
    func `history and name outlast the radio's and the user's deletion`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 1)
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.saveMessage(.received(1, from: contact))
        try await store.saveMessage(.received(2, from: contact))
        try await store.markMessageAsRead(id: .numbered(1))

        try await store.markContactOffRadio(deviceID: devices[0].id, publicKey: contact.publicKey)
        let dropped = try #require(try await store.fetchContact(id: contact.id))
        try await store.deleteContact(id: contact.id)
        let again = try await store.saveContact(contact)

        #expect(!dropped.onRadio && dropped.name == contact.name && dropped.unreadCount == 1)
        let back = try #require(try await store.fetchContact(id: again))
        #expect(back.unreadCount == 1 && back.lastMessageDate == .at(2))
        #expect(try await store.fetchMessages(deviceID: devices[0].id, thread: .contact(again)).count == 2)
        try await store.deleteContact(id: again, deletingMessages: true)
        #expect(try await store.number("SELECT count(*) FROM message") == 0)
    }

    @Test(.proves("SVC-R-055"))
    func `a beginning shared by two keys is reported, and the livelier contact is meant`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let id = devices[0].id
        let shared: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        for number in 1...3 { try await store.saveContact(deviceID: id, from: .numbered(number, first: shared)) }
        let second = ContactDTO(deviceID: id, record: .numbered(2, first: shared))
        try await store.updateContactLastAdvert(deviceID: id, publicKey: second.publicKey, timestamp: 5)

        let byAdvert = try await store.fetchContact(deviceID: id, publicKeyPrefix: Data(shared))
        let third = ContactDTO(deviceID: id, record: .numbered(3, first: shared))
        try await store.saveMessage(.received(1, from: third))
        let byMessage = try await store.fetchContact(deviceID: id, publicKeyPrefix: Data(shared))
        let whole = try await store.fetchContact(deviceID: id, publicKeyPrefix: second.publicKey)

        #expect(byAdvert?.contact.id == second.id && byAdvert?.isAmbiguous == true)
        #expect(byMessage?.contact.id == third.id && byMessage?.isAmbiguous == true)
        #expect(whole?.contact.id == second.id && whole?.isAmbiguous == false)
        #expect(try await store.findContactNameByKeyPrefix(deviceID: id, prefix: Data(shared)) == nil)
        #expect(try await store.findContactNameByKeyPrefix(deviceID: id, prefix: second.publicKey) == "node 2")
        #expect(try await store.fetchContact(deviceID: id, publicKeyPrefix: Data([0x11])) == nil)
        #expect(
            try await store.fetchContacts(deviceID: id).map(\.lastAdvertTimestamp) == [0, 5, 0], "only one adverted")
        for prefix in [Data(), Data(repeating: 0, count: 33)] {
            #expect(
                await failure(of: .store) {
                    try await store.fetchContact(deviceID: id, publicKeyPrefix: prefix)
                } == .invalidData)
        }
    }

    @Test(.proves("SVC-117"))
    func `messages of an unknown sender go to the contact when its key becomes known`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let id = devices[0].id
        let sender = ContactDTO(deviceID: id, record: .numbered(1, first: [1, 2, 3, 4, 5, 6]))
        for number in 1...3 {
            var message = MessageDTO.received(number, from: sender)
            message.contactID = nil
            try await store.saveMessage(message)
        }
        let before = try await store.fetchMessages(deviceID: id, thread: .unknownSender(sender.publicKeyPrefix))

        try await store.saveContact(deviceID: id, from: .numbered(1, first: [1, 2, 3, 4, 5, 6]))

        let after = try await store.fetchMessages(deviceID: id, thread: .contact(sender.id))
        #expect(before.map(\.id) == after.map(\.id) && after.count == 3)
        let known = try await store.fetchContact(id: sender.id)
        #expect(known?.unreadCount == 3 && known?.lastMessageDate == .at(3))
    }

    @Test(.proves("SVC-117")) func `an unknown sender whose key begins like two contacts stays unknown`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let id = devices[0].id
        let first: [UInt8] = [1, 2, 3, 4, 5, 6]
        try await store.saveContact(deviceID: id, from: .numbered(1, first: first))
        var message = MessageDTO.received(1, from: ContactDTO(deviceID: id, record: .numbered(2, first: first)))
        message.contactID = nil
        try await store.saveMessage(message)

        try await store.saveContact(deviceID: id, from: .numbered(2, first: first))

        #expect(try await store.fetchMessages(deviceID: id, thread: .unknownSender(Data(first))).count == 1)
    }

    @Test(.proves("SVC-089"))
    func `a discovered contact is new once and becomes a contact when it is confirmed`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 1)
        let id = devices[0].id

        let first = try await store.saveDiscoveredContact(deviceID: id, from: .numbered(5))
        let again = try await store.saveDiscoveredContact(deviceID: id, from: .numbered(5))
        let known = try await store.saveDiscoveredContact(deviceID: id, from: .numbered(0))

        #expect(first.isNew && !again.isNew && !known.isNew && first.id == again.id)
        #expect(try await store.fetchDiscoveredContacts(deviceID: id).map(\.id) == [first.id])
        #expect(try await store.fetchContact(id: known.id)?.onRadio == true)
        try await store.confirmContact(id: first.id)
        #expect(try await store.fetchDiscoveredContacts(deviceID: id).isEmpty)
        #expect(try await store.fetchContacts(deviceID: id).count == 2)
    }

    @Test(.proves("SVC-R-065", "SVC-R-071"))
    func `names are cut at the NUL and repaired where a character was split`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        var record = ContactRecord.numbered(1)
        record.name = FixedBytes(Array("abc".utf8) + [0xF0, 0x9F, 0x8F, 0] + Array("left over".utf8))

        let id = try await store.saveContact(deviceID: devices[0].id, from: record)

        #expect(try await store.fetchContact(id: id)?.name == "abc")
    }

    @Test func `operations on contacts that are not there name what is missing`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 1)
        let none = UUID.numbered(9)

        #expect(await failure(of: .store) { try await store.confirmContact(id: none) } == .contactNotFound)
        #expect(
            await failure(of: .store) {
                try await store.clearUnreadCount(contactID: none)
            } == .contactNotFound)
        #expect(await failure(of: .store) { try await store.deleteContact(id: none) } == .contactNotFound)
        #expect(
            await failure(of: .store) {
                try await store.saveContacts([], deviceID: none, end: .full, now: Self.now)
            } == .deviceNotFound)
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.incrementUnreadCount(contactID: contact.id)
        try await store.updateContactLastMessage(contactID: contact.id, date: .at(9))
        try await store.updateContactLastMessage(contactID: contact.id, date: .at(3))
        try await store.updateContactPath(id: contact.id, lengthRaw: 0xFF, path: Data())
        let after = try await store.fetchContact(id: contact.id)
        #expect(after?.unreadCount == 1 && after?.lastMessageDate == .at(9) && after?.outPathLength == -1)
    }
}
