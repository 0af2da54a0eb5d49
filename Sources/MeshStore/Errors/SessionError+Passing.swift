package import MeshCore

// Which errors of a session pass by themselves.
extension SessionError {
    /// True when the link to the radio has gone: the same command may be sent over the next one.
    package var isLinkLoss: Bool {
        switch self {
        case .notStarted, .notConnected, .connectionLost, .transport: true
        default: false
        }
    }

    /// True when the same command may work a moment later.
    var mayPass: Bool {
        switch self {
        case .timeout, .noAnswer, .listingStalled: true
        default: isLinkLoss
        }
    }
}
