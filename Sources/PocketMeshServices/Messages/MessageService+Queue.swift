public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshCrypto
import MeshPacket
import MeshWire

// The queue: what was composed while the radio was not ready, and what the last connection left unfinished.
extension MessageService {
    /// Stores a message for a contact and its place in the queue.
    public func enqueueDirectMessage(
        text: String, to contact: ContactDTO, replyToID: UUID? = nil
    ) async throws -> MessageDTO {
        try await outbox.enqueueDirectMessage(text: text, to: contact, replyToID: replyToID)
    }

    /// Stores a message for a channel and its place in the queue.
    public func enqueueChannelMessage(
        text: String, channelIndex: UInt8, deviceID: UUID, replyToID: UUID? = nil
    ) async throws -> MessageDTO {
        try await outbox.enqueueChannelMessage(
            text: text, channelIndex: channelIndex, deviceID: deviceID, replyToID: replyToID)
    }

    /// Deletes a message that waits; throws for one that is on its way.
    public func deleteQueued(messageID: UUID) async throws { try await outbox.deleteQueued(messageID: messageID) }

    /// Messages that wait for this radio.
    public func queuedCount(deviceID: UUID) async throws -> Int {
        try await outbox.queuedCount(deviceID: deviceID)
    }

    /// Sends the waiting messages in order, once the radio is ready; returns the number that the radio accepted.
    ///
    /// First it resumes messages that an earlier connection left sent and unconfirmed. It ends early, without an error,
    /// when the link goes: the rest stays in the queue. Confirmations are awaited after it.
    @discardableResult
    public func drainQueue(deviceID: UUID) async throws -> Int {
        guard life.beginDraining() else { return 0 }
        defer { life.endDraining() }
        return try await translated {
            await ensureListening(deviceID: deviceID)
            startAckExpiryChecking()
            try await adoptUnfinished(deviceID: deviceID)
            var plan = QueuePlan()
            while true {
                let entries = plan.round(try await store.fetchPendingSends(deviceID: deviceID))
                guard !entries.isEmpty, try await drain(entries, &plan) else { return plan.count }
            }
        }
    }

    /// Sends entries in order; whether the link is still there.
    private func drain(_ entries: [PendingSendDTO], _ plan: inout QueuePlan) async throws -> Bool {
        // All places are taken now, so that nothing that is composed meanwhile overtakes them.
        let places = entries.map { (entry: $0, line: line($0.target), ticket: line($0.target).ticket()) }
        defer { for place in places { place.line.leave(place.ticket) } }
        for place in places {
            try checkRunning()
            do {
                let launched = try await send(place.entry, in: place.line, place.ticket)
                guard plan.goesOn(behind: launched) else { return false }
            } catch let error where QueuePlan.goesOn(behind: error) {
                // The message has failed; the others have not.
                dependencies.log.warning("a queued message was refused: \(error)")
            }
            place.line.leave(place.ticket)
        }
        return true
    }

    /// Sends one entry. Throws when the message has failed.
    private func send(
        _ entry: PendingSendDTO, in line: Gate, _ ticket: Gate.Ticket
    ) async throws -> DirectSend.Launch {
        guard var message = try await store.fetchMessage(id: entry.messageID), message.status == .pending else {
            return .obsolete
        }
        message.timestamp = try await stamp(entry, message)
        if entry.kind == .channel { return try await launchChannel(message.id, isQueued: true, in: line, ticket) }
        guard let contact = try await store.fetchContact(id: entry.target) else {
            await fail(message.id, isFinal: true)
            throw StackError(.messages, .contactNotFound)
        }
        var send = directSend(message, to: contact, retry: policy.retry)
        send.isQueued = true
        var way = way(of: send)
        let launched = try await launch(send, &way, in: line, ticket)
        if case .sent(let wait) = launched, let attempts = way.handOver() {
            look(after: send, attempts: attempts, wait: wait)
        }
        return launched
    }

    /// The message's time, stored before it is written.
    private func stamp(_ entry: PendingSendDTO, _ message: MessageDTO) async throws -> UInt32 {
        let stamp = QueuePlan.stamp(
            entry, composed: message.timestamp, now: dependencies.now(), seconds: dependencies.seconds, policy.queueAge)
        let timestamp: UInt32
        switch stamp {
        case .reserve(let second): timestamp = memory.timestamps.reserve(message.text, at: second)
        case .same(let sent):
            timestamp = sent
            memory.timestamps.note(message.text, sent)
        }
        return try await store.recordSendAttempt(messageID: entry.messageID, timestamp: timestamp).timestamp
            ?? timestamp
    }

    /// Goes on with a sent message after the call that sent it.
    private func look(after send: DirectSend, attempts: RetryPlan, wait: Duration) {
        keep("attempts of a queued message") { [policy] service in
            var way = SendPlan(sent: attempts, policy: policy, isOnRadio: send.contact.onRadio)
            do {
                try await service.follow(send, &way, wait: wait)
            } catch {
                service.dependencies.log.debug("a queued message was not delivered: \(error)")
            }
        }
    }

    // MARK: The end of sending

    /// Waits until the queue is empty and every sent message is confirmed or has failed; `false` after the limit.
    public func finishSending(deviceID: UUID, within limit: Duration) async throws -> Bool {
        let elapsed = dependencies.clock.stopwatch()
        while true {
            let isDone = try await translated {
                let waiting = try await store.countPendingMessages(deviceID: deviceID)
                let unconfirmed = try await store.fetchUnconfirmedMessages(deviceID: deviceID)
                return waiting == 0 && unconfirmed.isEmpty
            }
            if isDone || isStopped || elapsed() >= limit { return isDone }
            try await dependencies.clock.sleep(for: min(Self.finishInterval, limit - elapsed()))
        }
    }

    /// The pause between two looks at the store.
    private static let finishInterval: Duration = .milliseconds(100)

    // MARK: What was left

    /// Resumes messages that were sent and neither confirmed nor failed when the last connection ended.
    private func adoptUnfinished(deviceID: UUID) async throws {
        for message in try await store.fetchUnconfirmedMessages(deviceID: deviceID)
        where memory.ledger[message.id] == nil {
            guard let contactID = message.contactID, let contact = try await store.fetchContact(id: contactID) else {
                await fail(message.id, isFinal: true)
                continue
            }
            adopt(message, contact, sender: await session.currentSelfInfo?.publicKey)
        }
    }

    /// Resumes a message with a new wait: nothing listened in between.
    private func adopt(_ message: MessageDTO, _ contact: ContactDTO, sender: PublicKey?) {
        let attempts = message.retryAttempt + 1
        var send = directSend(message, to: contact, retry: message.maxRetryAttempts > 0 ? policy.retry : nil)
        send.plan = RetryPlan(
            policy: send.plan.policy, hasPath: contact.hasPath, textBytes: message.text.utf8.count, attempts: attempts)
        memory.timestamps.note(message.text, message.timestamp)
        let now = elapsed()
        let wait = policy.retry.ackDefault
        memory.ledger.open(message.id, isLooped: send.isLooped)
        for code in Self.codes(of: message, attempts: attempts, sender: sender) {
            let attempt = ConfirmationLedger.Attempt(code: code, writtenAt: now, isFlood: false)
            _ = memory.ledger.add(attempt, to: message.id, deadline: now + wait, now: now)
        }
        _ = gates.drawPlace(for: message.id)
        if send.isLooped { look(after: send, attempts: send.plan, wait: wait) }
    }

    /// Returns the codes that confirm the attempts: the last code is stored, those of the first four can be computed.
    static func codes(of message: MessageDTO, attempts: Int, sender: PublicKey?) -> [UInt32] {
        var codes = [message.ackCode].compactMap(\.self)
        guard let sender else { return codes }
        for number in 0..<UInt8(clamping: min(attempts, 4)) {
            let plain = TextPlaintext(timestamp: message.timestamp, attempt: number, text: ByteText(message.text))
            if let code = plain?.ackHash(sender: sender, receiver: sender), !codes.contains(code) { codes.append(code) }
        }
        return codes
    }
}
