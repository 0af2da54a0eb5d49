package import MeshTime
import MeshWire

/// One end of Bluetooth low energy above its controller: peripheral, central, or both.
///
/// A value without clock, sockets and randomness of its own. Packets of the controller, requests and time go in;
/// packets for the controller and events come out. It governs commands and their credits, connections, fragments, the
/// attribute protocol and, through ``SecurityManager``, pairing. It does not keep keys in files and asks no user.
///
/// ```
///          ask, start                 tell
/// program ----------->  BluetoothHost ----> program
///                         ^       | send
///                 receive |       v
///                        controller
/// ```
///
/// The caller reads `deadline` after each call, and calls `expire` when that moment has come. After a failure
/// nothing more is sent and every request is refused.
package struct BluetoothHost: Sendable {
    /// The settings that it was made with, or was given since.
    package internal(set) var settings: Settings
    /// The faults that it has as a peripheral.
    package var faults = BluetoothFaultLedger()
    /// The attributes that it serves, with their present values.
    package internal(set) var attributes: ATT.AttributeTable
    /// The peers that it can encrypt with; the shell keeps them in a file.
    package internal(set) var known: [KnownPeer]

    enum Phase: Sendable {
        case idle
        /// The controller is being set up, as far as this step.
        case starting(Setup)
        case ready
        case failed
    }

    /// A connection that is coming about.
    struct Attempt: Sendable {
        var peer: BluetoothAddress
        var until: Instant
        /// The error code with which we gave it up.
        var givenUp: UInt8?
    }

    var phase = Phase.idle
    var commands = CommandQueue()
    var data = HCI.DataQueue(size: 27, capacity: 1, limit: 1)
    var controller = Controller(
        address: BluetoothAddress(number: 0, isRandom: false), version: 0, manufacturer: 0, dataSize: 0, dataCount: 0)
    var features = HCI.Features()
    var links: [LinkState] = []
    var linkCount: UInt32 = 0
    var attempt: Attempt?
    var isAdvertising = false
    /// The states to which the commands on their way switch advertising.
    var advertisingSwitches: [Bool] = []
    /// The connections whose new intervals are on their way to the controller, one for each command.
    var updates: [Link] = []
    var scan: Scan?
    var scanSwitches: [Bool] = []
    var heard: [Heard] = []
    var parts = ReportedData()
    /// Pairings that went wrong, by the peer; they outlast connections, and the start of a controller.
    var attempts: [(peer: BluetoothAddress, attempts: RepeatedAttempts)] = []
    /// Gathered in one call.
    var effects: [Effect] = []
    /// A failure in this call that ends everything.
    var failure: Failure?

    /// The number of known peers that are kept; the one that was used longest ago makes room.
    package static let knownLimit = 32
    /// Answers that may wait on one connection beyond `Settings.queueLimit`.
    ///
    /// So the peer is never blamed for a queue that the program has filled.
    static let answerRoom = 8

    package init(_ settings: Settings, known: [KnownPeer] = []) {
        self.settings = settings
        self.known = [KnownPeer](known.suffix(Self.knownLimit))
        attributes = settings.attributes
    }

    /// The time at which `expire` has to be called; `nil` while nothing waits for time.
    package var deadline: Instant? {
        if case .failed = phase { return nil }
        let times = links.map(\.deadline) + [commands.deadline, attempt?.until, faults.deadline]
        return times.compactMap { $0 }.min()
    }

    /// True when requests are accepted.
    package var isReady: Bool {
        if case .ready = phase { true } else { false }
    }

    /// The connections there are, the oldest first.
    package var openLinks: [Link] { links.map(\.link) }

    /// Packets that wait on a connection for the controller; 0 where it has ended.
    package func waiting(on link: Link) -> Int {
        links.first { $0.link == link }.map { data.waiting($0.handle) } ?? 0
    }

    /// Returns the protection of a connection; `nil` where it has ended.
    package func level(of link: Link) -> SecurityLevel? { links.first { $0.link == link }?.security.level }

    /// Resets the controller and sets it up: `ready` follows, or `failed`. Connections from before are gone.
    package mutating func start(at now: Instant) -> [Effect] {
        let (settings, known, linkCount, attempts) = (settings, known, linkCount, attempts)
        for link in links { faults.ended(link.link.number) }
        let faults = faults
        self = BluetoothHost(settings, known: known)
        (self.linkCount, self.attempts, self.faults) = (linkCount, attempts, faults)
        begin(.reset)
        return finish(at: now)
    }

    /// One whole packet of the controller, from its packet type on.
    ///
    /// `random` is what pairing draws from: the system's generator, but for tests.
    package mutating func receive(
        _ packet: Span<UInt8>, at now: Instant, random: inout some RandomNumberGenerator
    ) -> [Effect] {
        switch phase {
        case .idle, .failed: return []
        case .starting, .ready: break
        }
        switch packet.isEmpty ? nil : HCI.PacketType(rawValue: packet[0]) {
        case .event: take(event: packet.extracting(droppingFirst: 1), at: now, random: &random)
        case .data: take(data: packet.extracting(droppingFirst: 1), at: now, random: &random)
        // Of voice and audio we have asked for none.
        case .synchronous, .isochronous: break
        case .command, nil:
            let reason = packet.isEmpty ? FrameError.Reason.truncated(needed: 1, left: 0) : .unknownCode(packet[0])
            failure = .malformed(FrameError(field: "packet_type", offset: 0, reason: reason))
        }
        return finish(at: now)
    }

    /// The moment of `deadline` has come.
    package mutating func expire(at now: Instant) -> [Effect] {
        if case .failed = phase { return [] }
        if let opcode = commands.overdue(at: now) { failure = .silent(opcode: opcode) }
        expireAttempt(at: now)
        for index in links.indices { expire(index, at: now) }
        sendLate(at: now)
        return finish(at: now)
    }

    /// The way to the controller is gone, and every connection with it.
    package mutating func close(at now: Instant) -> [Effect] {
        if case .failed = phase { return [] }
        failure = .closed
        return finish(at: now)
    }
}

// MARK: - What every call ends with

extension BluetoothHost {
    mutating func tell(_ event: Event) { effects.append(.tell(event)) }

    mutating func command(_ command: HCI.Command) {
        if !commands.append(command) { failure = .overflow(limit: CommandQueue.limit) }
    }

    /// Sends what may be sent, and ends everything where something went wrong.
    mutating func finish(at now: Instant) -> [Effect] {
        while let fragment = data.next() { effects.append(.send([HCI.PacketType.data.rawValue] + fragment)) }
        for index in links.indices { attend(index, at: now) }
        while failure == nil, let packet = commands.next(at: now, time: settings.commandTime) {
            effects.append(.send(packet))
        }
        if let failure { fail(failure) }
        defer { effects = [] }
        return effects
    }

    /// The error code of connections that end with their controller: `Hardware Failure`.
    static let lostController: UInt8 = 0x03

    private mutating func fail(_ failure: Failure) {
        while !links.isEmpty { close(0, reason: Self.lostController) }
        if let attempt { tell(.connectFailed(attempt.peer, status: Self.lostController)) }
        attempt = nil
        phase = .failed
        tell(.failed(failure))
    }

    /// Continues a connection after packets were sent: announces room again, or ends it when its last packet has gone.
    private mutating func attend(_ index: Int, at now: Instant) {
        let waiting = data.waiting(links[index].handle)
        if links[index].wantsRoom, waiting < settings.queueLimit {
            links[index].wantsRoom = false
            tell(.hasRoom(links[index].link))
        }
        if let ending = links[index].ending, data.isIdle(links[index].handle) || now >= ending.until {
            disconnect(index, reason: ending.reason, at: now)
        }
    }
}
