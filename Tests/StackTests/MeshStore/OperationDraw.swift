import Foundation
import MeshCompanion
import MeshTestSupport
import MeshTime

@testable import MeshStore

/// Draws operations of every kind on one radio and performs them, for the properties of the whole store.
struct OperationDraw {
    let device: DeviceDTO
    var stream: RandomStream
    /// Keeps the ids of two draws apart.
    var base: Int
    private var next = 0

    init(device: DeviceDTO, stream: RandomStream, base: Int) {
        self.device = device
        self.stream = stream
        self.base = base
    }

    static let kinds: UInt32 = 38

    private mutating func number(_ limit: UInt32) -> Int { Int(stream.draw(0, limit)) }
    private mutating func newID() -> Int {
        next += 1
        return base + next
    }
    private mutating func someID() -> UUID { .numbered(base + 1 + number(UInt32(max(next, 1)))) }
    private mutating func contact() -> ContactDTO { .numbered(number(6), of: device) }
    private mutating func session() -> RemoteNodeSessionDTO {
        RemoteNodeSessionDTO(
            deviceID: device.id, publicKey: .key(number(3)), name: "node",
            role: number(2) == 0 ? .repeater : .roomServer)
    }
    private mutating func slot() -> ChannelSlot {
        ChannelSlot(
            index: UInt8(number(5)), name: number(3) == 0 ? "" : "c",
            secret: Data(repeating: UInt8(number(4)), count: 16))
    }

    /// One operation. That a row is not there is no failure.
    mutating func perform(on store: PersistenceStore) async throws {
        do {
            try await draw(on: store)
        } catch let error as StackError {
            switch error.reason {
            case .contactNotFound, .messageNotFound, .channelNotFound, .sessionNotFound: break
            default: throw error
            }
        }
    }

    private mutating func draw(on store: PersistenceStore) async throws {
        switch number(Self.kinds) {
        case 0...6: try await store.saveMessage(received(), drainedAfter: number(2) == 0 ? nil : 0)
        case 7...9: try await store.saveMessage(heard(), drainedAfter: number(2) == 0 ? nil : 0)
        case 10: try await store.saveMessages([received(), heard(), received()], drainedAfter: nil)
        case 11: try await store.enqueueMessage(.composed(newID(), to: contact()), limit: 0)
        case 12: try await store.saveMessage(.composed(newID(), to: contact(), status: .sent, ackCode: 7))
        case 13: try await store.updateMessageStatus(id: someID(), to: MessageStatus.allCases[number(6)])
        case 14: try await store.completePendingSend(messageID: someID(), ackCode: 7)
        case 15: _ = try await store.updateMessageByAckCode(deviceID: device.id, ackCode: 7, to: .delivered)
        case 16: try await store.markMessageAsRead(id: someID())
        case 17: try await store.deleteMessage(id: someID())
        case 18: try await store.deleteQueuedMessage(id: someID())
        case 19: try await store.prepareResend(id: someID(), timestamp: 5)
        case 20: try await store.incrementMessageHeardRepeats(id: someID())
        case 21: _ = try await store.failAllPendingMessages(deviceID: device.id)
        case 22: try await store.failPendingSend(messageID: someID())
        case 23: try await store.recordSendAttempt(messageID: someID(), timestamp: 5)
        default: try await drawOther(on: store)
        }
    }

    private mutating func drawOther(on store: PersistenceStore) async throws {
        switch 24 + number(Self.kinds - 24) {
        case 24: try await store.saveContact(contact())
        case 25: try await store.clearUnreadCount(contactID: contact().id)
        case 26: try await store.deleteContact(id: contact().id, deletingMessages: number(4) == 0)
        case 27:
            let records = [ContactRecord.numbered(number(6)), .numbered(number(6))]
            try await store.saveContacts(
                records, deviceID: device.id, end: number(2) == 0 ? .full : .incremental, now: .at(0))
        case 28: _ = try await store.saveDiscoveredContact(deviceID: device.id, from: .numbered(number(6)))
        case 29:
            try await store.updateContactPreferences(
                id: contact().id, nickname: "n", isBlocked: number(3) == 0, isFavorite: true)
        case 30: try await store.replaceChannels([slot(), slot()].unique(), deviceID: device.id)
        case 31:
            for channel in try await store.fetchChannels(deviceID: device.id).prefix(1) {
                try await store.clearChannelUnreadCount(channelID: channel.id)
            }
        case 32:
            for channel in try await store.fetchChannels(deviceID: device.id).prefix(1) {
                try await store.deleteChannel(id: channel.id, deletingMessages: number(3) == 0)
            }
        case 33: try await store.saveRemoteNodeSession(session())
        case 34, 35: try await store.saveRoomMessage(post())
        case 36: try await store.deleteRemoteNodeSession(id: session().id)
        default: try await store.saveDevice(device)
        }
    }

    private mutating func received() -> MessageDTO {
        .received(newID(), from: contact(), text: "\(number(50))", timestamp: UInt32(number(20)))
    }

    private mutating func heard() -> MessageDTO {
        let id = newID()
        return MessageDTO(
            id: .numbered(id), deviceID: device.id, channelIndex: UInt8(number(5)), text: "\(id)",
            timestamp: UInt32(number(20)), createdAt: .at(id), direction: .incoming, status: .delivered,
            senderNodeName: "ann")
    }

    private mutating func post() -> RoomMessageDTO {
        RoomMessageDTO(
            id: .numbered(newID()), sessionID: session().id, authorKeyPrefix: Data([1, 2, 3, 4]),
            text: "\(number(50))", timestamp: UInt32(number(20)), createdAt: .at(0))
    }
}

extension [ChannelSlot] {
    /// One answer for each slot.
    fileprivate func unique() -> [ChannelSlot] {
        reduce(into: []) { found, slot in if !found.contains(where: { $0.index == slot.index }) { found.append(slot) } }
    }
}

extension PersistenceStore {
    /// Returns the violations of rules that hold in every store.
    func inconsistencies() throws -> [String] {
        let rules = [
            "contact unread": """
            SELECT count(*) FROM contact c WHERE unreadCount <> (
                SELECT count(*) FROM message m WHERE m.contactID = c.id AND m.channelID IS NULL AND direction = 0
                AND NOT isRead)
            """,
            "channel unread": """
            SELECT count(*) FROM channel c WHERE unreadCount <> (
                SELECT count(*) FROM message m WHERE m.channelID = c.id AND direction = 0 AND NOT isRead)
            """,
            "contact date": """
            SELECT count(*) FROM contact c WHERE lastMessageDate IS NOT (
                SELECT max(createdAt) FROM message m WHERE m.contactID = c.id AND m.channelID IS NULL)
            """,
            "place": "SELECT count(*) FROM message WHERE receivedOrder < 1",
            "foreign contact": """
            SELECT count(*) FROM message m JOIN contact c ON c.id = m.contactID WHERE c.deviceID <> m.deviceID
            """,
            "foreign channel": """
            SELECT count(*) FROM message m JOIN channel c ON c.id = m.channelID WHERE c.deviceID <> m.deviceID
            """,
        ]
        let broken = try rules.sorted { $0.key < $1.key }.filter { try number($0.value) > 0 }.map(\.key)
        return try broken + integrityProblems()
    }
}
