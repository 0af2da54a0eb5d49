public import MeshWire

/// A piece of a picture, as raw data carries it.
public struct ImageChunk: FieldGroup, Hashable {
    /// Bytes before the data.
    public static let headerSize = 14
    /// The greatest payload of a packet, `MAX_PACKET_PAYLOAD`.
    public static let payloadLimit = 184
    /// The bytes of a picture in a chunk of the first app with pictures.
    public static let standardSize = 136
    /// The greatest size of a chunk; a larger one is not accepted.
    public static let sizeLimit = 170

    /// The first bytes of the sender's key. Nothing proves them.
    public var sender = FixedBytes<6>()
    /// A number that the chunks of one picture share.
    public var imageID: UInt32 = 0
    /// The place of the chunk in the picture, counted from 0.
    public var index: UInt16 = 0
    /// Chunks of the whole picture.
    public var total: UInt16 = 0
    /// The bytes of the picture.
    public var data: [UInt8] = []

    public init() {}

    public init(sender: FixedBytes<6>, imageID: UInt32, index: UInt16, total: UInt16, data: [UInt8]) {
        self.sender = sender
        self.imageID = imageID
        self.index = index
        self.total = total
        self.data = data
    }

    /// Reads the payload of raw data.
    public init(_ payload: [UInt8]) throws(FrameError) {
        var reading: Result<ImageChunk, FrameError> = .success(ImageChunk())
        payload.withUnsafeBytes { bytes in
            reading = Result { () throws(FrameError) in try ImageChunk(reading: bytes) }
        }
        self = try reading.get()
    }

    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.fixed("sender_prefix", &sender)
        w.u32("image_id", &imageID)
        w.u16("index", &index)
        w.u16("total", &total)
        w.rest("data", &data, atMost: Self.sizeLimit)
    }
}
