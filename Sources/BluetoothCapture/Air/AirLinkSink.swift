package import MeshCapture

/// Receives the content of two link layers: connections, and whole L2CAP packets in clear.
package protocol AirLinkSink {
    /// Begins a connection and returns its key, valid until it is closed.
    mutating func open(_ opened: OpenedConnection, _ record: RecordHeader, areRolesKnown: Bool) -> Int
    /// A whole L2CAP packet without its header; its bytes are lent for the call.
    mutating func takeL2CAP(
        _ connection: Int, from side: LinkSide, channel: UInt16, _ record: RecordHeader, _ payload: Span<UInt8>,
        length: Int)
    /// The link was encrypted from this record on; its payloads still follow where `isReadable`.
    mutating func encrypted(_ connection: Int, isReadable: Bool, _ record: RecordHeader)
    /// Something of the connection is missing or malformed: `what` is a few words that can stand in a report.
    mutating func lost(_ connection: Int, _ what: String, _ record: RecordHeader)
    /// A pairing, or packets that no key opened.
    mutating func event(_ connection: Int, _ event: CaptureEvent, _ record: RecordHeader)
    /// Ends a connection; `reason` is an error code of the controller, `nil` where no packet gave one.
    mutating func close(_ connection: Int, reason: UInt8?, _ record: RecordHeader)
    /// Something in the capture itself could not be read; no connection is meant.
    mutating func note(_ problem: CaptureProblem)
    /// The capture ends.
    mutating func finish()
}
