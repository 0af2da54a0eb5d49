import MeshCompanion
public import MeshCrypto
import MeshPacket
public import MeshTime
import MeshWire

/// A room server: keeps the latest posts of its members and pushes to each member those that it has not yet.
///
/// Members log in with the room's password. Clients without a password may read where that is allowed. Posts are
/// pushed to one member after another, oldest first, each until it is acknowledged. A member that does not answer
/// three times gets none until it sends something. Source: InfrastructureNodes, "Room server"; firmware,
/// `simple_room_server`.
public struct RoomServer: NodeCore {
    public private(set) var nextWake: Instant
    public var core: RoutingCore
    /// Settings, clients, regions, files: what infrastructure nodes share.
    public var server: ServerState
    /// The posts that members are still to get.
    public internal(set) var posts = PostRing()
    /// Posts stored and pushes sent since boot, as status reports them.
    public internal(set) var postCount: UInt16 = 0
    /// Posts pushed to members since boot; continues from 0 behind 65 535.
    public internal(set) var pushCount: UInt16 = 0
    var pushTurn: PushTurn

    /// Boots a room server; data in `flash` has precedence over `setup`.
    public init(
        identity: @autoclosure () -> LocalIdentity, board: BoardProfile, setup: ServerSetup, quirks: QuirkSet = .all,
        random: RandomStream, clock: RealTimeClock, flash: Flash = Flash(), at boot: Instant = .start
    ) {
        core = RoutingCore(
            identity: ServerFiles.identity(in: flash) ?? identity(), board: board, quirks: quirks, random: random,
            clock: clock, at: boot, millisAtBoot: UInt32(clamping: board.serverSetup.milliseconds),
            poolSize: ServerState.packetPoolSize)
        server = ServerState(setup: setup, flash: flash)
        nextWake = boot
        pushTurn = PushTurn(at: core.millis)
        bootServer(advertises: setup.advertsOnBoot)
    }

    public mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        core.beginPass(at: now, radio: radio, effects: &effects)
        passTurns()
        passServer(input)
        pushWhenDue()
        nextWake = min(endServerPass(), pushWake())
        core.endPass(effects: &effects)
    }
}

extension RoomServer: InfrastructureNode {
    public var accounts: CoreAccounts { serverAccounts }
}

// Forwarding, off by default; neither regions nor loops matter. Source: InfrastructureNodes, "Forwarding" (INF-135).
extension RoomServer: ServerNode {
    /// Only replies are scoped by it.
    mutating func resolveRegion(_ packet: PacketView) { noteRegion(packet) }

    mutating func allowsForwarding(_ packet: PacketView) -> Bool {
        !server.preferences.isForwardingDisabled && (!packet.isFlood || isWithinHopLimits(packet))
    }
}

// Members. Source: InfrastructureNodes, "Login", "Requests" and "Room server" (INF-172 to INF-175).
extension RoomServer {
    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {
        guard let login = try? RoomLoginPlaintext(reading: data), let client = logIn(sender, secret, login) else {
            return
        }
        let body = grantLogin(to: client, after: packet)
        pushTurn.postpone(at: core.millis)
        // A member that was let in without a password is answered with the secret that is stored for it.
        respond(
            body, to: sender[0], secret: server.clients[client].secret, after: packet,
            by: replyRoute(to: client, after: packet))
    }

    private mutating func logIn(_ sender: PublicKey, _ secret: SharedSecret, _ login: RoomLoginPlaintext) -> Int? {
        let password = login.password.untilNUL
        if password.isEmpty, let known = server.clients.index(of: sender) { return known }
        let role: ClientRole
        if password == server.preferences.password {
            role = .admin
        } else if password == server.preferences.guestPassword {
            role = .readWrite
        } else if server.preferences.allowsReadOnly != 0 {
            role = .guest
        } else {
            return nil
        }
        guard let client = admit(sender, secret: secret, timestamp: login.timestamp) else { return nil }
        server.clients[client].permissions.role = role
        server.clients[client].syncSince = login.syncSince
        server.clients[client].pendingAck = 0
        server.clients[client].pushFailures = 0
        writeClientsSoon()
        return client
    }

    /// A request that is not older than the last one counts as a sign of life, whatever it asks for.
    mutating func receivedRequest(
        _ packet: PacketView, from index: Int, secret: SharedSecret, request: RequestPlaintext
    ) {
        guard request.tag >= server.clients[index].lastTimestamp else { return }
        server.clients[index].lastTimestamp = request.tag
        server.clients[index].lastActivity = core.unixTime
        server.clients[index].pushFailures = 0
        if request.type == .keepAlive, !packet.isFlood {
            answerKeepAlive(request, of: index)
        } else if let answer = answer(to: request, from: index) {
            respond(answer, to: request, from: index, secret: secret, after: packet)
        }
    }

    mutating func answer(to request: RequestPlaintext, from index: Int) -> [UInt8]? {
        switch request.type {
        case .getStatus: statusAnswer()
        case .getTelemetryData: telemetry(for: index, parameters: request.parameters)
        case .getAccessList: accessList(for: index, parameters: request.parameters)
        default: nil
        }
    }

    private func statusAnswer() -> [UInt8] {
        var answer = RoomStatus()
        answer.server = status()
        answer.posts = postCount
        answer.pushes = pushCount
        return answer.written()
    }

    /// Acknowledges a sign of life, with the count of posts that wait, to a member whose path is known.
    private mutating func answerKeepAlive(_ request: RequestPlaintext, of index: Int) {
        let syncSince = request.parameters.withUnsafeBytes {
            $0.count < 4 ? 0 : UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))
        }
        if syncSince != 0 { server.clients[index].syncSince = syncSince }
        server.clients[index].pendingAck = 0
        let client = server.clients[index]
        guard !client.outPathLength.isUnknown else { return }
        let covered = RequestPlaintext(keepAlive: request.tag, syncSince: syncSince).written()
        guard let hash = covered.withUnsafeBytes({ AckHash.keepAlive($0, client: client.publicKey) }) else { return }
        var bytes = withUnsafeBytes(of: hash.littleEndian) { [UInt8]($0) }
        bytes.append(posts.unsyncedCount(after: client.syncSince, notBy: client.publicKey))
        guard let ack = bytes.withUnsafeBytes({ core.createAck($0) }) else { return }
        send(ack, by: storedRoute(to: index), delayMillis: ServerTiming.response, hashSize: 1)
    }
}

// Texts. Source: InfrastructureNodes, "Room server" (INF-153 to INF-159).
extension RoomServer {
    mutating func receivedText(
        _ packet: PacketView, from index: Int, secret: SharedSecret, text: TextPlaintext
    ) {
        let client = server.clients[index]
        guard text.type == .plain || isCommand(text.type), text.timestamp >= client.lastTimestamp else { return }
        let isRetry = text.timestamp == client.lastTimestamp
        server.clients[index].lastTimestamp = text.timestamp
        let time = core.uniqueTime()
        server.clients[index].lastActivity = time
        server.clients[index].pushFailures = 0
        if isCommand(text.type) {
            guard client.permissions.isAdmin, !isRetry else { return }
            runCommand(
                text, from: index, secret: secret, after: packet, delayMillis: ServerTiming.response, time: time)
        } else if client.permissions.role != .guest {
            if !isRetry { store(text.text, by: client.publicKey) }
            acknowledge(text, from: index, after: packet)
        }
    }

    /// Twice along a known path, where extra acknowledgements are set.
    private mutating func acknowledge(_ text: TextPlaintext, from index: Int, after packet: PacketView) {
        guard let bytes = ackBytes(of: text, from: index) else { return }
        let route = storedRoute(to: index)
        let hashSize = packet.pathLength.hashSize
        var delay = ServerTiming.textAck
        if case .direct = route, extraAckCount > 0 {
            if let first = bytes.withUnsafeBytes({ core.createMultiAck($0, remaining: 1) }) {
                send(first, by: route, delayMillis: delay, hashSize: hashSize)
            }
            delay += ServerTiming.secondAck
        }
        guard let ack = bytes.withUnsafeBytes({ core.createAck($0) }) else { return }
        send(ack, by: route, delayMillis: delay, hashSize: hashSize)
    }

    private mutating func store(_ text: ByteText, by author: PublicKey) {
        posts.store(text, by: author, at: core.uniqueTime())
        postCount &+= 1
        pushTurn.postpone(at: core.millis)
    }

    mutating func roleCommand(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome? {
        guard command.begins("room.post"), core.board.firmware.has(since: "1.17.0") else { return nil }
        let text = command.after("room.post").drop { $0 == UInt8(ascii: " ") }
        guard !text.isEmpty else { return .text("ERR empty message") }
        store(ByteText(bytes: [UInt8](text)), by: core.publicKey)
        return .text("OK")
    }
}
