import MeshBluetoothHost

/// Finds companion frames in the packets of the two sides of Bluetooth connections.
///
/// The caller (the reader of HCI, the reader of air captures) announces each connection, delivers its L2CAP
/// packets, and reports its end. Values that are not known to be frames yet wait, within bounds, until the handles
/// are known or the connection ends. So `finish` belongs at the end of a capture.
///
/// The handles of a radio are remembered for its next connection, also into the next capture that is read with the same
/// finder.
package struct FrameFinder<Sink: CaptureSink> {
    private var conversations: [BluetoothConversation?] = []
    private var free: [Int] = []
    private var opened = 0
    private var memory = HandleMemory()
    /// The receiver of frames and events.
    package var sink: Sink

    package init(_ sink: Sink) {
        self.sink = sink
    }

    /// Connections at once so far, and the bytes of values that wait: both are bounded.
    var footprint: (connections: Int, bytes: Int) {
        (conversations.count, conversations.reduce(0) { $0 + ($1?.held.bytes.count ?? 0) })
    }

    /// Begins a connection and returns its key, valid until it is closed.
    ///
    /// `areRolesKnown`: the sides have the roles of their names. Without it `.central` is just one of the two,
    /// always the same.
    package mutating func open(
        _ opened: OpenedConnection, _ record: RecordHeader, areRolesKnown: Bool = true
    ) -> Int {
        var conversation = BluetoothConversation(number: self.opened, opened, areRolesKnown: areRolesKnown)
        self.opened += 1
        sink.event(conversation.place(record), .opened(opened))
        if let known = memory.handles(of: conversation.peer) {
            conversation.remember(known, record, into: &sink)
        } else {
            conversation.evidence.hint = memory.only
        }
        if let key = free.popLast() {
            conversations[key] = conversation
            return key
        }
        conversations.append(conversation)
        return conversations.count - 1
    }

    /// Receives a whole L2CAP packet that this side sent, without its header of four bytes, lent for the call.
    ///
    /// `length` is its length on the link: more than its bytes where the capture holds only the beginning.
    package mutating func takeL2CAP(
        _ connection: Int, from side: LinkSide, channel: UInt16, _ record: RecordHeader, _ payload: Span<UInt8>,
        length: Int
    ) {
        guard channel == L2CAP.Channel.attributes else { return }
        conversations[connection]?.take(side, record, payload, length: length, into: &sink)
        if conversations[connection]?.hasNews == true { learn(connection) }
    }

    /// The link was encrypted; its payloads still follow where `isReadable`.
    package mutating func encrypted(_ connection: Int, isReadable: Bool, _ record: RecordHeader) {
        emit(connection, .encrypted(isReadable: isReadable), record)
    }

    /// Something of this connection is missing or malformed: a few words that can stand in a report.
    package mutating func lost(_ connection: Int, _ what: String, _ record: RecordHeader) {
        emit(connection, .lost(what), record)
    }

    /// Reports an event behind what waits on its connection.
    mutating func emit(_ connection: Int, _ event: CaptureEvent, _ record: RecordHeader) {
        conversations[connection]?.emit(event, record, into: &sink)
    }

    /// Ends a connection. `record` is the one with the end, or the last of the capture.
    package mutating func close(_ connection: Int, reason: UInt8?, _ record: RecordHeader) {
        guard var conversation = conversations[connection] else { return }
        conversations[connection] = nil
        free.append(connection)
        conversation.flush(into: &sink)
        sink.event(conversation.place(record), .closed(reason: reason))
    }

    /// Ends the capture: values that wait are decided as they are. Connections stay open, for a capture that
    /// continues.
    package mutating func finish() {
        for index in conversations.indices { conversations[index]?.flush(into: &sink) }
    }

    private mutating func learn(_ connection: Int) {
        guard let conversation = conversations[connection], let handles = conversation.handles else { return }
        conversations[connection]?.hasNews = false
        memory.remember(handles, of: conversation.peer)
    }
}
