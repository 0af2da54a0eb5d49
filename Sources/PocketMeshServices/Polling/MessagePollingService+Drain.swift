import Logging
import MeshCompanion
import MeshCore

// One drain: whoever works on it asks for a message, handles it, and asks for the next.
extension MessagePollingService {
    /// Empties the queue; how many messages there were. There is one drain at a time.
    func drain(isAuto: Bool, progress: @escaping PollProgressHandler) async throws -> Int {
        let mark = try? await store?.arrivalMark()
        let line = DrainLine()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { end in
                current = QueueDrain(mark: mark, progress: progress, end: end, line: line)
                drainPlan.begin(isAuto: isAuto)
                startWorker(isBehindMessage: false)
            }
        } onCancel: {
            line.close()
        }
    }

    /// Starts a new task on the drain, after a slow handler or from the beginning.
    private func startWorker(isBehindMessage: Bool) {
        let number = drainPlan.takeOver()
        // Where the link is read, so that no message has to change threads.
        current?.worker = Task(name: "drain of a radio's queue", executorPreference: dependencies.executor) {
            await self.work(number, isBehindMessage: isBehindMessage)
        }
    }

    /// The handler at work keeps its task, and another goes on.
    func leaveHandlerBehind() {
        dependencies.log.warning("the handler of a message is left behind", metadata: ["number": "\(handlerCount)"])
        startWorker(isBehindMessage: true)
    }

    /// Ends the drain, whatever its task does.
    func endDrain(throwing error: any Error) {
        guard let drain = current else { return }
        current = nil
        drainPlan.end()
        drain.end.resume(throwing: error)
    }

    private func work(_ number: Int, isBehindMessage: Bool) async {
        do {
            if isBehindMessage { await tellProgress() }
            var goesOn = try !isBehindMessage || drainPlan.goesOn(isFetching: isAutoFetching)
            while goesOn, try await takeMessage(number) {
                goesOn = try drainPlan.goesOn(isFetching: isAutoFetching)
            }
            guard drainPlan.isAt(number), let drain = current else { return }
            current = nil
            drainPlan.end()
            drain.end.resume(returning: drainPlan.count)
        } catch {
            if drainPlan.isAt(number) { endDrain(throwing: error) }
        }
    }

    /// Asks for a message and handles it. `false` when there was none, or when another task goes on.
    private func takeMessage(_ number: Int) async throws -> Bool {
        if intake?.isOpen() == false { try await checkIntake(drained: drainPlan.count) }
        guard let message = try await ask(number) else { return true }
        fetchPlan.note(at: elapsed())
        if !unclaimed.isEmpty { await handleUnclaimed(mark: current?.mark) }
        if case .noMoreMessages = message { return false }
        guard drainPlan.isAt(number), let deviceID else { return false }
        drainPlan.note(message)
        let arrival = MessageArrival(deviceID: deviceID, drainMark: current?.mark)
        if intake?.takeAtOnce(message, arrival) == true {
            // Nearly always: nothing is left to be waited for.
        } else if Task.isCancelled {
            // It came in the moment in which nobody wanted it any more. Its handler does not mind.
            await handle(message, arrival)
        } else {
            await handle(message, arrival, in: current?.worker)
        }
        guard drainPlan.isAt(number) else { return false }
        drainPlan.noteHandled()
        await tellProgress()
        return true
    }

    private func tellProgress() async {
        guard let drain = current else { return }
        await drain.progress(drainPlan.count)
    }

    /// The next message; `nil` for one that cannot be read.
    private func ask(_ number: Int) async throws -> MessageResult? {
        guard drainPlan.isAt(number), let drain = current else { throw CancellationError() }
        try drain.line.beginAsking(drain.worker)
        defer { drain.line.endAsking() }
        do {
            let message = try await session.getMessage()
            drainPlan.noteReadable()
            return message
        } catch let error as SessionError {
            guard case .unreadableReply(let command, let why) = error, drainPlan.dropsUnreadable() else {
                throw StackError(.polling, .pollingFailed(drained: drainPlan.count, error))
            }
            dependencies.log.warning(
                "a message of the radio cannot be read and is dropped",
                metadata: ["command": "\(command.wireName)", "error": "\(why)"])
            return nil
        }
    }
}
