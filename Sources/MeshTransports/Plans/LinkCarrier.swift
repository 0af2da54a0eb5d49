import MeshCompanion

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

extension LinkAddress {
    /// The way in which a link to this address carries frames.
    package var carrier: LinkCarrier {
        switch self {
        case .tcp: .tcp
        // A line of another machine is a line all the same.
        case .serial, .remote, .pty: .serial
        case .controller, .bluetooth: .bluetooth
        }
    }
}

extension LinkCarrier {
    /// The bytes in front of a frame.
    var headerSize: Int { isStream ? StreamFraming.headerSize : 0 }

    /// A frame as the link carries it, with a header that states its length or another one.
    func encode(_ frame: [UInt8], _ way: FrameDirection, stating length: Int? = nil) -> [UInt8] {
        guard isStream else { return frame }
        let marker = way == .toApp ? StreamFraming.toAppMarker : StreamFraming.toRadioMarker
        return StreamFraming.wrap(marker, frame, stating: length ?? frame.count)
    }
}
