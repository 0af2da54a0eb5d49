public import FoundationEssentials

/// The state of the transfer of a picture.
public enum ImageTransferState: Int, Sendable, Hashable {
    case running = 0
    /// The link went; it goes on when there is one again.
    case paused = 1
    case complete = 2
    case failed = 3
}

extension ImageTransferState: ColumnValue {}

/// The progress of the transfer of a picture.
public struct ImageTransferDTO: Sendable, Hashable, Identifiable {
    /// The ID of the transfer; for a picture that is sent, the ID of the message.
    public var id: UUID
    /// The radio over which it goes.
    public var deviceID: UUID
    /// The direction: a picture that we send, or one that we receive.
    public var direction: MessageDirection
    /// The first 6 bytes of the sender's key; with the image id the key of the transfer.
    public var senderKeyPrefix: Data
    /// The number that the chunks share.
    public var imageID: UInt32
    /// The number of chunks of the picture.
    public var total: Int
    /// One bit for each chunk from bit 0 of the first byte on: received, or confirmed by the radio.
    public var received: Data
    /// The state of the transfer.
    public var state: ImageTransferState
    /// The time of the host's clock at the last progress.
    @WholeSeconds public var changedAt: Date
    /// Bytes of the picture in each chunk but the last; 0 where the sender decides.
    public var chunkBytes: Int
    /// The chunks of an outgoing picture that the receiver has reported; empty before its first report.
    public var arrived: Data

    public init(
        id: UUID, deviceID: UUID, direction: MessageDirection, senderKeyPrefix: Data, imageID: UInt32, total: Int,
        received: Data = Data(), state: ImageTransferState = .running,
        changedAt: Date = Date(timeIntervalSince1970: 0), chunkBytes: Int = 0, arrived: Data = Data()
    ) {
        self.id = id
        self.deviceID = deviceID
        self.direction = direction
        self.senderKeyPrefix = senderKeyPrefix
        self.imageID = imageID
        self.total = total
        self.received = received
        self.state = state
        self.changedAt = changedAt
        self.chunkBytes = chunkBytes
        self.arrived = arrived
    }
}

extension ImageTransferDTO: StoredRow {
    static let table = "imageTransfer"
    static let columns = walkedColumns()

    init() {
        self.init(
            id: .none, deviceID: .none, direction: .incoming, senderKeyPrefix: Data(), imageID: 0, total: 0)
    }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("id", &id)
        w.column("deviceID", &deviceID)
        w.column("direction", &direction)
        w.column("senderKeyPrefix", &senderKeyPrefix)
        w.column("imageID", &imageID)
        w.column("total", &total)
        w.column("received", &received)
        w.column("state", &state)
        w.column("changedAt", &changedAt)
        w.column("chunkBytes", &chunkBytes)
        w.column("arrived", &arrived)
    }
}

/// A chunk of a picture that has not come whole yet.
package struct ImageChunkDTO: Sendable, Hashable {
    /// The transfer that the chunk belongs to.
    package var transferID: UUID
    /// The place of the chunk in the picture, counted from 0.
    package var place: Int
    /// The bytes of the chunk.
    package var data: Data

    package init(transferID: UUID, place: Int, data: Data) {
        self.transferID = transferID
        self.place = place
        self.data = data
    }
}

extension ImageChunkDTO: StoredRow {
    static let table = "imageChunk"
    static let columns = walkedColumns()

    init() { self.init(transferID: .none, place: 0, data: Data()) }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("transferID", &transferID)
        w.column("place", &place)
        w.column("data", &data)
    }
}

/// The bytes of a picture message.
public struct BlobDTO: Sendable, Hashable, Identifiable {
    /// The message that the picture belongs to.
    public var messageID: UUID
    /// The media type of the bytes, as `image/jpeg`.
    public var mime: String
    /// The bytes of the picture.
    public var data: Data

    public var id: UUID { messageID }

    public init(messageID: UUID, mime: String, data: Data) {
        self.messageID = messageID
        self.mime = mime
        self.data = data
    }
}

extension BlobDTO: StoredRow {
    static let table = "blob"
    static let columns = walkedColumns()

    init() { self.init(messageID: .none, mime: "", data: Data()) }

    mutating func walk<W: ColumnWalker>(_ w: inout W) {
        w.column("messageID", &messageID)
        w.column("mime", &mime)
        w.column("data", &data)
    }
}
