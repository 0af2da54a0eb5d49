/// The way in which a link carries frames, which decides what a planned fault can do to their bytes.
public enum LinkCarrier: String, Hashable, Sendable, CaseIterable {
    /// A stream of bytes that a client opens: each frame has a header of three bytes.
    case tcp = "TCP"
    /// A stream of bytes that is always there: the same, without connections that begin or end.
    case serial = "a serial line"
    /// Whole writes and notifications, each of them one frame.
    case bluetooth = "Bluetooth"

    /// True where a frame has a header, and a reader finds frames in the bytes.
    public var isStream: Bool { self != .bluetooth }
    /// True where clients connect and the link can end.
    public var hasConnections: Bool { self != .serial }
}
