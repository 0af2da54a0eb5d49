public import Foundation

/// How far the transfer of a picture has come.
public struct ImageProgress: Hashable, Sendable {
    /// That of the message, where the picture is sent.
    public var transferID: UUID
    /// Whether we send it or get it.
    public var direction: MessageDirection
    /// Chunks that the radio took, or that have come.
    public var done: Int
    /// Chunks of the picture.
    public var total: Int
    /// How the transfer stands.
    public var state: ImageTransferState
    /// The chunks that an incoming transfer lacked when it was given up.
    public var missing: [Int] = []
}

/// A picture of which some chunks have come.
public struct IncomingImage: Hashable, Sendable, Identifiable {
    public var id: UUID
    /// The beginning of the sender's key.
    public var senderKeyPrefix: Data
    /// `nil`: the sender was a contact when the first chunk came, and is none any more.
    public var contactID: UUID?
    /// The number that the chunks share.
    public var imageID: UInt32
    /// Chunks of the picture.
    public var total: Int
    /// Chunks that have come.
    public var received: Int
    /// The indexes that lack.
    public var missing: [Int]
}
