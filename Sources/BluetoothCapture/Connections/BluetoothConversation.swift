import MeshBluetoothHost
import MeshCompanion

/// One connection, from its first packet to its last: requests, handles that carry frames, and values that wait.
///
/// Both ends may ask at once, so there are two clients, each with the attributes of the other side's server. Values
/// wait in `held` while it is unknown whether they are frames, and while a write is not answered yet. They also
/// wait while a notification may be a part of a longer one. Everything behind them waits too, so that the order
/// stays.
struct BluetoothConversation {
    /// One side's requests to the other.
    struct Client {
        var requests = ATT.Requests()
        var prepared = ATT.PreparedWrites()
        /// The held values that the answer to the pending request decides on.
        var waiting = 0..<0
        /// The attributes of the other side's server.
        var database = ATT.Database()
    }

    /// Counted from 0 over all connections.
    let number: Int
    var clients = [Client(), Client()]
    var held = HeldValues()
    var evidence = HandleEvidence()
    private(set) var handles: NordicHandles?
    /// The side with the server that has the handles; `nil` until a value shows it.
    private(set) var radio: LinkSide?
    /// The longest packet; `nil` where it is unknown, since the capture begins later.
    private(set) var mtu: Int?
    /// The side that is probably the radio, by the roles.
    private let likelyRadio: LinkSide?
    /// The handles were learned since this was last set to `false`.
    var hasNews = false
    /// The device for which the handles are remembered.
    private(set) var peer: PeerIdentity?
    /// The side of the connection that is not the logging one; on the air the peripheral.
    let peerSide: LinkSide
    private(set) var peerName: String?

    init(number: Int, _ opened: OpenedConnection, areRolesKnown: Bool) {
        self.number = number
        mtu = opened.isInTheMiddle ? nil : ATT.defaultMTU
        likelyRadio = areRolesKnown ? .peripheral : nil
        peer = PeerIdentity(opened)
        peerSide = opened.isLoggedByCentral == false ? .central : .peripheral
        peerName = opened.peerName
    }

    static func index(_ side: LinkSide) -> Int { side == .central ? 0 : 1 }

    func place(_ record: RecordHeader) -> CapturePlace {
        CapturePlace(record: record.number, nanoseconds: record.nanoseconds, connection: number)
    }

    // MARK: Values

    /// A packet of the attribute protocol; `length` is its length on the link.
    mutating func take<Sink: CaptureSink>(
        _ side: LinkSide, _ record: RecordHeader, _ packet: Span<UInt8>, length: Int, into sink: inout Sink
    ) {
        guard packet.count >= 3 else {
            if packet.count > 0, packet[0] == ATT.Opcode.writeResponse.rawValue, length == 1 {
                answered(side, .writeResponse, nil, record, into: &sink)
            } else {
                takeOther(side, record, packet, length: length, into: &sink)
            }
            return
        }
        let handle = packet.word(at: 1)
        let value = packet.extracting(3..<packet.count)
        switch packet[0] {
        case ATT.Opcode.notification.rawValue, ATT.Opcode.indication.rawValue:
            notification(side, handle, record, value, length: length - 3, into: &sink)
        case ATT.Opcode.writeCommand.rawValue:
            write(side, handle, record, value, length: length - 3, .settled, into: &sink)
        case ATT.Opcode.writeRequest.rawValue:
            ask(side, ATT.Request(.writeRequest, handle: handle), record, into: &sink)
            clients[Self.index(side)].waiting = held.next..<held.next + 1
            write(side, handle, record, value, length: length - 3, .waiting, into: &sink)
        default: takeOther(side, record, packet, length: length, into: &sink)
        }
    }

    /// Handles a notification; the common case, in which nothing has to wait, needs no memory.
    mutating func notification<Sink: CaptureSink>(
        _ side: LinkSide, _ handle: UInt16, _ record: RecordHeader, _ value: Span<UInt8>, length: Int,
        into sink: inout Sink
    ) {
        if held.isEmpty, let handles, handles.tx == handle, radio == side, value.count == length, length > 0,
            length <= CompanionLimits.frame, isSurelyWhole(value)
        {
            sink.frame(place(record), .toApp, value, isJoined: false)
            return
        }
        held.append(.notification, .settled, side, handle: handle, value, length: length, record)
        if handles == nil, value.count == length, let range = held.entries.last?.range,
            evidence.notification(side, handle, held.bytes[range])
        {
            weighEvidence(record, into: &sink)
        }
        drain(into: &sink)
    }

    mutating func write<Sink: CaptureSink>(
        _ side: LinkSide, _ handle: UInt16, _ record: RecordHeader, _ value: Span<UInt8>, length: Int,
        _ state: HeldValues.State, into sink: inout Sink
    ) {
        if case .settled = state, held.isEmpty, let handles, handles.rx == handle, radio == side.other,
            value.count == length, length > 0, length <= CompanionLimits.frame
        {
            sink.frame(place(record), .toRadio, value, isJoined: false)
            return
        }
        held.append(.write, state, side, handle: handle, value, length: length, record)
        if handles == nil, value.count == length, let range = held.entries.last?.range,
            evidence.write(side, handle, held.bytes[range])
        {
            weighEvidence(record, into: &sink)
        }
        drain(into: &sink)
    }

    /// Returns whether a notification cannot be the first part of a longer frame.
    private func isSurelyWhole(_ value: Span<UInt8>) -> Bool {
        if let mtu { return value.count != mtu - 3 }
        return value.count < 20 || value.count >= FrameShape.bounds(value[0]).shortest
    }

    // MARK: Requests and answers

    /// Handles a request; the one before it stays without an answer, which proves nothing.
    mutating func ask<Sink: CaptureSink>(
        _ side: LinkSide, _ request: ATT.Request, _ record: RecordHeader, into sink: inout Sink
    ) {
        let index = Self.index(side)
        guard clients[index].requests.ask(request) != nil else { return }
        held.settle(clients[index].waiting, .settled)
        clients[index].waiting = 0..<0
        drain(into: &sink)
    }

    /// An answer without content came from this side.
    @discardableResult
    mutating func answered<Sink: CaptureSink>(
        _ side: LinkSide, _ response: ATT.Opcode, _ error: ATT.ErrorResponse?, _ record: RecordHeader,
        into sink: inout Sink
    ) -> ATT.Request? {
        let index = Self.index(side.other)
        guard let request = clients[index].requests.answer(response, toRequest: error?.request) else { return nil }
        if !clients[index].waiting.isEmpty {
            held.settle(clients[index].waiting, error.map { .rejected($0.error.rawValue) } ?? .settled)
            clients[index].waiting = 0..<0
            drain(into: &sink)
        }
        return request
    }

    mutating func agree<Sink: CaptureSink>(on mtu: Int, _ record: RecordHeader, into sink: inout Sink) {
        self.mtu = mtu
        emit(.mtuChanged(mtu), record, into: &sink)
    }

    /// Handles the name that the peer sent on request. The advertised name, which people know, stays.
    mutating func learn<Sink: CaptureSink>(peerName name: String, _ record: RecordHeader, into sink: inout Sink) {
        guard peerName == nil else { return }
        peerName = name
        peer = peer ?? .name(name)
        emit(.peerNamed(name), record, into: &sink)
    }

    // MARK: Handles

    private mutating func weighEvidence<Sink: CaptureSink>(_ record: RecordHeader, into sink: inout Sink) {
        guard let verdict = evidence.verdict else { return }
        adopt(NordicHandles(rx: verdict.rx, tx: verdict.tx, source: .inferred), radio: verdict.radio)
        sink.event(place(record), .handlesKnown(NordicHandles(rx: verdict.rx, tx: verdict.tx, source: .inferred)))
        hasNews = true
    }

    /// A server's characteristics were listed: perhaps these were among them.
    mutating func lookForNordic<Sink: CaptureSink>(
        askedBy side: LinkSide, _ record: RecordHeader, into sink: inout Sink
    ) {
        let database = clients[Self.index(side)].database
        guard let rx = database.characteristic(.nordicRX), let tx = database.characteristic(.nordicTX) else { return }
        let found = NordicHandles(rx: rx.value, tx: tx.value, source: .discovered)
        guard handles != found || radio != side.other else { return }
        adopt(found, radio: side.other)
        sink.event(place(record), .handlesKnown(found))
        hasNews = true
        drain(into: &sink)
    }

    mutating func remember<Sink: CaptureSink>(
        _ known: NordicHandles, _ record: RecordHeader, into sink: inout Sink
    ) {
        let known = NordicHandles(rx: known.rx, tx: known.tx, source: .remembered)
        adopt(known, radio: likelyRadio)
        sink.event(place(record), .handlesKnown(known))
    }

    private mutating func adopt(_ found: NordicHandles, radio side: LinkSide?) {
        handles = found
        radio = side
    }

    /// Returns whether a value that this side sent belongs to the handles; the first one decides which side the
    /// radio is.
    mutating func isFrame(_ entry: HeldValues.Entry) -> Bool {
        guard let handles else { return false }
        let sender: LinkSide
        switch entry.kind {
        case .write where entry.handle == handles.rx: sender = entry.side.other
        case .notification where entry.handle == handles.tx: sender = entry.side
        default: return false
        }
        if radio == nil { radio = sender }
        return radio == sender
    }

    /// The direction of a value, as far as it is known.
    func direction(_ entry: HeldValues.Entry) -> FrameDirection? {
        guard let radio = radio ?? likelyRadio else { return nil }
        return entry.side == radio ? .toApp : .toRadio
    }

    // MARK: Events

    /// Reports an event, behind everything that waits.
    mutating func emit<Sink: CaptureSink>(_ event: CaptureEvent, _ record: RecordHeader, into sink: inout Sink) {
        if held.isEmpty {
            sink.event(place(record), event)
        } else {
            held.append(event, record)
            drain(into: &sink)
        }
    }

    /// Reports everything that waits as it stands.
    mutating func flush<Sink: CaptureSink>(into sink: inout Sink) {
        drain(isLast: true, into: &sink)
    }
}
