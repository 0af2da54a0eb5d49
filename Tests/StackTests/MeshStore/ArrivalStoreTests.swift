import Foundation
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshStore

/// Messages of a radio's queue: their senders are looked up in the store, and remembered while nothing changes.
@Suite struct ArrivalStoreTests {
    private static func direct(_ number: Int, of device: DeviceDTO, prefix: Data) -> MessageDTO {
        MessageDTO(
            id: .numbered(number), deviceID: device.id, text: "message \(number)", timestamp: UInt32(number),
            createdAt: .at(number / 3), direction: .incoming, status: .delivered, senderKeyPrefix: prefix,
            deduplicationKey: "\(number)")
    }

    private static func onChannel(_ number: Int, of device: DeviceDTO, sender: String?) -> MessageDTO {
        MessageDTO(
            id: .numbered(number), deviceID: device.id, text: "message \(number)", timestamp: UInt32(number),
            createdAt: .at(number / 3), direction: .incoming, status: .delivered, senderNodeName: sender)
    }

    /// A store's memory of conversations agrees with its file, also when others change that.
    @Test(arguments: Array(UInt64(1)...20))
    func `whatever happens between two messages, each finds the contact and channel that the database has`(
        seed: UInt64
    ) async throws {
        let scratch = Scratch()
        let store = try PersistenceStore(path: scratch.file("a"))
        let other = try PersistenceStore(path: scratch.file("a"))
        let device = DeviceDTO.numbered(0)
        try await store.addRadio(0, contacts: 3)
        let contacts = (0..<3).map { ContactDTO.numbered($0, of: device) }
        var stream = Seed(seed).stream("arrivals")
        for number in 1...150 {
            let changer = stream.draw(0, 2) == 0 ? store : other
            let contact = contacts[Int(stream.draw(0, 3))]
            switch stream.draw(0, 8) {
            case 0:
                try? await changer.updateContactPreferences(
                    id: contact.id, nickname: "nick \(number)", isBlocked: stream.draw(0, 2) == 0, isFavorite: false)
            case 1:
                let secret = Data(repeating: UInt8(stream.draw(1, 4)), count: 16)
                try await changer.saveChannel(
                    ChannelDTO(deviceID: device.id, index: UInt8(stream.draw(0, 2)), name: "\(number)", secret: secret))
            case 2: try await changer.saveMessage(.composed(1000 + number, to: contact))
            case 3: try? await changer.deleteContact(id: contact.id)
            case 4: try await changer.saveContact(contact)
            default: break
            }
            if stream.draw(0, 2) == 0 {
                let truth = try await other.fetchContact(
                    deviceID: device.id, publicKeyPrefix: contact.publicKeyPrefix)
                let receipt = try store.receiveMessage(
                    Self.direct(number, of: device, prefix: contact.publicKeyPrefix), drainedAfter: nil)
                #expect(receipt.sender == truth)
                #expect(receipt.message.contactID == truth?.contact.id)
                #expect(receipt.message.isRead == (truth?.contact.isBlocked == true))
            } else {
                let slot = UInt8(stream.draw(0, 2))
                let truth = try await other.fetchChannel(deviceID: device.id, index: slot)
                let isBlocked = try await other.isNameBlocked(contact.name, deviceID: device.id)
                let receipt = try store.receiveChannelMessage(
                    Self.onChannel(number, of: device, sender: contact.name), slot: slot, drainedAfter: nil)
                #expect(receipt.channel == truth)
                #expect(receipt.isBlocked == isBlocked)
                #expect(receipt.message.channelID == truth?.id && receipt.message.isRead == isBlocked)
            }
        }
    }

    /// SQLite itself has no lock for the connection.
    @Test func `callers on several threads wait for each other`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let (device, contact) = (devices[0], ContactDTO.numbered(0, of: devices[0]))

        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        try store.receiveMessage(
                            Self.direct(task * 1000 + number, of: device, prefix: contact.publicKeyPrefix),
                            drainedAfter: nil)
                        if number % 10 == 0 { _ = try await store.fetchContacts(deviceID: device.id) }
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(try await store.fetchContact(id: contact.id)?.unreadCount == 200)
        #expect(try await store.number("SELECT count(*) FROM message") == 200)
    }

    @Test func `what a transaction that failed has counted is not remembered`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        let message = Self.direct(1, of: devices[0], prefix: contact.publicKeyPrefix)
        try store.receiveMessage(message, drainedAfter: nil)
        try await store.execute("CREATE TRIGGER full BEFORE UPDATE ON contact BEGIN SELECT RAISE(FAIL, 'no'); END")
        #expect(throws: StackError.self) {
            try store.receiveMessage(
                Self.direct(2, of: devices[0], prefix: contact.publicKeyPrefix), drainedAfter: nil)
        }
        try await store.execute("DROP TRIGGER full")

        let receipt = try store.receiveMessage(
            Self.direct(3, of: devices[0], prefix: contact.publicKeyPrefix), drainedAfter: nil)
        #expect(receipt.sender?.contact.unreadCount == 1)
        #expect(try await store.fetchContact(id: contact.id)?.unreadCount == 2)
        #expect(try await store.fetchMessage(id: .numbered(2)) == nil)
    }

    @Test func `of two contacts with one beginning the last one active gets the message, each time anew`() async throws
    {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 0)
        let prefix = Data([1, 2, 3, 4, 5, 6])
        let ids = try await [7, 8].asyncMap { number in
            try await store.saveContact(deviceID: devices[0].id, from: .numbered(number, first: Array(prefix)))
        }
        for (number, id) in [(1, ids[1]), (2, ids[0]), (3, ids[1])] {
            try await store.updateContactLastMessage(contactID: id, date: .at(1000 + number))
            let receipt = try store.receiveMessage(
                Self.direct(number, of: devices[0], prefix: prefix), drainedAfter: nil)

            #expect(receipt.sender?.isAmbiguous == true && receipt.message.contactID == id)
        }
    }

    @Test func `a message in the second of the last one is counted, and so is the one behind it`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        for number in 1...7 {
            try store.receiveMessage(
                Self.direct(number, of: devices[0], prefix: contact.publicKeyPrefix), drainedAfter: nil)
            let row = try await store.fetchContact(id: contact.id)
            #expect(row?.unreadCount == number && row?.lastMessageDate == .at(number / 3))
        }
    }

    @Test(arguments: Array(UInt64(1)...20))
    func `an identifier is written as Foundation writes it`(seed: UInt64) {
        var stream = Seed(seed).stream("identifiers")
        let id = withUnsafeBytes(of: (stream.next(), stream.next())) {
            UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
        }

        #expect(id.text == id.uuidString)
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}
