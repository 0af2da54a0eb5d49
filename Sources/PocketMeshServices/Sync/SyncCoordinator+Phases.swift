public import Foundation
import Logging

extension SyncCoordinator {
    /// Messages whose progress is told one by one; behind them it is told when so many more have come.
    private static let slowCount = 32

    /// What one synchronisation works with.
    struct Parts {
        var deviceID: UUID
        var contacts: any ContactSynchronizing
        var channels: any ChannelSynchronizing
        var polling: any MessagePolling
    }

    /// Brings contacts, channels and messages over, in this order.
    ///
    /// Throws `alreadySyncing` while another runs, `syncFailed`, or `CancellationError`.
    public func performFullSync(
        deviceID: UUID, contactService: any ContactSynchronizing, channelService: any ChannelSynchronizing,
        messagePollingService: any MessagePolling
    ) async throws {
        guard running == nil else { throw StackError(.sync, .alreadySyncing) }
        runCount += 1
        let number = runCount
        let parts = Parts(
            deviceID: deviceID, contacts: contactService, channels: channelService, polling: messagePollingService)
        let task = Task(name: "synchronisation") { try await run(number, parts) }
        running = Run(number: number, task: task)
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Synchronises the connection that is up once more.
    public func performResync() async throws {
        guard let connection else { throw StackError(.sync, .notConnected) }
        let services = connection.services
        try await performFullSync(
            deviceID: connection.deviceID, contactService: services.contactSync, channelService: services.channelSync,
            messagePollingService: services.polling)
    }

    private func run(_ number: Int, _ parts: Parts) async throws {
        let discovery = await connection?.services.discovery
        await discovery?.setSyncRunning(true)
        do {
            var omissions = try await shownPhases(number, parts)
            await discovery?.setSyncRunning(false)
            omissions += try await messages(number, parts)
            await succeed(number, omissions)
        } catch {
            await discovery?.setSyncRunning(false)
            let failure = (error as? PhaseFailure)?.error ?? error
            await end(number, failure, phase: (error as? PhaseFailure)?.phase)
            if failure is CancellationError || Task.isCancelled { throw CancellationError() }
            throw Self.syncError(failure, (error as? PhaseFailure)?.phase)
        }
    }

    /// The phases that a page shows activity for; what they went on without.
    private func shownPhases(_ number: Int, _ parts: Parts) async throws -> [SyncOmission] {
        var omissions: [SyncOmission] = []
        await report(number, .contacts, 0, 0)
        await beginActivity(number)
        try await phase(.contacts) {
            let result = try await parts.contacts.synchronizeContacts(deviceID: parts.deviceID) { [weak self] in
                await self?.report(number, .contacts, $0, $1)
            }
            if !result.isComplete { omissions.append(.contacts(received: result.contactsReceived)) }
        }
        await report(number, .channels, 0, 0)
        try await phase(.channels) {
            let errors = try await parts.channels.synchronizeChannels(deviceID: parts.deviceID) { [weak self] in
                await self?.report(number, .channels, $0, $1)
            }
            if !errors.isEmpty {
                omissions.append(.channels(errors))
                dependencies.log.warning("slots were not read", metadata: ["slots": "\(errors.count)"])
            }
        }
        await endActivity(number)
        return omissions
    }

    private func messages(_ number: Int, _ parts: Parts) async throws -> [SyncOmission] {
        var omissions: [SyncOmission] = []
        await report(number, .messages, 0, 0)
        guard isCurrent(number) else { throw CancellationError() }
        burstOf = number
        await notifier.beginBurst()
        await incoming.beginBurst()
        try await phase(.messages) {
            do {
                try await parts.polling.pollAllMessages { [weak self] count in
                    // Each is told at first; later the way to the page would take longer than the message.
                    if count <= Self.slowCount || count.isMultiple(of: Self.slowCount) {
                        await self?.report(number, .messages, count, 0)
                    }
                }
            } catch let error as StackError {
                guard case .queueDoesNotEnd = error.reason else { throw error }
                // Asking again would only bring more of it.
                dependencies.log.warning("\(error)")
                omissions.append(.messages(error))
            }
            if await !parts.polling.waitForPendingHandlers(timeout: policy.handlerLimit) {
                dependencies.log.warning("handlers of drained messages have not finished")
            }
        }
        await endBurst(number)
        return omissions
    }

    private struct PhaseFailure: Error {
        var phase: SyncPhase
        var error: any Error
    }

    private func phase(_ phase: SyncPhase, _ body: () async throws -> Void) async throws {
        try Task.checkCancellation()
        do { try await body() } catch { throw PhaseFailure(phase: phase, error: error) }
        try Task.checkCancellation()
    }

    private static func syncError(_ failure: any Error, _ phase: SyncPhase?) -> StackError {
        let error = failure as? StackError
        if let error, error.operation == .sync { return error }
        let place = phase.map { "\($0.rawValue): " } ?? ""
        return StackError(.sync, .syncFailed(place + "\(failure)"), underlying: error?.underlying)
    }

    // MARK: Ends

    func isCurrent(_ number: Int) -> Bool { running?.number == number }

    private func report(_ number: Int, _ phase: SyncPhase, _ current: Int, _ total: Int) async {
        guard isCurrent(number) else { return }
        await show(.syncing(progress: SyncProgress(phase: phase, current: current, total: total)))
    }

    private func succeed(_ number: Int, _ omissions: [SyncOmission]) async {
        guard isCurrent(number) else { return }
        running = nil
        isOwed = false
        hasUntoldChanges = false
        await show(.synced, syncedAt: dependencies.now(), outcome: SyncOutcome(omissions: omissions))
        await status.noteContactsChanged()
        await status.noteConversationsChanged()
        syncContactsIfAsked()
    }

    private func end(_ number: Int, _ error: any Error, phase: SyncPhase?) async {
        await endActivity(number)
        await endBurst(number)
        guard isCurrent(number) else { return }
        running = nil
        if error is CancellationError || Task.isCancelled {
            await show(.idle)
        } else {
            let failure = Self.syncError(error, phase)
            dependencies.log.warning("a synchronisation failed", metadata: ["error": "\(failure)"])
            await show(.failed(failure), outcome: SyncOutcome(failure: failure))
        }
        if hasUntoldChanges {
            hasUntoldChanges = false
            await status.noteConversationsChanged()
        }
        syncContactsIfAsked()
    }

    // MARK: Activity

    private func beginActivity(_ number: Int) async {
        guard isCurrent(number) else { return }
        activityOf = number
        await tell(onStarted)
    }

    /// Ends the activity of a run, if it is shown.
    func endActivity(_ number: Int) async {
        guard activityOf == number else { return }
        activityOf = nil
        await tell(onEnded)
    }

    /// An end never overtakes its start, whoever of two tasks tells it.
    private func tell(_ callback: (@Sendable () async -> Void)?) async {
        let before = activityCalls
        let call = Task {
            await before?.value
            await callback?()
        }
        activityCalls = call
        await call.value
    }

    func endBurst(_ number: Int) async {
        guard burstOf == number else { return }
        burstOf = nil
        await incoming.endBurst()
        await notifier.endBurst()
    }
}
