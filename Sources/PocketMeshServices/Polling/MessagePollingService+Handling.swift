import Logging
import MeshCompanion
import MeshCore
import MeshPacket

/// A caller that waits for handlers to finish.
struct HandlerWaiter {
    /// The range of handlers that the caller waits for.
    var awaited: ClosedRange<Int>
    var continuation: CheckedContinuation<Bool, Never>
    /// The end of its wait, by the service's stopwatch.
    var due: Duration
}

extension MessagePollingService {
    func handle(_ message: MessageResult, mark: Int64?) async {
        guard message != .noMoreMessages, let deviceID else { return }
        await handle(message, MessageArrival(deviceID: deviceID, drainMark: mark))
    }

    /// Delivers a message and returns when it is handled, or after the limit.
    func handle(_ message: MessageResult, _ arrival: MessageArrival) async {
        handlerCount += 1
        let number = handlerCount
        handling[number] = Task(name: "handler of a message", executorPreference: dependencies.executor) {
            await self.run(number, message, arrival)
        }
        if await !finish(number...number, within: policy.handlerLimit) {
            dependencies.log.warning("the handler of a message is left behind", metadata: ["number": "\(number)"])
        }
    }

    private func run(_ number: Int, _ message: MessageResult, _ arrival: MessageArrival) async {
        await route(message, arrival)
        handling[number] = nil
        wakeWaiters()
    }

    /// Delivers a message in a task that works on a drain, and returns when it is handled, without a limit.
    func handle(_ message: MessageResult, _ arrival: MessageArrival, in worker: Task<Void, Never>?) async {
        handlerCount += 1
        let number = handlerCount
        handling[number] = worker
        drainPlan.handle(until: elapsed() + policy.handlerLimit)
        setAlarm()
        await route(message, arrival)
        handling[number] = nil
        wakeWaiters()
    }

    private func route(_ message: MessageResult, _ arrival: MessageArrival) async {
        switch message {
        case .contactMessage(let received):
            switch received.message.textType {
            case .cliData: await hand(received, arrival, to: intake?.commandAnswer, "command answer")
            case .signedPlain: await hand(received, arrival, to: intake?.signed, "signed text")
            default: await hand(received, arrival, to: intake?.contact, "text")
            }
        case .channelMessage(let received): await hand(received, arrival, to: intake?.channel, "channel text")
        case .channelDatagram(let datagram):
            if !events.emit(.datagramReceived(datagram, arrival)) { dropped("datagram") }
        case .noMoreMessages: break
        }
    }

    private func hand<Message: Sendable>(
        _ message: Message, _ arrival: MessageArrival,
        to handler: (nonisolated(nonsending) @Sendable (Message, MessageArrival) async -> Void)?,
        _ kind: StaticString
    ) async {
        guard let handler else { return dropped(kind) }
        await handler(message, arrival)
    }

    private func dropped(_ kind: StaticString) {
        dependencies.log.warning("nobody takes a message; it is dropped", metadata: ["kind": "\(kind)"])
    }

    // MARK: Waiting for handlers

    @discardableResult
    public func waitForPendingHandlers(timeout: Duration) async -> Bool {
        await finish(0...handlerCount, within: timeout)
    }

    /// Waits for handlers, and returns whether they finished within the limit.
    private func finish(_ awaited: ClosedRange<Int>, within limit: Duration) async -> Bool {
        if isFinished(awaited) { return true }
        return await withCheckedContinuation { continuation in
            waiters.append(HandlerWaiter(awaited: awaited, continuation: continuation, due: elapsed() + limit))
            setAlarm()
        }
    }

    private func isFinished(_ awaited: ClosedRange<Int>) -> Bool { !handling.keys.contains(where: awaited.contains) }

    private func setAlarm() {
        var next = drainPlan.due
        for waiter in waiters { next = min(next ?? waiter.due, waiter.due) }
        guard let due = next, !alarm.rings(by: due) else { return }
        alarm.set(due, now: elapsed(), clock: dependencies.clock) { [weak self] in await self?.ring(at: $0) }
    }

    /// Resumes the waits that have reached their limit.
    private func ring(at moment: Duration) {
        guard alarm.rang(at: moment) else { return }
        let now = elapsed()
        let late = waiters.filter { $0.due <= now }
        waiters.removeAll { $0.due <= now }
        for waiter in late { waiter.continuation.resume(returning: false) }
        if let due = drainPlan.due, due <= now { leaveHandlerBehind() }
        setAlarm()
    }

    /// Resumes the waits whose handlers have finished.
    func wakeWaiters() {
        if waiters.isEmpty { return }
        let ready = waiters.filter { isFinished($0.awaited) }
        waiters.removeAll { isFinished($0.awaited) }
        for waiter in ready {
            waiter.continuation.resume(returning: true)
        }
    }
}
