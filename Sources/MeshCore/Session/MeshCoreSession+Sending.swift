public import MeshCompanion
package import MeshWire

extension MeshCoreSession {
    // MARK: Commands

    /// Sends a command when it is its turn, and returns its answer.
    ///
    /// Throws a `SessionError`, or `CancellationError`. A command that is cancelled while it waits for its turn is
    /// never sent. One that is cancelled later keeps its turn until the radio has answered.
    @discardableResult
    public func send<C: CommandFrame>(_ command: C, timeout: Duration? = nil) async throws -> C.Reply {
        try await send(command, timeout: timeout) { .reply($0) }
    }

    /// Sends a command whose answer shows what it belongs to: other answers of its kind do not count.
    public func send<C: CommandFrame>(
        _ command: C, timeout: Duration? = nil, where belongs: @escaping @Sendable (C.Reply) -> Bool
    ) async throws -> C.Reply {
        try await send(command, timeout: timeout, isTelling: true) { belongs($0) ? .reply($0) : .ignored }
    }

    func send<C: CommandFrame, T: Sendable>(
        _ command: C, timeout: Duration? = nil, isTelling: Bool = false,
        judge: @escaping @Sendable (C.Reply) -> Judgement<T>
    ) async throws -> T {
        let limits = ExchangeLimits(pause: timeout ?? configuration.defaultTimeout, isTelling: isTelling) {
            .timeout(C.code, after: $0)
        }
        return try await send(command, limits: limits, judge: judge)
    }

    func send<C: CommandFrame, T: Sendable>(
        _ command: C, limits: ExchangeLimits, judge: @escaping @Sendable (C.Reply) -> Judgement<T>
    ) async throws -> T {
        let bytes = try checked(command)
        if let obstacle { throw obstacle }
        // Nearly always it is free, and a way that is not taken takes no time.
        let turn = if let free = try turns.commands.passAtOnce() { free } else { try await turns.commands.pass() }
        if let obstacle {
            turns.commands.leave(turn)
            throw obstacle
        }
        // Only now every request before it has its stamp.
        if let stamp = limits.stamp, known.isPast(stamp) {
            turns.commands.leave(turn)
            throw TextStamp.IsTaken()
        }
        let number = exchanges.number()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let caller = Caller<T>(continuation)
                guard !Task.isCancelled else {
                    turns.commands.leave(turn)
                    caller.resume(.failure(CancellationError()))
                    return
                }
                let taker = Self.taker(caller, judge)
                begin(
                    Exchange(
                        number: number, turn: turn, command: C.code, limits: limits, take: taker,
                        fail: { caller.resume(.failure($0)) }),
                    bytes)
            }
        } onCancel: {
            Task { await self.abandon(number) }
        }
    }

    /// The frame as bytes, if the command may be sent.
    private func checked<C: CommandFrame>(_ command: C) throws(SessionError) -> [UInt8] {
        do {
            let bytes = try command.checkedEncoding()
            if bytes.count > frameLimit { throw SessionError.dataTooLarge(count: bytes.count, limit: frameLimit) }
            return bytes
        } catch let error as FrameError {
            throw .invalidInput(C.code, error)
        } catch let error as SessionError {
            throw error
        } catch {
            throw .transport(.sendFailed("\(error)"))
        }
    }

    private static func taker<Reply: CommandReply, T: Sendable>(
        _ caller: Caller<T>, _ judge: @escaping (Reply) -> Judgement<T>
    ) -> (any CodedFrame) -> Exchange.Taken {
        { frame in
            guard let reply = Reply(frame) else { return .ignored }
            switch judge(reply) {
            case .ignored: return .ignored
            case .part: return .part
            case .reply(let value): return caller.resume(.success(value)) ? .done : .abandoned
            case .failure(let error):
                caller.resume(.failure(error))
                return .done
            }
        }
    }

    // MARK: The exchange

    private func begin(_ exchange: Exchange, _ bytes: [UInt8]) {
        exchanges.begin(exchange, at: elapsed())
        setAlarm()
        let number = exchange.number
        exchange.limits.onWrite?()
        do {
            if try transport.sendAtOnce(bytes) { return }
        } catch {
            return finish(number, with: (error as? MeshTransportError).map { $0.asSessionError } ?? error)
        }
        Task(executorPreference: executor) { await self.write(bytes, of: number) }
    }

    private func write(_ bytes: [UInt8], of number: Int) async {
        do {
            try await transport.send(bytes)
        } catch {
            finish(number, with: (error as? MeshTransportError).map { $0.asSessionError } ?? error)
        }
    }

    /// Offers a frame to the exchange; without one that accepts it, it is no command's answer.
    func offer(_ frame: ReceivedFrame) {
        while let step = exchanges.overdue(at: elapsed()) { perform(step) }
        switch exchanges.place(frame) {
        case .nobodys: keepUnclaimed(frame)
        case .noise: break
        case .held(let late): if let late { keepUnclaimed(late) }
        case .candidate(let late):
            if let late { keepUnclaimed(late) }
            take(frame)
        }
    }

    /// Has the command judge a frame that can be its answer.
    private func take(_ frame: ReceivedFrame) {
        guard let exchange = exchanges.exchange else { return keepUnclaimed(frame) }
        switch frame.frame {
        case .failure(let error):
            if exchange.limits.skipsUnreadable {
                exchanges.notePart(at: elapsed())
            } else {
                finish(exchange.number, with: SessionError.unreadableReply(exchange.command, error))
            }
        case .success(let coded):
            if case .error(let reason) = frame.event {
                if reason == .unsupportedCmd { known.unknownCommands.insert(exchange.command) }
                finish(exchange.number, with: SessionError.refused(exchange.command, reason))
                return
            }
            switch exchange.take(coded) {
            // A radio of somebody else's has switched the question off.
            case .ignored where coded is Resp.Disabled && exchange.command == .deviceQuery:
                finish(exchange.number, with: SessionError.featureDisabled(exchange.command))
            case .ignored: keepUnclaimed(frame)
            case .part: exchanges.notePart(at: elapsed())
            case .done:
                noteStamp(of: coded, exchange)
                finish(exchange.number, with: nil)
            case .abandoned:
                noteStamp(of: coded, exchange)
                keepUnclaimed(frame)
                finish(exchange.number, with: nil)
            }
        }
    }

    /// Notes the stamp that the radio has given to a request, with the answer that it was sent.
    private func noteStamp(of answer: any CodedFrame, _ exchange: Exchange) {
        guard let node = exchange.limits.stamped, let sent = answer as? Resp.Sent else { return }
        known.noteStamp(sent.tag, to: node)
    }

    /// Returns the radio's last stamp for a request to a node, 0 without one.
    ///
    /// Requests that are being written are waited for.
    package func lastStamp(to node: FixedBytes<32>) async throws -> UInt32 {
        let turn = if let free = try turns.commands.passAtOnce() { free } else { try await turns.commands.pass() }
        turns.commands.leave(turn)
        return known.lastStamp(to: node)
    }

    /// Ends the exchange and gives its turn to the next.
    private func finish(_ number: Int, with error: (any Error)?) {
        guard let exchange = exchanges.end(number) else { return }
        if let error { exchange.fail(error) }
        turns.commands.leave(exchange.turn)
    }

    /// The caller has gone; the exchange goes on without it.
    private func abandon(_ number: Int) {
        guard let exchange = exchanges.exchange, exchange.number == number else { return }
        exchange.fail(CancellationError())
    }

    // MARK: Time

    /// Sets the alarm so that it rings no later than the exchange's next limit.
    private func setAlarm() {
        guard let due = exchanges.due, !alarm.rings(by: due) else { return }
        alarm.set(due, now: elapsed(), clock: clock) { [weak self] in await self?.ring(at: $0) }
    }

    /// Performs the due steps, and sets the alarm for the next one.
    private func ring(at moment: Duration) {
        guard alarm.rang(at: moment) else { return }
        let now = elapsed()
        while let step = exchanges.next(at: now) { perform(step) }
        setAlarm()
    }

    private func perform(_ step: ExchangePlan.Step) {
        switch step {
        case .judge(let frame): take(frame)
        case .expired(let exchange, let limit):
            exchange.fail(exchange.limits.expiry(limit))
            turns.commands.leave(exchange.turn)
        }
    }

    // MARK: Raw frames

    /// Sends a frame as it is, and returns the match's value for the first event that it accepts.
    ///
    /// For commands that this release does not have; others have a type, and a `send` that knows their answers.
    public func sendAndWait<T: Sendable>(
        _ frame: [UInt8], timeout: Duration? = nil, matching match: @escaping @Sendable (MeshEvent) -> T?
    ) async throws -> T {
        guard frame.count <= frameLimit else {
            throw SessionError.dataTooLarge(count: frame.count, limit: frameLimit)
        }
        if let obstacle { throw obstacle }
        let turn = try await turns.commands.pass()
        defer { turns.commands.leave(turn) }
        let events = events(filter: EventFilter { match($0) != nil })
        do {
            try await transport.send(frame)
        } catch let error as MeshTransportError {
            throw error.asSessionError
        }
        let limit = timeout ?? configuration.defaultTimeout
        if let value = await clock.first(in: events, within: limit, match) { return value }
        try Task.checkCancellation()
        throw obstacle ?? SessionError.transport(.sendFailed("nothing that matches came within \(limit)"))
    }
}

extension MeshTransportError {
    var asSessionError: SessionError {
        switch self {
        case .notConnected: .notConnected
        case .connectionLost(let why): .connectionLost(why)
        default: .transport(self)
        }
    }
}
