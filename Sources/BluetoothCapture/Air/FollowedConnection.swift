import MeshBluetoothHost
import MeshWire

/// One connection on the air: senders, repetitions, and the content of the packets.
struct FollowedConnection: Sendable {
    enum Security {
        case clear
        case asked(EncryptionRequest)
        case answered([LinkCipher])
        case encrypted(LinkSession)
    }

    /// The state that is kept for each side.
    struct Direction: Sendable {
        var isHeard = false
        var sequenceNumber = false
        var kind: UInt8 = 0
        var payload: [UInt8] = []
        var assembler = L2CAP.Assembler()

        /// Returns whether this is the packet before it once more.
        ///
        /// `isCounted`: the counters of the encryption show missed packets, and better.
        mutating func isRepeated(
            _ first: UInt8, _ payload: Span<UInt8>, isCounted: Bool, _ counts: inout AirCounts
        ) -> Bool {
            let next = first & 0x08 != 0
            if isHeard, sequenceNumber == next {
                if kind == first & 3, payload.isEqual(to: self.payload) {
                    if !payload.isEmpty { counts.retransmissions += 1 }
                    return true
                }
                // An odd number of packets was not heard.
                if !isCounted { counts.missed += 1 }
            }
            isHeard = true
            sequenceNumber = next
            kind = first & 3
            self.payload.removeAll(keepingCapacity: true)
            for index in payload.indices { self.payload.append(payload[index]) }
            return false
        }
    }

    let accessAddress: UInt32
    let indication: ConnectIndication?
    /// The start value of the check sums; `nil` where the sniffer checks them.
    let checkSumStart: UInt32?
    /// The sink's name of it.
    let key: Int
    var lastRecord: RecordHeader
    var isClosed = false

    private var central = Direction()
    private var peripheral = Direction()
    private var turns: LinkTurns
    private var security = Security.clear
    private var pairing = PairingWatch()
    private var garbage = 0
    private var firstGarbage: RecordHeader?
    private var scratch: [UInt8] = []
    /// True when the sniffer left the integrity code behind the decrypted bytes.
    private var keepsIntegrityCode = false

    init(
        accessAddress: UInt32, _ indication: ConnectIndication?, checkSumStart: UInt32?, key: Int,
        _ record: RecordHeader
    ) {
        self.accessAddress = accessAddress
        self.indication = indication
        self.checkSumStart = checkSumStart
        self.key = key
        lastRecord = record
        turns = LinkTurns(interval: indication?.interval)
    }

    private subscript(side: LinkSide) -> Direction {
        get { side == .central ? central : peripheral }
        _modify {
            switch side {
            case .central: yield &central
            case .peripheral: yield &peripheral
            }
        }
    }

    /// Handles a packet whose check sum is good: its two header bytes and its payload.
    mutating func take(
        _ header: AirPacketHeader, _ first: UInt8, _ payload: Span<UInt8>, _ world: inout AirWorld<some AirLinkSink>
    ) {
        lastRecord = header.record
        guard !isClosed else { return }
        var side = turns.side(of: header, first, payload)
        let isCounted = isOpened
        let isRepeated = self[side].isRepeated(first, payload, isCounted: isCounted, &world.counts)
        guard !isRepeated else { return }
        guard !payload.isEmpty else {
            world.counts.empty += 1
            return
        }
        var body = scratch
        scratch = []
        body.removeAll(keepingCapacity: true)
        for index in payload.indices { body.append(payload[index]) }
        if header.isDecrypted {
            dropIntegrityCode(&body, first)
            read(body.span, first & 3, side, &world)
        } else if open(&body, first, &side, isSideGiven: header.way != nil, &world) {
            read(body.span, first & 3, side, &world)
        }
        scratch = body
    }

    /// Reports what is still open at the end of the capture or of the connection.
    mutating func finish(_ world: inout AirWorld<some AirLinkSink>) {
        tellUnreadable(&world)
        if case .encrypted = security { security = .encrypted(LinkSession([], lastRecord)) }
    }

    /// Ends the connection for the sink; later packets of it are left out.
    mutating func close(reason: UInt8?, _ record: RecordHeader, _ world: inout AirWorld<some AirLinkSink>) {
        guard !isClosed else { return }
        isClosed = true
        tellUnreadable(&world)
        security = .clear
        world.sink.close(key, reason: reason, record)
    }
}

// Encryption
extension FollowedConnection {
    private var isOpened: Bool {
        if case .encrypted(let session) = security { !session.isHopeless } else { false }
    }

    /// Opens a packet where the link is encrypted; `false` when it stays closed.
    private mutating func open(
        _ body: inout [UInt8], _ first: UInt8, _ side: inout LinkSide, isSideGiven: Bool,
        _ world: inout AirWorld<some AirLinkSink>
    ) -> Bool {
        if case .answered(let ciphers) = security, isSealed(body, first) {
            begin(ciphers, &world)
        }
        guard case .encrypted(var session) = security else { return true }
        if isPlain(body, first) {
            tellUnreadable(&world)
            security = .clear
            return true
        }
        security = .clear
        defer { security = .encrypted(session) }
        var opened = session.open(&body, header: first, side)
        if case .unreadable = opened, !isSideGiven, !session.isHopeless {
            // The guess of who sent it may be wrong, and the integrity code knows better.
            opened = session.open(&body, header: first, side.other)
            if case .readable = opened {
                side = side.other
                turns.sent(by: side)
            }
        }
        switch opened {
        case .readable(let missed, let isFirst):
            world.counts.opened += 1
            if isFirst { world.sink.encrypted(key, isReadable: true, lastRecord) }
            miss(missed, side, &world)
            return true
        case .givenUp:
            world.sink.encrypted(key, isReadable: false, lastRecord)
            fallthrough
        case .unreadable:
            world.counts.unreadable += 1
            return false
        }
    }

    /// The first packet of an encrypted link whose request to start was missed: only its answer is that short.
    private func isSealed(_ body: [UInt8], _ first: UInt8) -> Bool {
        first & 3 == 3 ? body.count == 1 + LinkCipher.checkSize : body.count > LinkCipher.checkSize
    }

    /// A packet that cannot be encrypted: shorter than the integrity code, or a new request for encryption.
    private func isPlain(_ body: [UInt8], _ first: UInt8) -> Bool {
        body.count <= LinkCipher.checkSize
            || first & 3 == 3 && body.count == EncryptionRequest.size && body[0] == LinkControl.encryptionRequest
    }

    private mutating func begin(_ ciphers: [LinkCipher], _ world: inout AirWorld<some AirLinkSink>) {
        security = .encrypted(LinkSession(ciphers, lastRecord))
        if ciphers.isEmpty { world.sink.encrypted(key, isReadable: false, lastRecord) }
    }

    private mutating func miss(_ count: UInt64, _ side: LinkSide, _ world: inout AirWorld<some AirLinkSink>) {
        guard count > 0 else { return }
        world.counts.missed += Int(count)
        // What is pending cannot be trusted.
        if self[side].assembler.isPending { world.counts.withoutContinuation += 1 }
        self[side].assembler.reset()
        world.sink.lost(key, "\(count) encrypted packets of the \(side) were not heard", lastRecord)
    }

    private mutating func tellUnreadable(_ world: inout AirWorld<some AirLinkSink>) {
        guard case .encrypted(let session) = security, session.unreadable.packets > 0 else { return }
        if session.isUndecided { world.sink.encrypted(key, isReadable: false, lastRecord) }
        world.sink.event(key, .unreadable(session.unreadable), lastRecord)
    }

    /// Drops the integrity code that a decrypting sniffer may leave: the length of an L2CAP packet in one piece
    /// shows it.
    private mutating func dropIntegrityCode(_ body: inout [UInt8], _ first: UInt8) {
        if first & 3 == 2, let packet = L2CAP.Header(body.span) {
            let length = L2CAP.Header.size + Int(packet.length)
            if length == body.count { keepsIntegrityCode = false }
            if length + LinkCipher.checkSize == body.count { keepsIntegrityCode = true }
        }
        if keepsIntegrityCode, body.count > LinkCipher.checkSize { body.removeLast(LinkCipher.checkSize) }
    }
}

// What packets carry
extension FollowedConnection {
    private mutating func read(
        _ body: Span<UInt8>, _ kind: UInt8, _ side: LinkSide, _ world: inout AirWorld<some AirLinkSink>
    ) {
        switch kind {
        case 3: control(body, side, &world)
        case 1, 2: fragment(body, isStart: kind == 2, side, &world)
        default: world.counts.cut += 1
        }
    }

    private mutating func control(_ body: Span<UInt8>, _ side: LinkSide, _ world: inout AirWorld<some AirLinkSink>) {
        switch body[0] {
        case LinkControl.terminate where body.count == 2: close(reason: body[1], lastRecord, &world)
        case LinkControl.encryptionRequest:
            guard let request = EncryptionRequest(body) else { return }
            security = .asked(request)
        case LinkControl.encryptionResponse:
            guard case .asked(let request) = security, let response = EncryptionResponse(body) else { return }
            security = .answered(world.keys.ciphers(request, response))
        case LinkControl.startEncryptionRequest where body.count == 1: startEncryption(&world)
        case LinkControl.reject, LinkControl.rejectExtended: cancelEncryption()
        case LinkControl.pauseEncryptionResponse where side == .peripheral:
            tellUnreadable(&world)
            security = .clear
        case let opcode where opcode > LinkControl.last: suspect(&world)
        default: break
        }
    }

    private mutating func startEncryption(_ world: inout AirWorld<some AirLinkSink>) {
        switch security {
        case .answered(let ciphers): begin(ciphers, &world)
        case .asked, .clear: begin([], &world)
        case .encrypted: break
        }
    }

    private mutating func cancelEncryption() {
        if case .encrypted = security { return }
        security = .clear
    }

    private mutating func fragment(
        _ body: Span<UInt8>, isStart: Bool, _ side: LinkSide, _ world: inout AirWorld<some AirLinkSink>
    ) {
        if isStart, case .clear = security, !isPlausible(body) {
            suspect(&world)
            return
        }
        // Out of the connection for the call: the sink is lent the bytes, and pairing changes the connection.
        var assembler = L2CAP.Assembler()
        swap(&assembler, &self[side].assembler)
        var lost: (count: WritableKeyPath<AirCounts, Int>, what: String)?
        if isStart, assembler.isPending {
            lost = (\.withoutContinuation, "a packet of the \(side) was not heard to its end")
        }
        let step =
            isStart
            ? assembler.begin(body, wireLength: body.count) : assembler.append(body, wireLength: body.count)
        switch step {
        case .more, .unreadable: break
        case .orphan: lost = (\.withoutStart, "the beginning of a packet of the \(side) was not heard")
        case .whole(let excess):
            garbage = 0
            let channel = assembler.header.channel
            assembler.withPayload { deliver(channel, $0, side, &world) }
            if excess > 0 { lost = (\.withExcess, "a packet of the \(side) has more bytes than it says") }
        }
        swap(&assembler, &self[side].assembler)
        if let lost {
            world.counts[keyPath: lost.count] += 1
            world.sink.lost(key, lost.what, lastRecord)
        }
    }

    private mutating func deliver(
        _ channel: UInt16, _ payload: Span<UInt8>, _ side: LinkSide, _ world: inout AirWorld<some AirLinkSink>
    ) {
        if channel == L2CAP.Channel.securityManager { watch(payload, side, &world) }
        world.sink.takeL2CAP(key, from: side, channel: channel, lastRecord, payload, length: payload.count)
    }

    private mutating func watch(_ pdu: Span<UInt8>, _ side: LinkSide, _ world: inout AirWorld<some AirLinkSink>) {
        let addresses = indication.map {
            LegacyPairing.Addresses(initiator: $0.initiator, responder: $0.advertiser)
        }
        switch pairing.take(side, pdu, addresses: addresses) {
        case nil: break
        case .secureConnections: world.sink.event(key, .pairing(.secureConnections), lastRecord)
        case .longTermKey(let longTermKey): world.keys.learn(longTermKey)
        case .legacy(let pairing):
            let pin = world.learn(pairing)
            world.sink.event(key, .pairing(.legacy(pin: pin)), lastRecord)
        }
    }

    /// A start whose channel is one of the low-energy link's; encrypted bytes rarely have one.
    private func isPlausible(_ body: Span<UInt8>) -> Bool {
        // The header itself may be split.
        guard let channel = L2CAP.Header(body)?.channel else { return true }
        return L2CAP.Channel.attributes...L2CAP.Channel.securityManager ~= channel || 0x20...0x7F ~= channel
    }

    /// Counts packets that make no sense in clear: three in a row show that the link is encrypted since the first.
    private mutating func suspect(_ world: inout AirWorld<some AirLinkSink>) {
        if garbage == 0 { firstGarbage = lastRecord }
        garbage += 1
        world.counts.unreadable += 1
        guard garbage >= 3, case .clear = security else { return }
        security = .encrypted(LinkSession([], firstGarbage ?? lastRecord))
        world.sink.encrypted(key, isReadable: false, lastRecord)
    }
}

extension Span<UInt8> {
    fileprivate func isEqual(to bytes: [UInt8]) -> Bool {
        count == bytes.count && indices.allSatisfy { self[$0] == bytes[$0] }
    }
}
