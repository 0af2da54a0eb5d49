public import FoundationEssentials
import MeshCompanion
import MeshWire

/// A post as it came off the radio's queue.
public struct IncomingRoomPost: Sendable, Hashable {
    /// The radio that it came to.
    public var deviceID: UUID
    /// The first 6 bytes of the room's key.
    public var roomPrefix: Data
    /// The first 4 bytes of the author's key.
    public var authorPrefix: Data
    /// The room's clock.
    public var timestamp: UInt32
    /// The words of the post.
    public var text: String

    init(_ message: ContactMessage, deviceID: UUID) {
        self.deviceID = deviceID
        roomPrefix = Data(message.publicKeyPrefix.array)
        authorPrefix = Data(message.authorPrefix.array)
        timestamp = message.timestamp
        text = message.text.string
    }
}
