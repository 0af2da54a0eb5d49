public import FoundationEssentials
import Logging
import MeshCore
import MeshPacket

// What the radio says of messages: confirmations and memory.echoes.
extension MessageService {
    /// Begins to listen for confirmations of messages of this radio, and for echoes of its channel messages.
    ///
    /// Sending does that by itself; an earlier call also keeps confirmations that come before.
    public func startEventListening(deviceID: UUID) async {
        self.deviceID = deviceID
        await ensureListening(deviceID: deviceID)
    }

    /// Ends the wait for confirmations; it can be started again.
    public func stopEventListening() { life.endListening()?.cancel() }

    /// Begins to listen before it returns, so that no effect of a write is missed.
    func ensureListening(deviceID: UUID) async {
        if self.deviceID == nil { self.deviceID = deviceID }
        guard life.mayListen else { return }
        // Heard packets have a stream of their own, so that a storm of them pushes out no confirmation.
        let confirmed = await session.trackedEvents(filter: .anyAcknowledgement, bufferSize: 1024)
        let heard = await session.trackedEvents(filter: .heardTexts, bufferSize: 1024)
        let hasBegun = life.listen { number in
            let (verdicts, continuation) = AsyncStream.makeStream(of: Confirmation.self)
            return .init(
                number: number,
                tasks: [
                    Task(name: "confirmations of messages") { [weak self] in
                        for await event in confirmed.events { await self?.confirmed(event) }
                        await self?.listenerEnded(number)
                    },
                    // Apart from the listening: a handler that takes its time delays no confirmation.
                    Task(name: "what confirmations bring about") { [weak self] in
                        for await confirmation in verdicts { await self?.act(on: confirmation) }
                    },
                    Task(name: "echoes of channel messages") { [weak self] in
                        for await event in heard.events { await self?.heardPacket(event) }
                    },
                ], confirmations: continuation)
        }
        guard !hasBegun else { return }
        await session.unsubscribe(confirmed)
        await session.unsubscribe(heard)
    }

    /// The session has ended its streams; a session that starts again has new ones.
    private func listenerEnded(_ number: Int) { life.endListening(number)?.finish() }

    private func confirmed(_ event: MeshEvent) {
        guard case .acknowledgement(let code, let tripTime) = event else { return }
        let verdict = memory.ledger.confirm(code, tripTime: tripTime, at: elapsed())
        if case .delivered(let delivery) = verdict {
            freeSlot(of: delivery.messageID)
            wake(delivery.messageID)
        }
        life.yield(Confirmation(code: code, tripTime: tripTime, verdict: verdict))
    }

    private func act(on confirmation: Confirmation) async {
        if confirmation.verdict == .unknown {
            await confirmStored(confirmation.code, confirmation.tripTime)
        } else {
            await act(on: confirmation.verdict)
        }
    }

    /// Performs the effects of a confirmation.
    func act(on verdict: ConfirmationLedger.Verdict) async {
        switch verdict {
        case .unknown: break
        case .repeated(let id): await countRepeat(of: id)
        case .delivered(let delivery):
            freeSlot(of: delivery.messageID)
            // The loop may have marked it already; it is told here, once.
            let change = await markDelivered(delivery.messageID, roundTripTime: delivery.roundTripTime)
            if change != nil {
                events.emit(.messageDelivered(code: delivery.code, roundTripTime: delivery.roundTripTime))
            }
        }
    }

    /// A confirmation of a message that was sent before this service was made, or of none.
    private func confirmStored(_ code: UInt32, _ tripTime: UInt32?) async {
        guard let deviceID else { return }
        do {
            guard let message = try await store.fetchMessage(deviceID: deviceID, ackCode: code),
                message.status == .sent, memory.ledger[message.id] == nil
            else {
                dependencies.log.debug("a confirmation of nothing that is known")
                return
            }
            let change = try await store.markMessageDelivered(id: message.id, roundTripTime: tripTime)
            if change == .changed { events.emit(.messageDelivered(code: code, roundTripTime: tripTime ?? 0)) }
        } catch {
            dependencies.log.error("a confirmation was not stored: \(error)")
        }
    }

    @discardableResult
    func markDelivered(_ id: UUID, roundTripTime: UInt32?) async -> StatusChange? {
        do {
            return try await store.markMessageDelivered(id: id, roundTripTime: roundTripTime)
        } catch {
            dependencies.log.error("a message was not marked as delivered: \(error)")
            return nil
        }
    }

    private func countRepeat(of id: UUID) async {
        do {
            try await store.incrementMessageHeardRepeats(id: id)
        } catch {
            dependencies.log.error("a repeat was not counted: \(error)")
        }
    }

    // MARK: Expiry

    /// Looks through single sends regularly, every five seconds unless the profile says otherwise.
    public func startAckExpiryChecking(interval: Duration? = nil) {
        let interval = interval ?? policy.expiryInterval
        life.check {
            Task(name: "expiry of messages") { [weak self, clock = dependencies.clock] in
                while (try? await clock.sleep(for: interval)) != nil {
                    guard let self else { return }
                    await self.checkExpiredAcks()
                    await self.cleanupDeliveredAcks()
                }
            }
        }
    }

    /// Ends the background tasks; they can be started again.
    public func stopAckExpiryChecking() { life.endChecking()?.cancel() }

    /// Fails single sends whose wait is over. Those with a loop are left to it.
    public func checkExpiredAcks() async {
        for id in memory.ledger.expired(at: elapsed()) { await fail(id, isFinal: false) }
    }

    /// Forgets delivered messages whose repeats are not counted any more, and other finished ones.
    public func cleanupDeliveredAcks() {
        memory.ledger.clean(at: elapsed())
    }
}

/// A confirmation, and its verdict at its arrival.
struct Confirmation: Sendable {
    var code: UInt32
    var tripTime: UInt32?
    var verdict: ConfirmationLedger.Verdict
}

extension EventFilter {
    /// Texts that the radio heard, direct ones and those of channels.
    fileprivate static let heardTexts = EventFilter { event in
        guard case .rxLogData(let heard) = event else { return false }
        return heard.packet.type == .grpTxt || heard.packet.type == .txtMsg
    }
}
