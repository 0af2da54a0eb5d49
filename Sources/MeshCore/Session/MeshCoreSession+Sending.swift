public import MeshCompanion
import MeshWire

extension MeshCoreSession {
    // MARK: Commands

    /// Sends a command when it is its turn, and returns its answer.
    ///
    /// Throws a `SessionError`, or `CancellationError`: a command that is cancelled while it waits for its turn is never
    /// sent; one that is cancelled later keeps its turn until the radio has answered.
    @discardableResult
    public func send<C: CommandFrame>(_ command: C, timeout: Duration? = nil) async throws -> C.Reply {
        try await send(command, timeout: timeout) { .reply($0) }
    }

    /// As `send`, for a command whose answer shows what it belongs to: other answers of its kind are not its.
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
        let turn = if let free = try turns.passAtOnce() { free } else { try await turns.pass() }
        if let obstacle {
            turns.leave(turn)
            throw obstacle
        }
        exchangeCount += 1
        let number = exchangeCount
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let caller = Caller<T>(continuation)
                guard !Task.isCancelled else {
                    turns.leave(turn)
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
        self.exchange = exchange
        if !exchange.limits.isTelling { exchange.suspects = owed.filter(exchange.expects) }
        if owesOwn, exchange.limits.isOwn != nil {
            exchange.suspects.formUnion(exchange.row.replies.map(RadioCode.response))
        }
        owed = []
        let now = elapsed()
        exchange.pauseEnd = now + exchange.limits.pause
        exchange.totalEnd = exchange.limits.total.map { now + $0 }
        if !exchange.suspects.isEmpty { exchange.graceEnd = now + configuration.lateAnswerWindow }
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

    private func armPauseTimer(_ exchange: Exchange) {
        exchange.pauseEnd = elapsed() + exchange.limits.pause
    }

    // MARK: Time

    /// Sees to it that somebody wakes no later than the exchange's next limit.
    private func setAlarm() {
        guard let due = exchange?.due, !alarm.rings(by: due) else { return }
        alarm.set(due, now: elapsed(), clock: clock) { [weak self] in await self?.ring(at: $0) }
    }

    /// Does what is due, and waits for what is next.
    private func ring(at moment: Duration) {
        guard alarm.rang(at: moment) else { return }
        defer { setAlarm() }
        guard let exchange else { return }
        let now = elapsed()
        if let end = exchange.graceEnd, end <= now {
            exchange.graceEnd = nil
            endGrace(exchange.number)
        }
        if exchange.pauseEnd <= now { expire(exchange.number, after: exchange.limits.pause) }
        expireTotal()
    }

    /// What comes at the very end of the whole comes too late, whoever looks at the clock first.
    private func expireTotal() {
        guard let exchange, let total = exchange.limits.total, let end = exchange.totalEnd, end <= elapsed() else {
            return
        }
        expire(exchange.number, after: total)
    }

    private func write(_ bytes: [UInt8], of number: Int) async {
        do {
            try await transport.send(bytes)
        } catch {
            finish(number, with: (error as? MeshTransportError).map { $0.asSessionError } ?? error)
        }
    }

    /// A frame came: the exchange takes it, or it was nobody's answer.
    func offer(_ frame: ReceivedFrame) {
        expireTotal()
        guard let exchange, let code = frame.code, exchange.expects(code) else { return keepUnclaimed(frame) }
        // Some firmware says OK with a value where nobody asked.
        if code == .response(.ok), frame.bytes.count > 4 { return }
        if exchange.suspects.contains(code), mayBeLate(frame, exchange) {
            if let earlier = exchange.held { keepUnclaimed(earlier) }
            exchange.held = frame
            return
        }
        exchange.suspects = []
        if let late = exchange.held { keepUnclaimed(late) }
        exchange.held = nil
        take(frame, code, exchange)
    }

    /// Several commands may have gone without an answer: where an answer shows whose it is, all that are not ours are late.
    private func mayBeLate(_ frame: ReceivedFrame, _ exchange: Exchange) -> Bool {
        guard let isOwn = exchange.limits.isOwn, case .success(let coded) = frame.frame else {
            return exchange.held == nil
        }
        let isLate = !isOwn(coded)
        // Answers come in their order: none of the earlier ones is left.
        if !isLate { owesOwn = false }
        return isLate
    }

    private func take(_ frame: ReceivedFrame, _ code: RadioCode, _ exchange: Exchange) {
        switch frame.frame {
        case .failure(let error):
            if exchange.limits.skipsUnreadable {
                armPauseTimer(exchange)
            } else {
                finish(exchange.number, with: SessionError.unreadableReply(exchange.command, error))
            }
        case .success(let coded):
            if case .error(let reason) = frame.event {
                finish(exchange.number, with: SessionError.refused(exchange.command, reason))
                return
            }
            switch exchange.take(coded) {
            case .ignored: keepUnclaimed(frame)
            case .part: armPauseTimer(exchange)
            case .done: finish(exchange.number, with: nil)
            case .abandoned:
                keepUnclaimed(frame)
                finish(exchange.number, with: nil)
            }
        }
    }

    /// Nothing else came while a late answer was possible, so the frame that did was no late one.
    private func endGrace(_ number: Int) {
        guard let exchange, exchange.number == number else { return }
        // A link that stalls brings the late answers whenever it goes on.
        if exchange.held == nil, exchange.limits.isOwn != nil { return }
        exchange.suspects = []
        guard let frame = exchange.held, let code = frame.code else { return }
        exchange.held = nil
        take(frame, code, exchange)
    }

    private func expire(_ number: Int, after limit: Duration) {
        guard let exchange, exchange.number == number else { return }
        if let frame = exchange.held, let code = frame.code {
            exchange.held = nil
            exchange.suspects = []
            take(frame, code, exchange)
            guard self.exchange?.number == number else { return }
        }
        owed.formUnion(exchange.row.replies.map(RadioCode.response))
        owed.formUnion(exchange.row.pushReplies.map(RadioCode.push))
        if exchange.canBeRefused { owed.insert(.response(.err)) }
        if exchange.limits.isOwn != nil { owesOwn = true }
        finish(number, with: exchange.limits.expiry(limit))
    }

    /// Ends the exchange and gives its turn to the next.
    private func finish(_ number: Int, with error: (any Error)?) {
        guard let exchange, exchange.number == number else { return }
        self.exchange = nil
        if let error { exchange.fail(error) }
        turns.leave(exchange.turn)
    }

    /// The caller has gone; the exchange goes on without it.
    private func abandon(_ number: Int) {
        guard let exchange, exchange.number == number else { return }
        exchange.fail(CancellationError())
    }

    // MARK: Raw frames

    /// Sends a frame as it stands and returns what the match makes of the first event that it takes.
    ///
    /// For commands that this release does not have; others have a type, and a `send` that knows their answers.
    public func sendAndWait<T: Sendable>(
        _ frame: [UInt8], timeout: Duration? = nil, matching match: @escaping @Sendable (MeshEvent) -> T?
    ) async throws -> T {
        guard frame.count <= frameLimit else {
            throw SessionError.dataTooLarge(count: frame.count, limit: frameLimit)
        }
        if let obstacle { throw obstacle }
        let turn = try await turns.pass()
        defer { turns.leave(turn) }
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
