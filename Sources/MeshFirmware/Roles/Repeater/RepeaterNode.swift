import MeshCompanion
public import MeshCrypto
import MeshPacket
public import MeshTime
import MeshWire

/// A repeater: forwards received packets within its limits, and adverts itself to its neighbours and the mesh.
///
/// It relays floods and direct packets, acknowledgements and traces under the policy of InfrastructureNodes,
/// "Forwarding": the forwarding switch, the hop limits, and for floods the region and the loop. It admits
/// administrators and guests, answers their requests and executes the command line. It keeps a table of its
/// neighbours and answers searches for repeaters. A core booted from the same flash is the same repeater.
public struct RepeaterNode: NodeCore {
    // The end of one and the beginning of the next are what every pass looks at.

    /// Settings, clients, regions, files: what infrastructure nodes share.
    public var server: ServerState
    public private(set) var nextWake: Instant
    public var core: RoutingCore

    /// The repeaters received without a hop between.
    public internal(set) var neighbours = NeighbourTable()
    var discoveryLimit = RateLimiter(most: 4, windowSeconds: 120)
    var anonymousLimit = RateLimiter(most: 4, windowSeconds: 180)
    /// Its own search for neighbours, while answers count.
    var search: NeighbourSearch?

    /// Boots a repeater; data in `flash` has precedence over `setup`.
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
        bootServer(advertises: setup.advertsOnBoot)
    }

    public mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect]
    ) {
        core.beginPass(at: now, radio: radio, effects: &effects)
        passServer(input)
        nextWake = endServerPass()
        core.endPass(effects: &effects)
    }
}

extension RepeaterNode {
    /// True when it sleeps between packets, after it has run for so long.
    ///
    /// Source: firmware, `loop` of `simple_repeater`; a bridge keeps it awake, an ESP32 begins after two minutes.
    package func savesPower(after uptime: TimeSpan) -> Bool {
        guard server.preferences.powerSaving != 0, !isBridging else { return false }
        return core.board.platform == .nrf52 || uptime > .seconds(120)
    }
}

extension RepeaterNode: InfrastructureNode {
    public var accounts: CoreAccounts { core.accounts(airtimeFactor: airtimeFactor, relaysFloods: true) }
}

// Forwarding. Source: InfrastructureNodes, "Forwarding".
extension RepeaterNode: ServerNode {
    /// The first region that allows floods and whose code is the packet's; the wildcard for un-scoped ones.
    mutating func resolveRegion(_ packet: PacketView) { noteRegion(packet) }

    /// Direct packets need nothing but the switch.
    mutating func allowsForwarding(_ packet: PacketView) -> Bool {
        guard !server.preferences.isForwardingDisabled else { return false }
        guard packet.isFlood else { return true }
        return isWithinHopLimits(packet) && server.packetRegion != nil && !isLooping(packet)
    }

    private mutating func isLooping(_ packet: PacketView) -> Bool {
        let mode = server.preferences.loopDetection
        guard let limit = mode.limit(hashSize: packet.pathLength.hashSize) else { return false }
        return packet.hops(matching: core.publicKey) >= limit
    }

    mutating func receivedAdvert(
        _ packet: PacketView, key: PublicKey, timestamp: UInt32, appData: UnsafeRawBufferPointer
    ) {
        let isNear = core.switches.countsHopsOfNeighbours ? packet.hopCount == 0 : packet.pathLength.rawValue == 0
        guard isNear, packet.transportCodes != TransportCodes(region: 0),
            let data = try? AdvertData(appData: [UInt8](appData)), data.nodeType == .repeater
        else { return }
        neighbours.note(key, advert: timestamp, heard: core.unixTime, snr: packet.snr)
    }
}

// The command line. Source: InfrastructureNodes, "Commands" and "Neighbours and discovery".
extension RepeaterNode {
    mutating func roleCommand(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome? {
        guard command.begins("discover.neighbors") else { return nil }
        guard command.after("discover.neighbors").allSatisfy({ $0 == UInt8(ascii: " ") }) else {
            return .text("Err - discover.neighbors has no options")
        }
        searchNeighbours()
        return .text("OK - Discover sent")
    }

    func neighboursText() -> [UInt8] { neighbours.text(at: core.unixTime) }
    mutating func removeNeighbours(_ prefix: [UInt8]) { neighbours.remove(prefix) }
}

// Clients. Source: InfrastructureNodes, "Login", "Anonymous questions", "Requests" and "Command line".
extension RepeaterNode {
    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {
        guard let kind = data.dropFirst(4).first else { return }
        if kind == 0 || kind >= UInt8(ascii: " ") {
            guard let login = try? LoginPlaintext(reading: data), let client = logIn(sender, secret, login) else {
                return
            }
            let body = grantLogin(to: client, after: packet)
            let isFlooded = !packet.isFlood && !core.switches.answersLoginDirect
            let route = isFlooded ? .flood : replyRoute(to: client, after: packet)
            respond(body, to: sender[0], secret: secret, after: packet, by: route)
        } else if !packet.isFlood {
            answerQuery(packet, sender: sender, secret: secret, data: data)
        }
    }

    /// Admits a known client without a password, the administrator or a guest, and returns its index.
    private mutating func logIn(_ sender: PublicKey, _ secret: SharedSecret, _ login: LoginPlaintext) -> Int? {
        let password = login.password.untilNUL
        if password.isEmpty, let known = server.clients.index(of: sender) { return known }
        let role: ClientRole
        if password == server.preferences.password {
            role = .admin
        } else if password == server.preferences.guestPassword {
            role = .guest
        } else {
            return nil
        }
        guard let client = admit(sender, secret: secret, timestamp: login.timestamp) else { return nil }
        server.clients[client].permissions.role = role
        if role == .admin { writeClientsSoon() }
        return client
    }

    mutating func receivedRequest(
        _ packet: PacketView, from index: Int, secret: SharedSecret, request: RequestPlaintext
    ) {
        answerNewer(request, from: index, secret: secret, after: packet)
    }

    mutating func answer(to request: RequestPlaintext, from index: Int) -> [UInt8]? {
        switch request.type {
        case .getStatus: statusAnswer()
        case .getTelemetryData: telemetry(for: index, parameters: request.parameters)
        case .getAccessList: accessList(for: index, parameters: request.parameters)
        case .getNeighbours: neighboursAnswer(request.parameters)
        case .getOwnerInfo: ownerAnswer()
        default: nil
        }
    }

    /// Administrators' texts are commands; those sent as plain text are acknowledged as well.
    mutating func receivedText(
        _ packet: PacketView, from index: Int, secret: SharedSecret, text: TextPlaintext
    ) {
        let client = server.clients[index]
        guard client.permissions.isAdmin, text.type == .plain || isCommand(text.type),
            text.timestamp >= client.lastTimestamp
        else { return }
        let isRetry = text.timestamp == client.lastTimestamp
        server.clients[index].lastTimestamp = text.timestamp
        server.clients[index].lastActivity = core.unixTime
        if text.type == .plain { acknowledge(text, from: index, after: packet) }
        guard !isRetry else { return }
        runCommand(text, from: index, secret: secret, after: packet, delayMillis: 600)
    }

    private mutating func acknowledge(_ text: TextPlaintext, from index: Int, after packet: PacketView) {
        guard let bytes = ackBytes(of: text, from: index), let ack = bytes.withUnsafeBytes({ core.createAck($0) })
        else { return }
        send(
            ack, by: storedRoute(to: index), delayMillis: ServerTiming.textAck, hashSize: packet.pathLength.hashSize)
    }
}
