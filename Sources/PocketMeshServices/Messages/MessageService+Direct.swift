public import FoundationEssentials
import MeshCore
public import MeshPacket
import MeshWire

// Direct messages.
extension MessageService {
    /// Sends a message once, and returns when the radio has accepted it. Its row shows later whether it arrived.
    ///
    /// Without a connection the message is in the queue then, if the profile keeps such messages.
    public func sendDirectMessage(
        text: String, to contact: ContactDTO, textType: TextType = .plain, replyToID: UUID? = nil
    ) async throws -> MessageDTO {
        startAckExpiryChecking()
        return try await send(text, to: contact, textType, replyToID, retry: nil, onMessageCreated: nil)
    }

    /// Sends a message until it is confirmed or the policy gives up; returns the row in its final state.
    ///
    /// `timeout` replaces the radio's estimate for each attempt. `onMessageCreated` receives the row before anything is
    /// written.
    ///
    /// Without a connection the row is returned as it is queued, or as sent when only its confirmation is missing.
    /// `drainQueue` goes on with both.
    public func sendMessageWithRetry(
        text: String, to contact: ContactDTO, textType: TextType = .plain, replyToID: UUID? = nil,
        timeout: Duration? = nil, onMessageCreated: (@Sendable (MessageDTO) async -> Void)? = nil
    ) async throws -> MessageDTO {
        try await send(
            text, to: contact, textType, replyToID, retry: policy.retry, wait: timeout,
            onMessageCreated: onMessageCreated)
    }

    /// Sends a failed message anew, as `sendMessageWithRetry`, with a fresh timestamp: receivers drop copies of the old
    /// one.
    public func retryDirectMessage(messageID: UUID, to contact: ContactDTO) async throws -> MessageDTO {
        guard memory.retried.insert(messageID).inserted else { throw Self.isUnderway }
        defer { memory.retried.remove(messageID) }
        let line = line(contact.id)
        let ticket = line.ticket()
        defer { line.leave(ticket) }
        return try await translated {
            try MessageLimits.check(recipient: contact)
            guard let failed = try await store.fetchMessage(id: messageID) else { throw Self.isGone }
            guard failed.contactID == contact.id else { throw StackError(.messages, .invalidRecipient) }
            let timestamp = memory.timestamps.reserve(failed.text, at: max(dependencies.seconds, failed.timestamp &+ 1))
            guard case .changed = try await store.prepareResend(id: messageID, timestamp: timestamp) else {
                throw Self.isUnderway
            }
            memory.ledger.close(messageID)
            guard let message = try await store.fetchMessage(id: messageID) else { throw Self.isGone }
            return try await deliver(directSend(message, to: contact, retry: policy.retry), in: line, ticket)
        }
    }

    static let isUnderway = StackError(
        .messages, .notSent("it has not failed, or is being tried again already"))
    static let isGone = StackError(.messages, .notSent("it was deleted"))

    // MARK: Steps

    private func send(
        _ text: String, to contact: ContactDTO, _ type: TextType, _ replyToID: UUID?, retry: RetryPolicy?,
        wait: Duration? = nil, onMessageCreated: (@Sendable (MessageDTO) async -> Void)?
    ) async throws -> MessageDTO {
        // Drawn before anything is waited for: the order of the calls is the order on the air.
        let line = line(contact.id)
        let ticket = line.ticket()
        defer { line.leave(ticket) }
        return try await translated {
            let message = try await compose(
                text, to: contact, type, replyToID, maxRetries: (retry?.maxAttempts ?? 1) - 1)
            await onMessageCreated?(message)
            var send = directSend(message, to: contact, retry: retry)
            send.wait = wait
            return try await deliver(send, in: line, ticket)
        }
    }

    /// Stores the message as pending.
    private func compose(
        _ text: String, to contact: ContactDTO, _ type: TextType, _ replyToID: UUID?, maxRetries: Int
    ) async throws -> MessageDTO {
        try MessageLimits.check(recipient: contact)
        try MessageLimits.check(type: type)
        let id = dependencies.random.uuid()
        let ticket = gates.storing.ticket()
        defer { gates.storing.leave(ticket) }
        try await gates.storing.pass(ticket)
        let frame = min(await session.transport.capabilities.maxFrame, await session.frameLimit)
        try MessageLimits.check(text, limit: min(policy.directLimit, frame - MessageLimits.directHead))
        let message = MessageDTO(
            id: id, deviceID: contact.deviceID, contactID: contact.id, text: text,
            timestamp: memory.timestamps.reserve(text, at: dependencies.seconds), createdAt: dependencies.now(),
            direction: .outgoing, status: .pending, textType: type, replyToID: replyToID, maxRetryAttempts: maxRetries)
        try await store.saveMessage(message)
        return try await store.fetchMessage(id: id) ?? message
    }

    func directSend(_ message: MessageDTO, to contact: ContactDTO, retry: RetryPolicy?) -> DirectSend {
        var policy = retry ?? self.policy.retry
        if retry == nil { policy.maxAttempts = 1 }
        return DirectSend(
            message: message, contact: contact,
            plan: RetryPlan(policy: policy, hasPath: contact.hasPath, textBytes: message.text.utf8.count),
            isLooped: retry != nil)
    }

    /// Returns the way of a message that waits for its turn.
    func way(of send: DirectSend) -> SendPlan {
        SendPlan(send.plan, policy: policy, isOnRadio: send.contact.onRadio)
    }

    /// Waits for its turn, sends, and looks after the message to its end; the row then.
    private func deliver(_ send: DirectSend, in line: Gate, _ ticket: Gate.Ticket) async throws -> MessageDTO {
        var send = send
        if let contact = try await store.fetchContact(id: send.contact.id) {
            send = refreshed(send, contact)
        }
        var way = way(of: send)
        switch try await launch(send, &way, in: line, ticket) {
        case .obsolete, .parked: break
        case .sent(let wait):
            line.leave(ticket)
            if send.isLooped { try await follow(send, &way, wait: wait) }
        }
        guard let row = try await store.fetchMessage(id: send.id) else { throw Self.isGone }
        return row
    }

    /// The same with the contact as the store has it now: the caller's may be old.
    private func refreshed(_ send: DirectSend, _ contact: ContactDTO) -> DirectSend {
        var fresh = directSend(send.message, to: contact, retry: send.isLooped ? policy.retry : nil)
        fresh.wait = send.wait
        fresh.isQueued = send.isQueued
        return fresh
    }

    func translated<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await inTerms(of: .messages, body)
    }
}
