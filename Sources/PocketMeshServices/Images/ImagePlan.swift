import MeshRadio

/// The cost of a picture on its way, and the distance at which its chunks follow each other.
///
/// A repeater passes a chunk on after a pause that it draws, and does not receive while it sends. A chunk that follows
/// too soon meets the relay of the one before at that repeater. So the next one waits until the last relay is over. The
/// sender hears the first relay. It waits for the others as long as their pauses may be, and then leaves a pause to
/// other nodes.
///
///     alice  --chunk--                                         --next--
///     hill             ..pause..--relay--
///     dale                               ..pause..--relay--
public struct ImagePlan: Hashable, Sendable {
    /// Chunks of the picture.
    public let chunks: Int
    /// Repeaters on the way.
    public let hops: Int
    /// The time from the beginning of one chunk to that of the next, with the longest pauses.
    public let interval: Duration
    /// The time for which the picture occupies the air, its relays included, when nothing is lost.
    public let airtime: Duration
    /// The time until the last chunk arrives, when nothing is lost.
    public let duration: Duration
    /// The shortest time that air and firmware allow: one transmission at a time, and the mean pause of each relay.
    package let shortest: Duration
    /// The times of one chunk.
    let pace: RelayPace
    /// The shortest time from the beginning of one chunk to that of the next; zero where the budget allows any.
    let distance: Duration

    /// The cost of a picture of `bytes` in chunks of `chunkBytes` along `hops` repeaters.
    init(bytes: Int, chunkBytes: Int, hops: Int, radio: LoRaParameters, pacing: ImagePacing = ImagePacing()) {
        self.init(
            chunks: OutgoingImage.count(of: bytes, chunkBytes: max(1, chunkBytes)),
            payload: ImageChunk.headerSize + max(1, chunkBytes), hops: hops, radio: radio, pacing: pacing)
    }

    /// The cost of packets that are all as long as the longest of them.
    init(chunks: Int, payload: Int, hops: Int, radio: LoRaParameters, pacing: ImagePacing = ImagePacing()) {
        let air = Airtime(radio)
        let frame = Duration.microseconds(air.microseconds(bytes: Self.frameHead + hops + payload))
        pace = RelayPace(
            frame: frame, hops: hops, delayHundredths: pacing.relayDelayHundredths, slack: pacing.slack)
        distance = frame * chunks > pacing.budget ? frame * 100 / max(1, pacing.sharePercent) : .zero
        interval = max(pace.whole, distance)
        self.chunks = chunks
        self.hops = hops
        airtime = pace.airtime * chunks
        duration = interval * max(0, chunks - 1) + pace.whole
        shortest = pace.mean * chunks
    }

    /// The bytes of a packet beside its path and its payload: the header, and the length of the path.
    private static let frameHead = 2
}

/// Properties of the repeaters on the way from which the distance of chunks follows.
public struct ImagePacing: Hashable, Sendable {
    /// The setting of a repeater for direct packets (`direct.txdelay`), in hundredths; as the firmware comes.
    public var relayDelayHundredths = 30
    /// The time that a node takes for a packet beside its airtime and its pause.
    public var slack: Duration = .milliseconds(60)
    /// The share of an hour that a node may send, in percent; as the firmware comes.
    public var sharePercent = 50

    /// The airtime of an hour, all of which a node may use at once.
    var budget: Duration { .seconds(3600) * sharePercent / 100 }

    public init() {}
}
