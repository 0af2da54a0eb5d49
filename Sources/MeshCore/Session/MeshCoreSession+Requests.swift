public import MeshCompanion
import MeshCrypto
public import MeshPacket
public import MeshWire

// Questions to other nodes. The radio keeps one of them at a time, so they wait for each other.
extension MeshCoreSession {
    // MARK: The pattern

    /// Sends a request to the mesh, and waits for the push that answers it.
    ///
    /// `limit` returns the limit from the write on, given the radio's estimate. `match` makes the answer from an event,
    /// given the SENT that answered the request.
    public func request<C: CommandFrame, T: Sendable>(
        _ command: C, within limit: (Resp.Sent) -> Duration,
        match: @escaping @Sendable (Resp.Sent, MeshEvent) -> T?
    ) async throws -> T where C.Reply == Resp.Sent {
        try await request(command, of: nil, within: limit, match: match)
    }

    /// Requests as `request` does, of a node for which the radio stamps the command.
    private func request<C: CommandFrame, T: Sendable>(
        _ command: C, of node: FixedBytes<32>?, within limit: (Resp.Sent) -> Duration,
        match: @escaping @Sendable (Resp.Sent, MeshEvent) -> T?
    ) async throws -> T where C.Reply == Resp.Sent {
        let turn = try await turns.meshRequests.pass()
        defer { turns.meshRequests.leave(turn) }
        return try await requestOnce(command, of: node, within: limit, match: match)
    }

    /// Requests as `request` does, for a caller that has the turn.
    private func requestOnce<C: CommandFrame, T: Sendable>(
        _ command: C, of node: FixedBytes<32>?, within limit: (Resp.Sent) -> Duration,
        match: @escaping @Sendable (Resp.Sent, MeshEvent) -> T?
    ) async throws -> T where C.Reply == Resp.Sent {
        let codes = C.code.row.later
        // Subscribed before the write: the answer may be there before its SENT has been looked at.
        let lost = MeshEvent.connectionStateChanged(.disconnected)
        let answers = events(filter: EventFilter { $0 == lost || $0.isPush(of: codes) })
        let written = Locked<(@Sendable () -> Duration)?>(nil)
        var limits = ExchangeLimits(pause: configuration.defaultTimeout) { .timeout(C.code, after: $0) }
        limits.onWrite = { [clock] in written.change { $0 = clock.stopwatch() } }
        limits.stamped = node
        let sent = try await send(command, limits: limits) { .reply($0) }
        let span = limit(sent)
        let left = span - (written.value?() ?? .zero)
        let end: RequestEnd<T>? = await clock.first(in: answers, within: left) { event in
            event == lost ? .linkLost : match(sent, event).map { .answer($0) }
        }
        if case .answer(let value) = end { return value }
        try Task.checkCancellation()
        throw obstacle ?? SessionError.noAnswer(C.code, after: span)
    }

    /// Returns twice the radio's estimate: from a second to ten minutes, because others wait for their turn.
    static func patience(_ sent: Resp.Sent) -> Duration {
        min(max(.seconds(1), .milliseconds(2 * Int64(sent.timeout))), .seconds(600))
    }

    // MARK: Binary requests

    /// Sends a request to a node and returns its answer, which the request's tag identifies.
    ///
    /// It is sent again when twice the radio's estimate has passed, unless the configuration says otherwise. The answer
    /// to an earlier copy does not count for a later one.
    public func binaryRequest(
        to key: FixedBytes<32>, type: RequestType, payload: [UInt8] = [], limit: Duration? = nil
    ) async throws -> [UInt8] {
        try await repeated(SendBinaryReq(publicKey: key, request: [type.rawValue] + payload), of: key, limit: limit) {
            sent, event in
            if case .binaryResponse(sent.tag, let data) = event { data } else { nil }
        }
    }

    /// Asks a node that need not know us: regions, owner, clock.
    public func anonymousRequest(
        to key: FixedBytes<32>, question: UInt8, pathLength: PathLength = .empty, path: [UInt8] = []
    ) async throws -> [UInt8] {
        let data = [question, pathLength.rawValue] + path.reversed()
        return try await repeated(SendAnonReq(publicKey: key, data: data), of: key, limit: nil) { sent, event in
            if case .binaryResponse(sent.tag, let data) = event { data } else { nil }
        }
    }

    private func repeated<C: CommandFrame, T: Sendable>(
        _ command: C, of node: FixedBytes<32>, limit: Duration?,
        match: @escaping @Sendable (Resp.Sent, MeshEvent) -> T?
    ) async throws -> T where C.Reply == Resp.Sent {
        let turn = try await turns.meshRequests.pass()
        defer { turns.meshRequests.leave(turn) }
        let total = limit ?? configuration.requestLimit
        let elapsed = clock.stopwatch()
        while true {
            let left = total - elapsed()
            guard left > .zero else { throw SessionError.noAnswer(C.code, after: total) }
            let repeats = configuration.repeatsRequests
            do {
                return try await requestOnce(
                    command, of: node, within: { repeats ? min(left, Self.patience($0)) : left }, match: match)
            } catch SessionError.noAnswer {
                continue
            }
        }
    }

    /// Keeps a connection to a room alive; the room sends posts from `syncSince` on, 0 changes nothing.
    ///
    /// The radio does not pass the room's answer on, so there is none.
    public func sendKeepAlive(to key: FixedBytes<32>, syncSince: UInt32 = 0) async throws -> MessageSentInfo {
        let turn = try await turns.meshRequests.pass()
        defer { turns.meshRequests.leave(turn) }
        return try await writeKeepAlive(to: key, syncSince)
    }

    /// Keeps a connection to a room alive with a position that is known when the turn comes.
    ///
    /// Returns `nil`, and sends nothing, when there is none by then.
    package func sendKeepAlive(
        to key: FixedBytes<32>, syncSince: @Sendable () async -> UInt32?
    ) async throws -> MessageSentInfo? {
        let turn = try await turns.meshRequests.pass()
        defer { turns.meshRequests.leave(turn) }
        guard let syncSince = await syncSince() else { return nil }
        return try await writeKeepAlive(to: key, syncSince)
    }

    private func writeKeepAlive(to key: FixedBytes<32>, _ syncSince: UInt32) async throws -> MessageSentInfo {
        let since = withUnsafeBytes(of: syncSince.littleEndian) { [UInt8]($0) }
        var limits = ExchangeLimits(pause: configuration.defaultTimeout) { .timeout(.sendBinaryReq, after: $0) }
        limits.stamped = key
        return try await send(
            SendBinaryReq(publicKey: key, request: [RequestType.keepAlive.rawValue] + since), limits: limits
        ) { .reply($0) }
    }

    // MARK: Login

    /// Logs in at a repeater, room or sensor. Throws `loginFailed` when the node says no.
    public func sendLogin(
        to key: FixedBytes<32>, password: String, limit: Duration? = nil
    ) async throws -> LoginInfo {
        try await sendLogin(to: key, password: password) { limit ?? Self.patience($0) }
    }

    /// Logs in, with a limit that follows from the radio's estimate; it is counted from the write on.
    public func sendLogin(
        to key: FixedBytes<32>, password: String, within limit: @escaping @Sendable (MessageSentInfo) -> Duration
    ) async throws -> LoginInfo {
        let result: LoginInfo? = try await request(
            SendLogin(publicKey: key, password: ByteText(password)), within: limit
        ) { _, event -> LoginInfo?? in
            switch event {
            case .loginSuccess(let push) where key.starts(with: push.publicKeyPrefix.array): .some(LoginInfo(push))
            case .loginFailed(let prefix) where key.starts(with: prefix.array): .some(nil)
            default: nil
            }
        }
        guard let result else { throw SessionError.loginFailed }
        return result
    }

    /// Makes the radio forget its keep-alive connection to a server; nothing is transmitted.
    public func sendLogout(_ key: FixedBytes<32>) async throws { try await send(Logout(publicKey: key)) }

    /// Returns whether the radio keeps a connection to the node alive.
    public func hasConnection(_ key: FixedBytes<32>) async throws -> Bool {
        do {
            try await send(HasConnection(publicKey: key))
            return true
        } catch SessionError.refused(_, .notFound) {
            return false
        }
    }

    // MARK: Status, telemetry, paths

    /// A node's own account of itself, as it travels.
    public func sendStatusRequest(to key: FixedBytes<32>, limit: Duration? = nil) async throws -> [UInt8] {
        try await request(SendStatusReq(publicKey: key), of: key, within: { limit ?? Self.patience($0) }) { _, event in
            guard case .statusResponse(let push) = event, key.starts(with: push.publicKeyPrefix.array) else {
                return nil
            }
            return push.data
        }
    }

    /// The radio's own measurements.
    public func getSelfTelemetry() async throws -> [LPPDataPoint] {
        let own = currentSelfInfo?.publicKey
        let lpp = try await send(SendTelemetryReq(publicKey: nil), isTelling: true) { (reply) -> Judgement<[UInt8]> in
            guard case .second(let push) = reply, own?.starts(with: push.publicKeyPrefix.array) ?? true else {
                return .ignored
            }
            return .reply(push.lpp)
        }
        return LPPDecoder.decode(lpp)
    }

    /// A node's measurements.
    public func requestTelemetry(from key: FixedBytes<32>, limit: Duration? = nil) async throws -> [LPPDataPoint] {
        // The first parameter byte masks permissions that are not wanted.
        LPPDecoder.decode(
            try await binaryRequest(to: key, type: .getTelemetryData, payload: [0, 0, 0, 0], limit: limit))
    }

    /// Asks a node for the ways there and back.
    public func sendPathDiscovery(to key: FixedBytes<32>, limit: Duration? = nil) async throws -> PathInfo {
        try await request(SendPathDiscoveryReq(publicKey: key), of: key, within: { limit ?? Self.patience($0) }) {
            _, event in
            guard case .pathResponse(let push) = event, key.starts(with: push.publicKeyPrefix.array) else {
                return nil
            }
            return push
        }
    }

    /// Sends a packet along a path and back, and learns how well each node heard it. Needs a path.
    public func sendTrace(
        tag: UInt32, auth: UInt32 = 0, flags: UInt8 = 0, path: [UInt8], limit: Duration? = nil
    ) async throws -> TraceInfo {
        let command = SendTracePath(tag: tag, auth: auth, flags: flags, path: path)
        guard !path.isEmpty else {
            throw SessionError.invalidInput(
                .sendTracePath, FrameError(field: "path", offset: 10, reason: .invalid("a trace needs a path")))
        }
        return try await request(command, within: { limit ?? Self.patience($0) }) { _, event in
            guard case .traceData(let push) = event, push.tag == tag else { return nil }
            return push
        }
    }

    // MARK: Adverts and control data

    /// Sends the node's advert, to the neighbours or by flood.
    public func sendAdvertisement(flood: Bool) async throws { try await send(SendSelfAdvert(type: flood ? 1 : nil)) }

    /// Sends a CONTROL packet to the neighbours; its first byte is 0x80 or more.
    public func sendControlData(_ payload: [UInt8]) async throws { try await send(SendControlData(payload: payload)) }

    /// Sends a discovery request to the nodes nearby; they answer with `discoverResponse` events of the same tag.
    public func sendNodeDiscoverRequest(
        filter: UInt8, prefixOnly: Bool, tag: UInt32, since: UInt32? = nil
    ) async throws {
        try await send(SendControlData(discover: filter, prefixOnly: prefixOnly, tag: tag, since: since))
    }
}

extension MeshEvent {
    /// Returns whether this came as one of these pushes.
    func isPush(of codes: [PushCode]) -> Bool {
        switch self {
        case .loginSuccess: codes.contains(.loginSuccess)
        case .loginFailed: codes.contains(.loginFail)
        case .statusResponse: codes.contains(.statusResponse)
        case .telemetryResponse: codes.contains(.telemetryResponse)
        case .binaryResponse: codes.contains(.binaryResponse)
        case .pathResponse: codes.contains(.pathDiscoveryResponse)
        case .traceData: codes.contains(.traceData)
        case .controlData, .discoverResponse: codes.contains(.controlData)
        case .acknowledgement: codes.contains(.sendConfirmed)
        case .pathUpdate: codes.contains(.pathUpdated)
        default: false
        }
    }
}

/// The end of the wait for another node's answer, before its limit.
private enum RequestEnd<T: Sendable>: Sendable {
    case answer(T)
    case linkLost
}
