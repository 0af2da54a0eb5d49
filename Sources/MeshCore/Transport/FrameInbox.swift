/// The receiving end of one connection: frames in, one bounded stream out. Transports are made with it.
public struct FrameInbox: Sendable {
    /// Frames that may wait for the reader; a radio sends some hundred at most without being asked.
    public static let limit = 4096

    /// The frames, in order; it ends with the connection.
    public let stream: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    public init(limit: Int = FrameInbox.limit) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
    }

    /// Delivers a frame to the reader; `false` when too many wait already, and the link should be given up.
    public func deliver(_ frame: [UInt8]) -> Bool {
        if case .dropped = continuation.yield(frame) { return false }
        return true
    }

    /// Ends the stream after the delivered frames.
    public func finish() {
        continuation.finish()
    }
}
