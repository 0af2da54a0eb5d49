import FoundationEssentials
import MeshTime
import PocketMeshServices

/// A radio with contacts and channels in a store, and messages for it: as many of each conversation, mixed.
struct StoreLoad: Sendable {
    private static let contactCount = 200
    private static let channelCount = 20
    /// Messages on channels, in percent.
    private static let channelShare: UInt32 = 40

    let deviceID: UUID
    private let contacts: [ContactDTO]
    private let channels: [ChannelDTO]
    private let seed: Seed

    /// Writes radio, contacts and channels.
    init(in store: PersistenceStore, seed: Seed) async throws {
        self.seed = seed
        var stream = seed.stream("store", "keys")
        let key = Self.bytes(32, drawnFrom: &stream)
        let device = try await store.saveDevice(
            DeviceDTO(
                id: StableIdentifier.device(publicKey: key), publicKey: key, nodeName: SyncLoad.label,
                lastConnected: Self.date(0)))
        let deviceID = device.id
        contacts = (0..<Self.contactCount).map { number in
            ContactDTO(deviceID: deviceID, publicKey: Self.bytes(32, drawnFrom: &stream), name: "contact \(number)")
        }
        channels = (0..<Self.channelCount).map { number in
            ChannelDTO(
                deviceID: deviceID, index: UInt8(truncatingIfNeeded: number), name: "#channel \(number)",
                secret: Self.bytes(16, drawnFrom: &stream))
        }
        self.deviceID = deviceID
        for contact in contacts { try await store.saveContact(contact) }
        for channel in channels { _ = try await store.saveChannel(channel) }
    }

    /// Stores the first `count` messages, so many in each transaction.
    func write(
        _ count: Int, into store: PersistenceStore, perTransaction batch: Int, _ progress: (Int) -> Void = { _ in }
    ) async throws {
        var stream = seed.stream("store", "messages")
        var number = 0
        while number < count {
            let end = min(count, number + batch)
            let messages = (number..<end).map { message($0, drawnFrom: &stream) }
            let results = try await store.saveMessages(messages)
            guard !results.contains(where: \.isDuplicate) else { throw SyncFailure(expected: count, stored: number) }
            number = end
            progress(number)
        }
    }

    /// Reads a page once; how many rows it has.
    func rows(of page: StoreBenchmark.Page, limit: Int, in store: PersistenceStore) async throws -> Int {
        switch page {
        case .contact:
            try await store.fetchMessages(deviceID: deviceID, thread: .contact(contacts[0].id), limit: limit).count
        case .channel:
            try await store.fetchMessages(deviceID: deviceID, thread: .channel(channels[0].id), limit: limit).count
        case .earlier:
            try await store.fetchMessages(
                deviceID: deviceID, thread: .contact(contacts[0].id), limit: limit,
                before: try await store.arrivalMark() / 2
            ).count
        case .conversations: try await store.fetchConversations(deviceID: deviceID).count
        }
    }

    private func message(_ number: Int, drawnFrom stream: inout RandomStream) -> MessageDTO {
        let text = SyncLoad.text(number, drawnFrom: &stream)
        let timestamp = SyncLoad.firstTimestamp + UInt32(truncatingIfNeeded: number)
        var message = MessageDTO(
            id: Self.uuid(drawnFrom: &stream), deviceID: deviceID, text: text, timestamp: timestamp,
            createdAt: Self.date(number), direction: .incoming, status: .delivered)
        if stream.draw(0, 100) < Self.channelShare {
            let channel = channels[Int(stream.draw(0, UInt32(channels.count)))]
            (message.channelID, message.channelIndex) = (channel.id, channel.index)
            message.senderNodeName = "contact \(stream.draw(0, UInt32(contacts.count)))"
            message.deduplicationKey = DeduplicationKey.channel(
                deviceID: deviceID, channelIndex: channel.index, channelID: channel.id,
                senderNodeName: message.senderNodeName, timestamp: timestamp, text: text)
        } else {
            let contact = contacts[Int(stream.draw(0, UInt32(contacts.count)))]
            message.contactID = contact.id
            message.senderKeyPrefix = contact.publicKeyPrefix
            message.deduplicationKey = DeduplicationKey.direct(
                deviceID: deviceID, senderKeyPrefix: contact.publicKeyPrefix, timestamp: timestamp, text: text)
        }
        return message
    }

    private static func date(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(SyncLoad.firstTimestamp) + Double(seconds))
    }

    private static func bytes(_ count: Int, drawnFrom stream: inout RandomStream) -> Data {
        Data((0..<count).map { _ in stream.nextByte() })
    }

    private static func uuid(drawnFrom stream: inout RandomStream) -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { stream.fill($0) }
        return UUID(uuid: bytes)
    }
}
