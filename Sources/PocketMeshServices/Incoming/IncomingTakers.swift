public import MeshCore

/// The receivers of items of the radio's queue that are no messages of a conversation.
public struct IncomingTakers: Sendable {
    /// Stores a post; returns its row, `nil` when it was there already. Errors of the store lead to another try.
    public typealias RoomPost = @Sendable (IncomingRoomPost) async throws -> RoomMessageDTO?
    /// Receives the answer to a command line and its sender.
    public typealias CommandAnswer = @Sendable (ReceivedContactMessage, ContactDTO) async -> Void

    /// Handles the posts of rooms; while it is `nil` they are dropped, with a warning in the log.
    public var roomPost: RoomPost?
    /// Handles the answers to command lines; while it is `nil` they are dropped, with a warning in the log.
    public var commandAnswer: CommandAnswer?

    public init(roomPost: RoomPost? = nil, commandAnswer: CommandAnswer? = nil) {
        self.roomPost = roomPost
        self.commandAnswer = commandAnswer
    }
}
