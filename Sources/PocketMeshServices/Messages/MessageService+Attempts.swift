import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshWire
import Synchronization

// The attempts of a direct message.
extension MessageService {
    // MARK: The first

    /// Waits for the recipient's line and for room among the unconfirmed, and writes the message for the first time.
    ///
    /// Throws when the radio refuses it; the row is failed then.
    func launch(
        _ send: DirectSend, _ way: inout SendPlan, in line: Gate, _ ticket: Gate.Ticket
    ) async throws -> DirectSend.Launch {
        await ensureListening(deviceID: send.message.deviceID)
        do {
            try await line.pass(ticket)
            try await keepSpacing(send)
            try await takeSlot(for: send.id)
        } catch {
            freeSlot(of: send.id)
            if case .queue = way.stopped(by: error) {
                await park(send, wasWritten: false, because: error)
            } else {
                await fail(send.id, isFinal: true)
            }
            throw error
        }
        memory.ledger.open(send.id, isLooped: send.isLooped)
        guard try await beginSending(send) else { return .obsolete }
        return try await writeFirst(send, &way)
    }

    private func takeSlot(for id: UUID) async throws {
        let place = gates.drawPlace(for: id)
        try await place.gate.pass(place.ticket)
    }

    /// Gives up the place among the unconfirmed.
    private func abandon(_ id: UUID) {
        memory.ledger.close(id)
        freeSlot(of: id)
    }

    /// Marks the message as being sent, and returns whether it still has to be; if not, its place is free.
    private func beginSending(_ send: DirectSend) async throws -> Bool {
        do {
            let change = try await store.updateMessageStatus(id: send.id, from: .pending, to: .sending)
            if change == .changed { return true }
        } catch let error where error.stackReason == .messageNotFound {
            dependencies.log.debug("a message was deleted before it was sent")
        } catch {
            abandon(send.id)
            // One in the queue stays there for the next drain; of any other the caller is told, and the row says the
            // same.
            if !send.isQueued { await fail(send.id, isFinal: true) }
            throw error
        }
        abandon(send.id)
        return false
    }

    private func writeFirst(_ send: DirectSend, _ way: inout SendPlan) async throws -> DirectSend.Launch {
        guard case .write(let attempt, let step) = way.write() else { return .obsolete }
        let begin = WriteMoment(elapsed)
        do {
            let sent = try await write(send, &way, attempt, after: step, begin)
            guard try await isNoted(send, &way, sent, begin) else {
                abandon(send.id)
                return .obsolete
            }
            let wait = await accept(send, &way, sent, begin)
            beginSpacing(behind: send, wait: wait)
            await keepAttempt(Int(attempt.number) + 1, of: send.id, isFlood: sent.route != 0, to: send.contact)
            return .sent(wait: wait)
        } catch let error as Unnoted {
            await fail(send.id, isFinal: false)
            throw error.reason
        } catch {
            switch way.stopped(by: error) {
            case .failUnlessConfirmed:
                if await isConfirmedWithoutAnswer(send, begin) { return .sent(wait: .zero) }
                await fail(send.id, isFinal: false)
            case .queue:
                abandon(send.id)
                await park(send, wasWritten: begin.at != nil, because: error)
                if !(error is CancellationError), !isStopped { return .parked }
            case .fail, .leaveSent, .nothing:
                abandon(send.id)
                await fail(send.id, isFinal: true)
            }
            throw error
        }
    }

    // MARK: Spacing

    /// Begins the rest after a first write, with the wait for its confirmation.
    private func beginSpacing(behind send: DirectSend, wait: Duration) {
        guard let part = policy.spacing, !memory.ledger.isDelivered(send.id) else { return }
        let end = elapsed() + wait * dependencies.random.fraction(in: part)
        gates.spacing.begin(behind: send.id, to: send.contact.id, until: end)
    }

    /// Waits until the text may follow the one before; called for the first in the recipient's line.
    private func keepSpacing(_ send: DirectSend) async throws {
        guard let pause = gates.spacing.follow(send.contact.id, by: send.id, at: elapsed()) else { return }
        await rest(send.id, for: pause)
        gates.spacing.pass(send.contact.id)
        try checkRunning()
    }

    /// Notes in the row that the radio accepted the message; `false` for one that has gone or belongs elsewhere.
    ///
    /// Where the store fails, the message is on its way all the same: its confirmation counts.
    private func isNoted(
        _ send: DirectSend, _ way: inout SendPlan, _ sent: MessageSentInfo, _ begin: WriteMoment
    ) async throws -> Bool {
        do {
            let isNoted = try await store.completePendingSend(messageID: send.id, ackCode: sent.tag) == .changed
            if isNoted { events.emit(.messageSent(messageID: send.id)) }
            return isNoted
        } catch let error where error.stackReason == .messageNotFound {
            return false
        } catch {
            _ = await accept(send, &way, sent, begin)
            throw Unnoted(reason: error)
        }
    }

    /// Fails a message whose write had no answer, unless a confirmation shows that the radio accepted it.
    ///
    /// A later confirmation still counts.
    private func isConfirmedWithoutAnswer(_ send: DirectSend, _ begin: WriteMoment) async -> Bool {
        guard let sender = await session.currentSelfInfo?.publicKey,
            let code = Self.codes(of: send.message, attempts: 1, sender: sender).first
        else { return false }
        let now = elapsed()
        let attempt = ConfirmationLedger.Attempt(code: code, writtenAt: begin.at ?? now, isFlood: false)
        let verdict = memory.ledger.add(attempt, to: send.id, deadline: now, now: now)
        guard case .delivered = verdict else { return false }
        do {
            try await store.completePendingSend(messageID: send.id, ackCode: code)
        } catch {
            dependencies.log.error("a message was not marked as sent: \(error)")
        }
        await act(on: verdict)
        return true
    }

    /// Puts a message that was not sent in the queue, where it may be already.
    ///
    /// One that may have been written keeps its timestamp, so that a receiver drops the copy.
    private func park(_ send: DirectSend, wasWritten: Bool, because error: any Error) async {
        do {
            _ = try await store.updateMessageStatus(id: send.id, from: .sending, to: .pending)
            if !send.isQueued { try await store.requeueMessage(id: send.id) }
            if wasWritten && !send.isQueued {
                try await store.recordSendAttempt(messageID: send.id, timestamp: send.message.timestamp)
            }
            try await store.recordSendError(
                messageID: send.id, error: "\(StackError.meaning(of: error, in: .messages))")
        } catch let error where error.stackReason == .messageNotFound {
            dependencies.log.debug("a message was deleted before it was sent")
        } catch {
            dependencies.log.error("an unsent message was not queued: \(error)")
        }
    }

    // MARK: Those that follow

    /// Waits for the confirmation, and tries again as the plan says, until the message is delivered or failed.
    ///
    /// When the link goes the row stays sent, unless the profile says otherwise. Throws when the radio refuses a later
    /// attempt, the service stops, the caller is cancelled or the store fails.
    func follow(_ send: DirectSend, _ way: inout SendPlan, wait: Duration) async throws {
        do {
            try await tryAgain(send, &way, wait: wait)
        } catch let error where error.stackReason == .messageNotFound {
            // The user has deleted it.
            abandon(send.id)
        } catch let error as StackError where error.operation == .store {
            // From here on the checker looks after it: it fails when it is due, and gives its place up.
            memory.ledger.release(send.id)
            startAckExpiryChecking()
            throw error
        }
    }

    private func tryAgain(_ send: DirectSend, _ way: inout SendPlan, wait: Duration) async throws {
        var wait = send.wait ?? wait
        while true {
            await rest(send.id, for: wait)
            if try await isSettled(send, &way) { return }
            switch way.unconfirmed() {
            case .nothing: return await finish(send)
            case .giveUp:
                await fail(send.id, isFinal: false)
                return await finish(send)
            case .retry(let attempt):
                guard let next = try await retry(send, &way, attempt, after: wait) else { return }
                wait = send.wait ?? next
            }
        }
    }

    /// Pauses before one more attempt and writes it; returns how long to wait for it, or `nil` when all is done.
    private func retry(
        _ send: DirectSend, _ way: inout SendPlan, _ attempt: RetryPlan.Attempt, after wait: Duration
    ) async throws -> Duration? {
        let number = Int(attempt.number)
        let change = try await store.updateMessageRetryStatus(
            id: send.id, to: .retrying, retryAttempt: number - 1, maxRetryAttempts: send.maxRetries)
        guard change == .changed else {
            way.end()
            await finish(send)
            return nil
        }
        events.emit(.messageRetried(messageID: send.id, retry: number, maxRetries: send.maxRetries))
        await rest(send.id, for: attempt.pause + jitter(after: wait))
        if try await isSettled(send, &way) { return nil }
        if attempt.resetsPath { await forgetPath(to: send.contact) }
        return try await writeAgain(send, &way)
    }

    /// Returns the policy's addition to the pause before another attempt, where more messages than this one are on
    /// their way.
    private func jitter(after wait: Duration) -> Duration {
        guard policy.retry.jitter > 0, gates.unconfirmedCount > 1 else { return .zero }
        return wait * dependencies.random.fraction(in: 0...policy.retry.jitter)
    }

    private func writeAgain(_ send: DirectSend, _ way: inout SendPlan) async throws -> Duration? {
        guard case .write(let attempt, let step) = way.write() else { return nil }
        let begin = WriteMoment(elapsed)
        do {
            let sent = try await write(send, &way, attempt, after: step, begin)
            // First, so that it can be confirmed whatever becomes of the row.
            let wait = await accept(send, &way, sent, begin)
            try await store.updateMessageAck(
                id: send.id, ackCode: sent.tag, to: .sent, retryAttempt: Int(attempt.number))
            await keepAttempt(Int(attempt.number) + 1, of: send.id, isFlood: sent.route != 0, to: send.contact)
            return wait
        } catch is Delivered {
            way.end()
            await finish(send)
            return nil
        } catch {
            guard case .leaveSent = way.stopped(by: error) else {
                await fail(send.id, isFinal: false)
                throw error
            }
            await leaveSent(send.id, because: error)
            if error is CancellationError { throw error }
            return nil
        }
    }

    /// Returns whether nothing is left to do. Throws when the service stops or the caller is cancelled.
    private func isSettled(_ send: DirectSend, _ way: inout SendPlan) async throws -> Bool {
        if memory.ledger.isDelivered(send.id) {
            way.end()
            await finish(send)
            return true
        }
        do {
            try checkRunning()
            return false
        } catch {
            if case .leaveSent = way.stopped(by: error) { await leaveSent(send.id, because: error) }
            throw error
        }
    }

    /// Leaves the message sent; a confirmation still counts.
    ///
    /// One whose caller has gone is left to the periodic check, one whose link has gone to the next drain.
    private func leaveSent(_ id: UUID, because error: any Error) async {
        if error is CancellationError {
            memory.ledger.release(id)
            startAckExpiryChecking()
        } else {
            abandon(id)
        }
        do {
            _ = try await store.updateMessageStatus(id: id, from: .retrying, to: .sent)
        } catch {
            dependencies.log.error("a message was not marked as sent: \(error)")
        }
    }

    /// Finishes a message: marks its row as delivered if it is, and checks the contact's path.
    private func finish(_ send: DirectSend) async {
        if let entry = memory.ledger[send.id], case .delivered = entry.phase {
            await markDelivered(send.id, roundTripTime: entry.roundTripTime)
            freeSlot(of: send.id)
            if entry.wasFlooded && policy.discoversPathAfterFlood { discoverPath(to: send.contact) }
        }
        await checkPath(of: send.contact)
    }

    /// Marks a message as failed. A final failure leaves no late window.
    func fail(_ id: UUID, isFinal: Bool) async {
        let sentAt = memory.ledger[id]?.attempts.last?.writtenAt ?? elapsed()
        let end = isFinal ? elapsed() : sentAt + policy.retry.lateWindow
        let mayFail = memory.ledger.fail(id, lateUntil: end)
        freeSlot(of: id)
        guard mayFail else { return }
        do {
            if case .changed = try await store.failPendingSend(messageID: id) {
                events.emit(.messageFailed(messageID: id))
            }
        } catch let error where error.stackReason == .messageNotFound {
            dependencies.log.debug("a message was deleted before it failed")
        } catch {
            dependencies.log.error("a message was not marked as failed: \(error)")
        }
    }

    // MARK: Writing

    /// Notes an attempt that the radio accepted: its confirmations count from now on; returns the wait for them.
    private func accept(
        _ send: DirectSend, _ way: inout SendPlan, _ sent: MessageSentInfo, _ begin: WriteMoment
    ) async -> Duration {
        guard let wait = way.accepted(sent) else { return .zero }
        let now = elapsed()
        let attempt = ConfirmationLedger.Attempt(
            code: sent.tag, writtenAt: begin.at ?? now, isFlood: sent.route != 0)
        let verdict = memory.ledger.add(attempt, to: send.id, deadline: now + (send.wait ?? wait), now: now)
        await act(on: verdict)
        return wait
    }

    /// Writes one attempt to the radio; again when it has no room, and with the contact when it lacks it.
    private func write(
        _ send: DirectSend, _ way: inout SendPlan, _ attempt: RetryPlan.Attempt, after step: SendPlan.Step?,
        _ begin: WriteMoment
    ) async throws -> MessageSentInfo {
        if let step { try await prepareWrite(of: send.id, by: step, to: send.contact) }
        while true {
            do {
                return try await whenUsual {
                    // Its confirmation may have come while the path was forgotten, or a setting was in force.
                    if memory.ledger.isDelivered(send.id) { throw Delivered() }
                    return try await session.sendMessage(
                        to: .bytes([UInt8](send.contact.publicKey)), text: send.message.text,
                        timestamp: send.message.timestamp, attempt: attempt.number
                    ) { begin.note() }
                }
            } catch SessionError.refused(let command, let code) {
                guard let step = way.refused(code) else { throw SessionError.refused(command, code) }
                try await prepareWrite(of: send.id, by: step, to: send.contact)
            }
        }
    }

    /// Performs the step before a message is written.
    func prepareWrite(of id: UUID, by step: SendPlan.Step, to contact: ContactDTO? = nil) async throws {
        switch step {
        case .giveUp(let error): throw error
        case .addContact: if let contact { try await addToRadio(contact) }
        case .pause(let pause):
            await rest(id, for: pause * dependencies.random.fraction(in: 0.8...1.2))
            try checkRunning()
        }
    }

    private func addToRadio(_ contact: ContactDTO) async throws {
        do {
            try await session.updateContact(ContactRecord(contact))
        } catch SessionError.refused(_, .tableFull) {
            throw StackError(.messages, .notSent("the radio has dropped the contact and its table is full"))
        }
        var added = try await store.fetchContact(id: contact.id) ?? contact
        added.onRadio = true
        try await store.saveContact(added)
    }
}

/// The message was delivered while it was to be written again.
private struct Delivered: Error {}

/// The error of a message that the radio accepted and the store did not note.
private struct Unnoted: Error {
    var reason: any Error
}

/// The moment at which a frame was written to the link.
private final class WriteMoment: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let moment = Mutex<Duration?>(nil)

    init(_ elapsed: @escaping @Sendable () -> Duration) {
        self.elapsed = elapsed
    }

    var at: Duration? { moment.withLock { $0 } }

    func note() {
        let now = elapsed()
        moment.withLock { $0 = now }
    }
}
