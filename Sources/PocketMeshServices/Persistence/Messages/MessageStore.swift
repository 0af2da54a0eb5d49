public import Foundation

/// What became of a message that was to be stored.
public enum SaveResult: Sendable, Hashable {
    /// Stored, at this place in the order of arrival.
    case inserted(receivedOrder: Int64)
    /// The same message is there already; nothing was changed.
    case duplicate

    /// Whether it was there before.
    public var isDuplicate: Bool { self == .duplicate }
}

/// The messages of conversations with contacts and on channels.
public protocol MessageStore: Sendable {
    /// A page, oldest first: the newest `limit` messages after leaving out the newest `offset`, and of those only what
    /// arrived before `anchor` (a `receivedOrder`).
    ///
    /// The order is that of arrival. Pages by anchor do not overlap when messages arrive between two of them.
    func fetchMessages(
        deviceID: UUID, thread: MessageThread, limit: Int, offset: Int, before anchor: Int64?
    ) async throws(StackError) -> [MessageDTO]
    /// The message of a row, either way; `nil` for an unknown id.
    func fetchMessage(id: UUID) async throws(StackError) -> MessageDTO?
    /// The newest outgoing message whose last attempt is confirmed by this code.
    func fetchMessage(deviceID: UUID, ackCode: UInt32) async throws(StackError) -> MessageDTO?
    /// Whether a message of the radio is stored with this key (see `DeduplicationKey`).
    func isDuplicateMessage(deviceID: UUID, deduplicationKey: String) async throws(StackError) -> Bool
    /// The place of the newest message; taken before a drain of the radio's queue begins.
    func arrivalMark() async throws(StackError) -> Int64
    /// Stores a message and, in the same transaction, the last message date and unread count of its conversation.
    ///
    /// Messages of blocked contacts are stored as read. With the mark of a drain, the messages of one sender in that
    /// drain stand in the order of the sender's own clock.
    @discardableResult
    func saveMessage(
        _ message: MessageDTO, drainedAfter mark: Int64?
    ) async throws(StackError) -> SaveResult
    /// Stores a direct message that came off a radio's queue as `saveMessage` does, in its sender's conversation.
    ///
    /// The message says whom it is from by `senderKeyPrefix`; the contact is found in the same transaction. The caller
    /// stands still meanwhile instead of waiting for its turn, because so many messages come this way.
    @discardableResult
    func receiveMessage(
        _ message: MessageDTO, drainedAfter mark: Int64?
    ) throws(StackError) -> DirectReceipt
    /// The same for a message on a channel, which gets its channel and its deduplication key there. One whose sender
    /// calls itself as a blocked contact does is stored as read.
    @discardableResult
    func receiveChannelMessage(
        _ message: MessageDTO, slot: UInt8, drainedAfter mark: Int64?
    ) throws(StackError) -> ChannelReceipt
    /// The same for many messages in one transaction: all are stored, or none.
    @discardableResult
    func saveMessages(
        _ messages: [MessageDTO], drainedAfter mark: Int64?
    ) async throws(StackError) -> [SaveResult]
    /// Changes the status if the message is in the state `from` (in any, for `nil`) and may leave it for `to`.
    @discardableResult
    func updateMessageStatus(
        id: UUID, from: MessageStatus?, to: MessageStatus
    ) async throws(StackError) -> StatusChange
    /// Changes the status and counts the attempts.
    @discardableResult
    func updateMessageRetryStatus(
        id: UUID, to: MessageStatus, retryAttempt: Int, maxRetryAttempts: Int
    ) async throws(StackError) -> StatusChange
    /// Changes the status and notes the code that will confirm this attempt, and which retry it is, if it is one.
    @discardableResult
    func updateMessageAck(
        id: UUID, ackCode: UInt32, to: MessageStatus, retryAttempt: Int?
    ) async throws(StackError) -> StatusChange
    /// Direct messages that the radio took and nobody has confirmed, oldest first.
    func fetchUnconfirmedMessages(deviceID: UUID) async throws(StackError) -> [MessageDTO]
    /// Marks a message as delivered.
    @discardableResult
    func markMessageDelivered(
        id: UUID, roundTripTime: UInt32?
    ) async throws(StackError) -> StatusChange
    /// Changes the status of the newest message with this code; its id if there was one.
    @discardableResult
    func updateMessageByAckCode(
        deviceID: UUID, ackCode: UInt32, to: MessageStatus, roundTripTime: UInt32?
    ) async throws(StackError) -> (id: UUID, change: StatusChange)?
    /// Puts a failed message, or a channel message that was sent, back to `pending` with a fresh timestamp and without
    /// code, round trip time, repeats and attempts.
    @discardableResult
    func prepareResend(id: UUID, timestamp: UInt32) async throws(StackError) -> StatusChange
    /// Marks every outgoing message of the radio that is on its way as failed; which they were.
    func failAllPendingMessages(deviceID: UUID) async throws(StackError) -> [UUID]
    /// At the start of the process: what a crash left in the middle of a write goes back to the queue (or counts as
    /// sent, where the radio had answered); how many messages that were.
    @discardableResult
    func failStaleSending() async throws(StackError) -> Int
    /// Marks a received message, once, and takes it off the unread count; throws `messageNotFound`.
    func markMessageAsRead(id: UUID) async throws(StackError)
    /// Stores how many repeats were heard, in place of the earlier count; throws `messageNotFound`.
    func updateMessageHeardRepeats(id: UUID, heardRepeats: Int) async throws(StackError)
    /// Counts one more repeat; how many there are now.
    @discardableResult
    func incrementMessageHeardRepeats(id: UUID) async throws(StackError) -> Int
    /// Deletes a message, and sets its conversation's unread count and date right; throws `messageNotFound`.
    func deleteMessage(id: UUID) async throws(StackError)
}

extension MessageStore {
    /// The newest 50 messages of a thread, oldest first.
    public func fetchMessages(deviceID: UUID, thread: MessageThread) async throws(StackError) -> [MessageDTO] {
        try await fetchMessages(deviceID: deviceID, thread: thread, limit: 50, offset: 0, before: nil)
    }

    /// Stores a message that did not come out of a drain.
    @discardableResult
    public func saveMessage(_ message: MessageDTO) async throws(StackError) -> SaveResult {
        try await saveMessage(message, drainedAfter: nil)
    }
}
