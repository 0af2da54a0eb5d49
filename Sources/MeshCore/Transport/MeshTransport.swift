/// A link to one radio that carries whole frames.
///
/// One element of `receivedData` is exactly one frame, code byte first; framing and notifications are the transport's
/// business. Code above a transport never knows its kind.
public protocol MeshTransport: Sendable {
    /// The frames of the connection that is up, or of the next one: a fresh stream for each connection.
    ///
    /// The stream ends when the link does. It has one reader.
    var receivedData: AsyncStream<[UInt8]> { get async }

    /// The state of the link now.
    var connectionState: ConnectionState { get async }

    /// The abilities of the link.
    var capabilities: TransportCapabilities { get async }

    /// Opens the link; does nothing when it is open. Throws a `MeshTransportError`.
    func connect() async throws

    /// Closes the link and ends `receivedData`.
    func disconnect() async

    /// Sends a frame; returns when the link has accepted it. Throws a `MeshTransportError`: `notConnected` while it is
    /// closed.
    func send(_ frame: [UInt8]) async throws

    /// Sends a frame without waiting; `false` when the link cannot do that now, and `send` is needed. Throws as `send`.
    ///
    /// A write that fails later ends the link, and `receivedData` with it.
    func sendAtOnce(_ frame: [UInt8]) throws -> Bool

    /// Sends without asking the link to confirm it, where it can do that.
    func sendWithoutResponse(_ frame: [UInt8]) async throws
}

extension MeshTransport {
    /// True when the link carries frames now.
    public var isConnected: Bool { get async { await connectionState == .connected } }

    /// The abilities of every link: 176 bytes a frame, and no more.
    public var capabilities: TransportCapabilities { get async { TransportCapabilities() } }

    /// Never: `send` is needed.
    public func sendAtOnce(_ frame: [UInt8]) throws -> Bool { false }

    /// Sends a frame as `send` does, with its confirmation.
    public func sendWithoutResponse(_ frame: [UInt8]) async throws {
        try await send(frame)
    }
}

/// The state of a link to a radio.
public enum ConnectionState: Hashable, Sendable {
    case disconnected
    case connecting
    case connected
    /// The link was lost and is being opened again; the number of the attempt.
    case reconnecting(attempt: Int)
    /// The link could not be opened, or not again.
    case failed(MeshTransportError)
}

/// The abilities of a link.
public struct TransportCapabilities: Hashable, Sendable {
    /// The longest frame, code byte included; 176 unless a Bluetooth link negotiated less.
    public var maxFrame: Int
    /// True when frames can be sent without a confirmation of the link.
    public var supportsWriteWithoutResponse: Bool
    /// True when a further read may be sent before the answer to the last one.
    public var supportsPipelinedReads: Bool

    public init(
        maxFrame: Int = 176, supportsWriteWithoutResponse: Bool = false, supportsPipelinedReads: Bool = false
    ) {
        self.maxFrame = maxFrame
        self.supportsWriteWithoutResponse = supportsWriteWithoutResponse
        self.supportsPipelinedReads = supportsPipelinedReads
    }
}

/// The reason why a link does not carry a frame.
public enum MeshTransportError: Error, Hashable, Sendable {
    case notConnected
    /// The link could not be opened, with the reason.
    case connectionFailed(String)
    /// The link cannot be opened, and asking again changes nothing.
    ///
    /// The reason is a wrong PIN, no such adapter, or no MeshCore radio.
    case connectionImpossible(String)
    /// The address has no radio.
    case deviceNotFound(String)
    /// The frame was not accepted, with the reason.
    case sendFailed(String)
    /// The link was there, and ended.
    case connectionLost(String)
    /// A Bluetooth device without the service of companion radios.
    case serviceNotFound
    /// A Bluetooth device whose service lacks a characteristic.
    case characteristicNotFound
}

extension MeshTransportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: "there is no connection to a radio"
        case .connectionFailed(let why): "the connection could not be opened: \(why)"
        case .connectionImpossible(let why): "the connection cannot be opened: \(why)"
        case .deviceNotFound(let what): "there is no radio at \(what)"
        case .sendFailed(let why): "the frame was not sent: \(why)"
        case .connectionLost(let why): "the connection was lost: \(why)"
        case .serviceNotFound: "the device does not offer the service of a companion radio"
        case .characteristicNotFound: "the device's service lacks a characteristic of companion radios"
        }
    }
}
