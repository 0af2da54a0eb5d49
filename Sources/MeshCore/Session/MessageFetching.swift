/// Requests messages from the radio's queue when the radio says that there are some.
struct MessageFetching {
    /// The receiver of the messages; `nil` without automatic fetching.
    var handler: (@Sendable (MessageResult) async -> Void)?
    var drain: Task<Void, Never>?
    /// True when the radio has called again while its queue was being emptied.
    var mustDrainAgain = false
    /// The reader of messages that no command received.
    var unclaimed: AsyncStream<MessageResult>.Continuation?

    /// Ends automatic fetching.
    mutating func end() {
        handler = nil
        mustDrainAgain = false
        drain?.cancel()
        drain = nil
    }

    /// Ends the stream of messages that no command received.
    mutating func endUnclaimed() {
        unclaimed?.finish()
        unclaimed = nil
    }
}
