/// Pictures in pieces.
public struct ImagePolicy: Hashable, Sendable {
    /// True when pictures are sent and received.
    public var isEnabled = true

    // Sending
    /// The part of a picture that goes into one chunk.
    public var chunkSizing = ChunkSizing.standard
    /// The greatest number of chunks of a picture that is sent: others would not accept more.
    public var maxChunks = 512
    /// The pause before a further try of a chunk for which the radio had no room.
    public var tableFullPause: Duration = .seconds(1)
    /// The greatest number of further tries of such a chunk.
    public var tableFullRetries = 60
    /// The greatest number of further writes of a chunk to which the radio gave no answer.
    public var silenceRetries = 3
    /// A pause after each chunk, to spare airtime.
    public var chunkPause: Duration = .zero
    /// The time for which a transfer waits for the link to come back.
    public var resumeWindow: Duration = .seconds(600)
    /// Properties of the repeaters on the way, from which the distance of chunks follows.
    public var pacing = ImagePacing()
    /// True when the other end is asked for what it has, and says so itself.
    public var confirms = true
    /// The time for which the chunks of an incoming picture are kept, and reports about an outgoing one are answered.
    public var reportWindow: Duration = .seconds(3600)

    // Receiving
    /// Pictures that may be under way from others at once.
    public var maxIncoming = 8
    /// The bytes of all incoming transfers together.
    public var maxIncomingBytes = 4 << 20
    /// The time without a chunk after which a transfer is given up.
    public var expiry: Duration = .seconds(300)

    // Preparing
    /// The longest side, in pixels.
    public var side = 96
    /// Chunks of a prepared picture at most.
    public var maxPreparedChunks = 64
    /// Tried in this order until one makes the picture small enough.
    public var qualities = [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]

    public init() {}
}

/// The part of a picture that goes into a chunk.
public enum ChunkSizing: Hashable, Sendable {
    /// 136 bytes, less only where a frame would not fit.
    case standard
    /// As much as the frames of the link and a packet can carry.
    case maximum

    /// Returns the bytes of a picture in one chunk, for frames and a path of these lengths in bytes.
    ///
    /// The other end pushes a chunk in a frame of four bytes more than the payload, so both ends count.
    public func bytes(frame: Int, path: Int) -> Int {
        let payload = min(ImageChunk.payloadLimit, frame - 2 - path, frame - 4)
        let room = max(0, payload - ImageChunk.headerSize)
        return switch self {
        case .standard: min(ImageChunk.standardSize, room)
        case .maximum: room
        }
    }
}
