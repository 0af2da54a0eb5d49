public import FoundationEssentials

/// The progress of the transfer of a picture.
public struct ImageProgress: Hashable, Sendable {
    /// The ID of the transfer; for a picture that is sent, the ID of the message.
    public var transferID: UUID
    /// The direction: a picture that we send, or one that we receive.
    public var direction: MessageDirection
    /// The number of chunks that have come; of an outgoing picture, those that the other end has reported.
    ///
    /// Before the other end says anything, they are those that the radio accepted.
    public var done: Int
    /// Chunks of the picture.
    public var total: Int
    /// The state of the transfer.
    public var state: ImageTransferState
    /// The chunks that an incoming transfer lacked when it was given up.
    public var missing: [Int] = []
    /// True when the other end has all of an outgoing picture.
    public var hasArrived = false
    /// True while chunks go or come, or wait for the link.
    public var isUnderWay: Bool { state == .running || state == .paused }
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
