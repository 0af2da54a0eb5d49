public import MeshCrypto
import MeshPacket
public import MeshTime
import MeshWire

/// A sensor: measures its environment, answers administrators, and alerts them when its battery runs low.
///
/// There are no guests: who knows the password is an administrator, and others get in by `setperm` only. It sends
/// nothing scoped and answers logins by flood. Source: InfrastructureNodes, "Sensor"; firmware, `simple_sensor`.
public struct SensorNode: NodeCore {
    /// Seconds by its own clock from one reading to the next (`SENSOR_READ_INTERVAL_SECS`).
    static let readingInterval: UInt32 = 60

    public private(set) var nextWake: Instant
    public var core: RoutingCore
    /// Settings, clients, regions, files: what infrastructure nodes share.
    public var server: ServerState
    /// Unix seconds of the last reading; 0 before the first.
    private(set) var lastReading: UInt32 = 0
    /// A day of battery voltages.
    private(set) var batterySeries = TimeSeries()
    var alerts = AlertQueue()
    /// The general-purpose outputs of the board, one bit each.
    public internal(set) var outputs: UInt32 = 0

    /// Boots a sensor; data in `flash` has precedence over `setup`.
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
        readWhenDue()
        alertWhenDue()
        nextWake = min(endServerPass(), min(core.instant(ofUnixTime: nextReading), alertWake()))
        core.endPass(effects: &effects)
    }

    private var nextReading: UInt32 { lastReading &+ Self.readingInterval }

    /// Measures and records when due, and starts or ends alerts.
    private mutating func readWhenDue() {
        let now = core.unixTime
        guard now >= nextReading else { return }
        lastReading = now
        let readings = server.environment.telemetry(mask: .all, processor: .absent, at: core.now)
        let voltage = SensorLayout.value(of: .voltage, channel: Environment.ownChannel, in: readings)
        batterySeries.record(voltage, at: now)
        alerts.note(.batteryCritical, isGiven: voltage < 3.4)
        alerts.note(.batteryLow, isGiven: voltage < 3.6)
    }
}

extension SensorNode: InfrastructureNode {
    public var accounts: CoreAccounts { serverAccounts }
}

// Forwarding, off by default. Source: InfrastructureNodes, "Forwarding" (INF-135 to INF-137).
extension SensorNode: ServerNode {
    var extraAckCount: Int { 0 }

    mutating func allowsForwarding(_ packet: PacketView) -> Bool {
        guard !server.preferences.isForwardingDisabled else { return false }
        return !packet.isFlood || packet.hopCount < Int(server.preferences.floodMax)
    }

    mutating func floodRetransmitDelay(bytes: Int) -> UInt32 {
        steppedDelay(bytes: bytes, factor: floodDelayFactor)
    }

    mutating func directRetransmitDelay(bytes: Int) -> UInt32 {
        steppedDelay(bytes: bytes, factor: directDelayFactor)
    }

    /// One of six multiples of the slot.
    private mutating func steppedDelay(bytes: Int, factor: Float) -> UInt32 {
        let slot = UInt32(wholePart: Float(core.estimatedAirtime(bytes: bytes)) * factor)
        return core.random.nextU32() % 6 &* slot
    }

    mutating func receivedControl(_ packet: PacketView) {
        guard packet.payloadByte(at: 0).map({ $0 >> 4 == 8 }) == true, let request = discoverRequest(in: packet)
        else { return }
        answer(request, to: packet)
    }

    mutating func receivedAck(_ packet: PacketView, ack: UInt32) -> Bool { alerts.takeAck(ack) }

    /// Paths of administrators are kept in flash.
    mutating func learnedPath(to index: Int, extraType: UInt8, extra: UnsafeRawBufferPointer) {
        if server.clients[index].permissions.isAdmin { writeClientsSoon() }
    }
}

// Clients. Source: InfrastructureNodes, "Login", "Requests" and "Sensor" (INF-186, INF-187).
extension SensorNode {
    mutating func receivedAnonymous(
        _ packet: PacketView, sender: PublicKey, secret: SharedSecret, data: UnsafeRawBufferPointer
    ) {
        guard let kind = data.dropFirst(4).first, kind == 0 || kind >= UInt8(ascii: " "),
            let login = try? LoginPlaintext(reading: data), let client = logIn(sender, secret, login)
        else { return }
        let body = grantLogin(to: client, after: packet)
        respond(
            body, to: sender[0], secret: secret, after: packet, by: packet.isFlood ? .pathReturn : .flood)
    }

    private mutating func logIn(_ sender: PublicKey, _ secret: SharedSecret, _ login: LoginPlaintext) -> Int? {
        let password = login.password.untilNUL
        if password.isEmpty { return server.clients.index(of: sender) }
        guard password == server.preferences.password else { return nil }
        let client = admit(
            sender, secret: secret, timestamp: login.timestamp, newcomers: [.lowAlerts, .highAlerts])
        guard let client else { return nil }
        server.clients[client].permissions.role = .admin
        writeClientsSoon()
        return client
    }

    mutating func receivedRequest(
        _ packet: PacketView, from index: Int, secret: SharedSecret, request: RequestPlaintext
    ) {
        answerNewer(request, from: index, secret: secret, after: packet)
    }

    mutating func answer(to request: RequestPlaintext, from index: Int) -> [UInt8]? {
        switch request.type {
        case .getTelemetryData: return telemetry(for: index, parameters: request.parameters)
        case .getAvgMinMax:
            guard server.clients[index].permissions.role != .guest else { return nil }
            return MinMaxAvgReply.encode(parameters: request.parameters, battery: batterySeries, at: core.unixTime)
        case .getAccessList: return accessList(for: index, parameters: request.parameters)
        default: return nil
        }
    }

    /// Only commands of administrators, each newer than the last; plain text is ignored.
    mutating func receivedText(
        _ packet: PacketView, from index: Int, secret: SharedSecret, text: TextPlaintext
    ) {
        let client = server.clients[index]
        guard client.permissions.isAdmin, isCommand(text.type), text.timestamp > client.lastTimestamp else { return }
        server.clients[index].lastTimestamp = text.timestamp
        server.clients[index].lastActivity = core.unixTime
        runCommand(text, from: index, secret: secret, after: packet, delayMillis: 1000)
    }
}

// The command line. Source: InfrastructureNodes, "Sensor" (INF-188).
extension SensorNode {
    mutating func roleCommand(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome? {
        if command.is("magic") { return .text("**Magic now done**") }
        guard command.begins("io") else { return nil }
        // A board without outputs takes every line and reads 0.
        if command.begins("io "), core.board.hasOutputs { setOutputs(command.after("io ")) }
        return .text(String(outputs, radix: 16))
    }

    /// Changes the outputs: a first character sets, resets or toggles the bits; without one they are the new value.
    private mutating func setOutputs(_ argument: [UInt8]) {
        switch argument.first {
        case UInt8(ascii: "r"): outputs &= ~UInt32(leadingHexIn: argument.dropFirst())
        case UInt8(ascii: "s"): outputs |= UInt32(leadingHexIn: argument.dropFirst())
        case UInt8(ascii: "t"): outputs ^= UInt32(leadingHexIn: argument.dropFirst())
        default: outputs = UInt32(leadingHexIn: argument)
        }
    }
}

extension UInt32 {
    /// The number that hexadecimal text begins with (`sscanf` with `%x`); 0 without one. The firmware is undefined
    /// then: it uses whatever is in memory.
    fileprivate init(leadingHexIn text: some Sequence<UInt8>) {
        var digits = [UInt8](text.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) })
        let prefix = digits.prefix(2)
        if prefix.elementsEqual("0x".utf8) || prefix.elementsEqual("0X".utf8) { digits.removeFirst(2) }
        self = 0
        for digit in digits {
            guard let value = digit.hexDigit else { break }
            self = self << 4 | UInt32(value)
        }
    }
}
