package import MeshTime

/// A peripheral above a kernel that connects, pairs and encrypts by itself: what is left are attributes on sockets.
///
/// A value like ``BluetoothHost``, with its requests and events, and the same server. Packets and their security go in;
/// packets and orders for the kernel come out. It governs who is served, and how much may wait. It knows no keys.
///
/// ```
///          ask                       tell
/// program -----> AttributeHost ---------------> program
///                  ^       | order
///             take |       v
///            socket of the kernel, advertising
/// ```
package struct AttributeHost: Sendable {
    /// A report of the shell. The number is that of a connection, and is never given twice.
    package enum Input: Hashable, Sendable {
        /// A central has connected.
        case opened(UInt32, BluetoothAddress)
        /// A whole packet of the attribute protocol, and the protection of the connection when it was read.
        case received(UInt32, [UInt8], SecurityLevel)
        /// The kernel has accepted one packet more.
        case sent(UInt32)
        /// A connection has ended.
        case closed(UInt32)
        /// Advertising did not begin, or has ended by itself.
        case notAdvertised
    }

    /// Orders for the shell, in this order.
    package enum Order: Hashable, Sendable {
        /// Advertise until it is withdrawn, also when a central has connected.
        case advertise
        case stopAdvertising
        /// A packet of the attribute protocol; `sent` follows.
        case send(UInt32, [UInt8])
        /// End a connection; `closed` follows.
        case hangUp(UInt32)
    }

    private struct Connection: Sendable {
        let link: BluetoothHost.Link
        let peer: BluetoothAddress
        var server: ATT.Server
        var level = SecurityLevel.none
        /// Packets that the kernel has not accepted.
        var waiting = 0
        var wantsRoom = false
        var isEnding = false
    }

    /// The attributes that it serves, with their present values.
    package internal(set) var attributes: ATT.AttributeTable
    /// The faults that it has.
    package var faults = BluetoothFaultLedger()
    /// The longest packet that it receives.
    private var mtu: UInt16
    private var connection: Connection?
    private var isAdvertising = false
    /// True when requests are accepted.
    package private(set) var isReady = false
    /// Subscriptions of peers that have left; a bond is the kernel's, and lasts as long or longer.
    private var remembered: [(peer: BluetoothAddress, subscriptions: [ATT.Subscription])] = []
    private var effects: [Effect] = []

    /// Packets that the program may have waiting; answers have some room beyond it.
    private static let queueLimit = BluetoothHost.Settings().queueLimit

    /// `mtu`: the longest packet of the attribute protocol that it receives, 23 to 517.
    package init(_ attributes: ATT.AttributeTable, mtu: UInt16) {
        self.attributes = attributes
        self.mtu = mtu
    }

    /// Packets that wait on a connection for the kernel; 0 where it has ended.
    package func waiting(on link: BluetoothHost.Link) -> Int {
        connection.map { $0.link == link ? $0.waiting : 0 } ?? 0
    }

    /// Begins, or begins anew: `ready` follows. Connections from before are ended untold.
    package mutating func start(at now: Instant) -> [Effect] {
        if let connection { hangUp(connection.link.number) }
        connection = nil
        stopAdvertising()
        isReady = true
        let none = BluetoothAddress(number: 0, isRandom: false)
        tell(.ready(.init(address: none, version: 0, manufacturer: 0, dataSize: 0, dataCount: 0)))
        return taken()
    }

    // MARK: Inputs

    package mutating func take(_ input: Input, at now: Instant) -> [Effect] {
        switch input {
        case .opened(let number, let peer): opened(number, peer, at: now)
        case .received(let number, let packet, let level):
            if connection?.link.number == number, connection?.isEnding == false { received(packet, level, at: now) }
        case .sent(let number): sent(number)
        case .closed(let number): if connection?.link.number == number { ended() }
        case .notAdvertised:
            isAdvertising = false
            tell(.notAdvertised)
        }
        return taken()
    }

    private mutating func opened(_ number: UInt32, _ peer: BluetoothAddress, at now: Instant) {
        // Who connects again has lost the connection before, whatever the kernel says of that.
        if let connection, connection.peer == peer || connection.isEnding {
            hangUp(connection.link.number)
            ended()
        }
        guard isReady, connection == nil else {
            hangUp(number)
            return tell(.turnedAway(peer))
        }
        let link = BluetoothHost.Link(number: number)
        connection = Connection(link: link, peer: peer, server: ATT.Server(mtu: mtu))
        stopAdvertising()
        let parameters = BluetoothHost.ConnectionParameters()
        tell(.connected(link, .init(isCentral: false, peer: peer, parameters: parameters, isKnown: false)))
        for due in faults.meet(.connection) { act(due, at: now) }
    }

    private mutating func received(_ packet: [UInt8], _ level: SecurityLevel, at now: Instant) {
        secure(level)
        guard let link = connection?.link, var server = connection?.server else { return }
        let served = faults.serve(
            packet.span, of: link.number, at: now, protection: ATT.Protection(level), server: &server,
            table: &attributes)
        connection?.server = server
        for due in served.acts { act(due, at: now) }
        perform(served.effects, link)
    }

    private mutating func perform(_ effects: [ATT.Server.Effect], _ link: BluetoothHost.Link) {
        for effect in effects {
            switch effect {
            case .send(let packet):
                guard connection?.waiting ?? 0 < Self.queueLimit + BluetoothHost.answerRoom else {
                    tell(.faulty(link, .flooding))
                    return end()
                }
                send(packet)
            case .written(let handle, let value): tell(.written(link, handle: handle, value: value))
            case .subscribed(let subscription):
                tell(.subscribed(link, subscription))
                remember()
            case .mtu(let mtu): tell(.mtu(link, mtu))
            case .confirmed(let handle): tell(.confirmed(link, handle: handle))
            }
        }
    }

    /// Protection is only seen when a packet comes, which is soon enough: nothing is read or written before.
    private mutating func secure(_ level: SecurityLevel) {
        guard let connection, level != connection.level else { return }
        self.connection?.level = level
        guard level > connection.level else { return }
        tell(.secured(connection.link, level))
        guard level >= .authenticated, let known = remembered.first(where: { $0.peer == connection.peer }) else {
            return
        }
        for subscription in self.connection?.server.restore(known.subscriptions) ?? [] {
            tell(.subscribed(connection.link, subscription))
        }
    }

    /// Of who has proved a passkey alone: anybody may use the address of another.
    private mutating func remember() {
        guard let connection, connection.level >= .authenticated else { return }
        remembered.removeAll { $0.peer == connection.peer }
        if remembered.count == BluetoothHost.knownLimit { remembered.removeFirst() }
        remembered.append((connection.peer, connection.server.subscriptions))
    }

    private mutating func sent(_ number: UInt32) {
        guard let connection, connection.link.number == number, connection.waiting > 0 else { return }
        self.connection?.waiting -= 1
        guard connection.wantsRoom else { return }
        self.connection?.wantsRoom = false
        tell(.hasRoom(connection.link))
    }

    private mutating func ended() {
        guard let connection else { return }
        self.connection = nil
        faults.ended(connection.link.number)
        // Remote User Terminated Connection: why, the kernel does not say.
        tell(.disconnected(connection.link, reason: 0x13))
    }

    // MARK: Requests

    /// Handles a request, as ``BluetoothHost`` does; requests that a kernel decides itself are accepted and left to it.
    package mutating func ask(
        _ request: BluetoothHost.Request, at now: Instant
    ) throws(BluetoothHost.Refusal) -> [Effect] {
        guard isReady else { throw .notReady }
        switch request {
        case .advertise:
            guard !isAdvertising, connection == nil else { throw .busy }
            isAdvertising = true
            effects.append(.send(.advertise))
        case .stopAdvertising: stopAdvertising()
        case .disconnect(let link):
            try check(link)
            end()
        case .notify(let link, let handle, let value): try notify(link, handle, value)
        case .indicateUnasked(let link, let handle, let value): try indicate(link, handle, value, at: now)
        case .setValue(let handle, let value):
            guard value.count <= ATT.maximumValue else { throw .tooLong(limit: ATT.maximumValue) }
            guard attributes.set(handle, to: value) else { throw .noSuchAttribute(handle) }
        case .updateParameters(let link, _): try check(link)
        default: throw .outOfRange
        }
        return taken()
    }

    private func check(_ link: BluetoothHost.Link) throws(BluetoothHost.Refusal) {
        guard connection?.link == link, connection?.isEnding == false else { throw .noSuchLink }
    }

    private mutating func notify(
        _ link: BluetoothHost.Link, _ handle: UInt16, _ value: [UInt8]
    ) throws(BluetoothHost.Refusal) {
        try check(link)
        guard let connection else { throw .noSuchLink }
        try connection.server.checkSubscribed(handle, .notifications, value, in: attributes)
        guard connection.waiting < Self.queueLimit else {
            self.connection?.wantsRoom = true
            throw .overflow(limit: Self.queueLimit)
        }
        send(connection.server.notification(handle, value))
        attributes.set(handle, to: value)
    }

    private mutating func indicate(
        _ link: BluetoothHost.Link, _ handle: UInt16, _ value: [UInt8], at now: Instant
    ) throws(BluetoothHost.Refusal) {
        try check(link)
        guard value.count <= ATT.maximumValue else { throw .tooLong(limit: ATT.maximumValue) }
        guard var server = connection?.server else { throw .noSuchLink }
        var effects: [ATT.Server.Effect] = []
        guard server.indicate(handle, value, at: now, into: &effects) else {
            throw .overflow(limit: ATT.Server.indicationLimit)
        }
        connection?.server = server
        attributes.set(handle, to: value)
        perform(effects, link)
    }

    // MARK: Faults

    /// The moment of an answer that a fault holds back.
    package mutating func expire(at now: Instant) -> [Effect] {
        for (number, packet) in faults.release(at: now) where connection?.link.number == number {
            if let link = connection?.link { perform([.send(packet)], link) }
        }
        return taken()
    }

    package mutating func reshape(_ settings: BluetoothHost.Settings) {
        attributes = settings.attributes
        mtu = settings.serverMTU
        connection?.server.ownMTU = settings.serverMTU
    }

    package mutating func carryOut(
        _ due: BluetoothFaultLedger.Due, on link: BluetoothHost.Link, at now: Instant,
        random: inout some RandomNumberGenerator
    ) -> [Effect] {
        if connection?.link == link { act(due, at: now) }
        return taken()
    }

    /// Carries out a fault; those that need a controller are never armed here.
    private mutating func act(_ due: BluetoothFaultLedger.Due, at now: Instant) {
        guard let connection, !connection.isEnding else { return }
        let packets = connection.server.unasked(due.kind, in: attributes)
        guard !packets.isEmpty else { return }
        faults.note(due, frames: packets.count, bytes: packets.reduce(0) { $0 + $1.count }, at: now)
        perform(packets.map(ATT.Server.Effect.send), connection.link)
    }

    // MARK: Effects

    private mutating func tell(_ event: BluetoothHost.Event) { effects.append(.tell(event)) }

    private mutating func send(_ packet: [UInt8]) {
        guard let number = connection?.link.number else { return }
        connection?.waiting += 1
        effects.append(.send(.send(number, packet)))
    }

    private mutating func hangUp(_ number: UInt32) { effects.append(.send(.hangUp(number))) }

    private mutating func end() {
        guard let connection, !connection.isEnding else { return }
        self.connection?.isEnding = true
        hangUp(connection.link.number)
    }

    private mutating func stopAdvertising() {
        guard isAdvertising else { return }
        isAdvertising = false
        effects.append(.send(.stopAdvertising))
    }

    private mutating func taken() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}
