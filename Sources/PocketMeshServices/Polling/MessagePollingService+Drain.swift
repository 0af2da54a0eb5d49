import Foundation
import Logging
import MeshCompanion
import MeshCore

// One drain: whoever works on it asks for a message, handles it, and asks for the next.
extension MessagePollingService {
    /// So many messages in a row that cannot be read end a drain: the radio says nothing but nonsense.
    static let unreadableLimit = 16

    /// Empties the queue; how many messages there were. There is one drain at a time.
    func drain(isAuto: Bool, progress: @escaping PollProgressHandler) async throws -> Int {
        let mark = try? await store.arrivalMark()
        let line = DrainLine()
        isEndless = false
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { end in
                current = QueueDrain(isAuto: isAuto, mark: mark, progress: progress, end: end, line: line)
                startWorker(isBehindMessage: false)
            }
        } onCancel: {
            line.close()
        }
    }

    /// Has a new task work on the drain; behind a message that was left to the task before, or from the beginning.
    private func startWorker(isBehindMessage: Bool) {
        workerCount += 1
        let number = workerCount
        current?.number = number
        current?.due = nil
        // Where the link is read, so that no message has to change threads.
        current?.worker = Task(name: "drain of a radio's queue", executorPreference: session.transport.executor) {
            await self.work(number, isBehindMessage: isBehindMessage)
        }
    }

    /// The handler at work keeps its task, and another goes on.
    func leaveHandlerBehind() {
        dependencies.log.warning("the handler of a message is left behind", metadata: ["number": "\(handlerCount)"])
        startWorker(isBehindMessage: true)
    }

    /// Ends the drain whatever its task does.
    func endDrain(throwing error: any Error) {
        guard let drain = current else { return }
        current = nil
        if case .queueDoesNotEnd = error.stackReason { isEndless = true }
        drain.end.resume(throwing: error)
    }

    /// Whether the drain is still the business of the task with this number.
    private func isMine(_ number: Int) -> Bool { current?.number == number }

    /// Whether whoever wanted the drain still does.
    private var isWanted: Bool { current.map { !$0.isAuto || isAutoFetching } ?? false }

    private func work(_ number: Int, isBehindMessage: Bool) async {
        do {
            if isBehindMessage { await tellProgress() }
            var goesOn = !isBehindMessage || isWanted
            while goesOn, try await takeMessage(number) { goesOn = isWanted }
            guard isMine(number), let drain = current else { return }
            current = nil
            drain.end.resume(returning: drain.count)
        } catch {
            if isMine(number) { endDrain(throwing: error) }
        }
    }

    /// Asks for a message and handles it. `false` when there was none, or when another task goes on.
    private func takeMessage(_ number: Int) async throws -> Bool {
        if intake?.isOpen() == false { try await checkIntake(drained: current?.count ?? 0) }
        guard let message = try await ask(number) else { return true }
        lastCall = elapsed()
        if !unclaimed.isEmpty { await handleUnclaimed(mark: current?.mark) }
        if case .noMoreMessages = message { return false }
        guard isMine(number), let deviceID else { return false }
        current?.note(message)
        let arrival = MessageArrival(deviceID: deviceID, drainMark: current?.mark)
        if intake?.takeAtOnce(message, arrival) == true {
            // Nearly always: nothing is left to be waited for.
        } else if Task.isCancelled {
            // It came in the moment in which nobody wanted it any more. Its handler does not mind.
            await handle(message, arrival)
        } else {
            await handle(message, arrival, in: current?.worker)
        }
        guard isMine(number) else { return false }
        current?.due = nil
        await tellProgress()
        if let obstacle = current?.obstacle(policy) { throw obstacle }
        return true
    }

    private func tellProgress() async {
        guard let drain = current else { return }
        await drain.progress(drain.count)
    }

    /// The next message; `nil` for one that cannot be read.
    private func ask(_ number: Int) async throws -> MessageResult? {
        guard isMine(number), let drain = current else { throw CancellationError() }
        try drain.line.beginAsking(drain.worker)
        defer { drain.line.endAsking() }
        do {
            let message = try await session.getMessage()
            current?.unreadable = 0
            return message
        } catch SessionError.unreadableReply(let command, let error) where drain.unreadable < Self.unreadableLimit {
            // The radio has forgotten it, so there is nothing to ask for again.
            current?.unreadable += 1
            dependencies.log.warning(
                "a message of the radio cannot be read and is dropped",
                metadata: ["command": "\(command.wireName)", "error": "\(error)"])
            return nil
        } catch let error as SessionError {
            throw StackError(.polling, .pollingFailed(drained: drain.count, error))
        }
    }
}
