import Logging
public import MeshCore

extension MessagePollingService {
    // MARK: Polling

    /// Requests the oldest message of the queue and handles it; `noMoreMessages` when there was none.
    @discardableResult
    public func pollMessage() async throws -> MessageResult {
        guard !policy.leavesQueue else { return .noMoreMessages }
        return try await inTurn { service in
            try await service.checkIntake(drained: 0)
            let mark = try? await service.store?.arrivalMark()
            do {
                let message = try await service.session.getMessage()
                await service.handle(message, mark: mark)
                return message
            } catch let error as SessionError {
                throw StackError(.polling, .session(error))
            }
        }
    }

    @discardableResult
    public func pollAllMessages(progress: @escaping PollProgressHandler) async throws -> Int {
        guard !policy.leavesQueue else { return 0 }
        return try await inTurn { try await $0.drain(isAuto: false, progress: progress) }
    }

    /// Runs a body after all earlier callers.
    private func inTurn<R: Sendable>(
        _ body: @escaping @Sendable (isolated MessagePollingService) async throws -> R
    ) async throws -> R {
        guard deviceID != nil else { throw StackError(.polling, .notConnected) }
        let before = lineEnd
        lineCount += 1
        let number = lineCount
        // Where the link is read, so that no message has to change threads.
        let task = Task(name: "poll of a radio's queue", executorPreference: dependencies.executor) {
            await before?.value
            try Task.checkCancellation()
            return try await body(self)
        }
        let end = Task {
            await withTaskCancellationHandler {
                _ = await task.result
            } onCancel: {
                task.cancel()
            }
            inLine[number] = nil
        }
        inLine[number] = end
        lineEnd = end
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Throws while earlier messages cannot be stored: the radio would forget the next message as well.
    func checkIntake(drained: Int) async throws {
        guard let intake, !intake.isOpen() else { return }
        if await !intake.reopen() { throw StackError(.polling, .notStored(drained: drained)) }
    }

    // MARK: Fetching by itself

    /// The radio says that messages wait, or it is time to look.
    func radioCalled() {
        if fetchPlan.call(at: elapsed()) { beginFetching() }
    }

    func beginFetching() {
        autoDrain = Task(name: "drain of a radio's queue") { await drainByItself() }
    }

    /// Empties the queue as often as the plan says.
    private func drainByItself() async {
        while !Task.isCancelled {
            fetchPlan.begin()
            var failure: (any Error)?
            do { _ = try await inTurn { try await $0.drain(isAuto: true) { _ in } } } catch { failure = error }
            guard !Task.isCancelled else { return }
            if let failure, !(failure is CancellationError) {
                dependencies.log.warning("the radio's queue was not emptied", metadata: ["error": "\(failure)"])
            }
            switch fetchPlan.end(failure) {
            case .again: break
            case .rest: return
            case .againAfter(let pause):
                guard (try? await dependencies.clock.sleep(for: pause)) != nil, fetchPlan.resume() else { return }
            }
        }
    }

    /// Looks into the queue when the radio has not called for an interval.
    func watch(every interval: Duration) -> Task<Void, Never> {
        Task(name: "safety check of a radio's queue") {
            while !Task.isCancelled {
                let rest = fetchPlan.rest(of: interval, at: elapsed())
                if rest > .zero {
                    guard (try? await dependencies.clock.sleep(for: rest)) != nil else { return }
                } else {
                    radioCalled()
                }
            }
        }
    }

    // MARK: Messages without a taker

    /// Messages without a taker that may wait to be handled: many more than a radio's queue holds.
    static let unclaimedLimit = 1024

    func keep(_ message: MessageResult) {
        guard let deviceID else { return }
        guard unclaimed.count < Self.unclaimedLimit else {
            return dependencies.log.error("a message that nobody asked for is dropped: too many of them wait")
        }
        unclaimed.append((message, deviceID))
        // Whoever was asked for by the first of them handles all.
        guard unclaimed.count == 1 else { return }
        // A drain that is under way may be quicker; then there is nothing left to do.
        Task { try? await inTurn { await $0.handleUnclaimed(mark: nil) } }
    }

    func handleUnclaimed(mark: Int64?) async {
        while !unclaimed.isEmpty {
            let (message, deviceID) = unclaimed.removeFirst()
            await handle(message, MessageArrival(deviceID: deviceID, drainMark: mark))
        }
    }
}
