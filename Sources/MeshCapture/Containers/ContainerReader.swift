/// Reads a capture file of any container, piece by piece, and lends its records to a sink in their order.
public struct ContainerReader: Sendable {
    /// A longer record is damage.
    public static let longestRecord = 262_144

    /// Known once the first bytes came; `nil` in the end for a file that is no capture.
    public private(set) var format: CaptureFormat?
    /// Nothing that follows will be read: the file was refused, or is damaged beyond this point.
    public private(set) var isDone = false

    public init() {}

    /// Takes the next bytes of the file, as many as there are.
    public mutating func feed(_ chunk: Span<UInt8>, into sink: inout some RecordSink) {}

    /// The file ended: says so if that was in the middle of a record.
    public mutating func finish(into sink: inout some RecordSink) {}
}

/// The containers of captures, told apart by their first bytes, never by the name of a file.
public enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
    case pcap
    case pcapng
    case btsnoop
    case packetLogger = "PacketLogger"
}
