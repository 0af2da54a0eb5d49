/// Finds companion frames in what the two sides of Bluetooth connections say to each other.
///
/// Whoever follows the links (the reader of HCI, the reader of air captures) announces each connection, hands over its
/// L2CAP packets, and says when it ends. Values that cannot be told to be frames yet are held, within bounds, until
/// the handles are known or the connection ends; so `finish` belongs at the end of a capture.
public struct FrameFinder<Sink: CaptureSink> {
    public var sink: Sink

    public init(_ sink: Sink) {
        self.sink = sink
    }

    /// Begins a connection and returns its key, valid until it is closed.
    ///
    /// `areRolesKnown`: the sides are what they are called. Without it `.central` is just one of the two, always the same.
    public mutating func open(
        _ opened: OpenedConnection, _ record: RecordHeader, areRolesKnown: Bool = true
    ) -> Int { 0 }

    /// A whole L2CAP packet that this side sent, without its header of four bytes, lent for the call.
    ///
    /// `length` is what it had on the wire: more than its bytes where the capture holds only the beginning.
    public mutating func takeL2CAP(
        _ connection: Int, from side: LinkSide, channel: UInt16, _ record: RecordHeader, _ payload: Span<UInt8>,
        length: Int
    ) {}

    /// The link was encrypted; its payloads go on coming where `isReadable`.
    public mutating func encrypted(_ connection: Int, isReadable: Bool, _ record: RecordHeader) {}

    /// Something of this connection is missing or malformed: a few words that can stand in a report.
    public mutating func lost(_ connection: Int, _ what: String, _ record: RecordHeader) {}

    /// Ends a connection. `record` is the one that told, or the last of the capture.
    public mutating func close(_ connection: Int, reason: UInt8?, _ record: RecordHeader) {}

    /// The capture ends: what is held is decided as it stands. Connections stay open, for a capture that goes on.
    public mutating func finish() {}
}
