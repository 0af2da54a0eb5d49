public import FoundationEssentials
import MeshCore
import MeshPacket

/// Composes messages into the queue, with or without a connection.
public struct MessageOutbox: Sendable {
    private let store: PersistenceStore
    private let policy: MessagePolicy
    private let dependencies: ServiceDependencies

    /// Composes into this store, by the rules of the profile.
    public init(store: PersistenceStore, profile: StackProfile, dependencies: ServiceDependencies) {
        self.store = store
        self.dependencies = dependencies
        policy = profile.messages
    }

    /// Stores a message for a contact and its place in the queue. Throws `queueFull` when too many wait.
    public func enqueueDirectMessage(
        text: String, to contact: ContactDTO, replyToID: UUID? = nil
    ) async throws -> MessageDTO {
        try MessageLimits.check(recipient: contact)
        try MessageLimits.check(text, limit: policy.directLimit)
        return try await enqueue(
            MessageDTO(
                id: dependencies.random.uuid(), deviceID: contact.deviceID, contactID: contact.id, text: text,
                timestamp: dependencies.seconds, createdAt: dependencies.now(), direction: .outgoing,
                status: .pending, replyToID: replyToID, maxRetryAttempts: policy.retry.maxAttempts - 1))
    }

    /// Stores a message for a channel and its place in the queue. Throws `queueFull` when too many wait.
    public func enqueueChannelMessage(
        text: String, channelIndex: UInt8, deviceID: UUID, replyToID: UUID? = nil
    ) async throws -> MessageDTO {
        let name = try await read { try await store.fetchDevice(id: deviceID)?.nodeName } ?? ""
        try MessageLimits.check(text, limit: policy.channelLimit(nameBytes: name.utf8.count))
        let channel = try await read { try await store.fetchChannel(deviceID: deviceID, index: channelIndex) }
        guard let channel else { throw StackError(.messages, .channelNotFound) }
        return try await enqueue(
            MessageDTO(
                id: dependencies.random.uuid(), deviceID: deviceID, channelID: channel.id, channelIndex: channelIndex,
                text: text, timestamp: dependencies.seconds, createdAt: dependencies.now(), direction: .outgoing,
                status: .pending, replyToID: replyToID))
    }

    /// Deletes a message that waits; throws for one that is on its way.
    public func deleteQueued(messageID: UUID) async throws {
        let change = try await read { try await store.deleteQueuedMessage(id: messageID) }
        guard case .changed = change else {
            throw StackError(.messages, .notSent("it is on its way already and cannot be deleted"))
        }
    }

    /// Returns the number of messages that wait in the queue.
    public func queuedCount(deviceID: UUID) async throws -> Int {
        try await read { try await store.countPendingMessages(deviceID: deviceID) }
    }

    private func enqueue(_ message: MessageDTO) async throws -> MessageDTO {
        try await read {
            try await store.enqueueMessage(message, limit: policy.queueLimit)
            return try await store.fetchMessage(id: message.id) ?? message
        }
    }

    private func read<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await inTerms(of: .messages, body)
    }
}

/// The limits of texts and recipients.
enum MessageLimits {
    /// Bytes of the command before the text.
    static let directHead = 13

    static func check(recipient: ContactDTO) throws(StackError) {
        if recipient.type == .repeater { throw StackError(.messages, .invalidRecipient) }
    }

    static func check(type: TextType) throws(StackError) {
        guard type == .plain else {
            throw StackError(.messages, .notSent("texts of type \(type) are not for conversations"))
        }
    }

    static func check(_ text: String, limit: Int) throws(StackError) {
        let count = text.utf8.count
        if count > limit { throw StackError(.messages, .messageTooLong(count: count, limit: limit)) }
        if text.isEmpty { throw StackError(.messages, .notSent("it is empty")) }
        // The radio ends a text at the first one: the recipient would get the beginning only.
        if text.utf8.contains(0) { throw StackError(.messages, .notSent("it has a NUL character")) }
    }
}

extension MessagePolicy {
    /// Returns the longest text on a channel: the radio puts the node's name and two bytes before it.
    package func channelLimit(nameBytes: Int) -> Int {
        let fits = PacketLimits.text - nameBytes - 2
        return min(channelLimit ?? fits, fits)
    }
}
