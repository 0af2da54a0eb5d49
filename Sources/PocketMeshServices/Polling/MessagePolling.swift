public import FoundationEssentials
public import MeshCore

// They run where they are called, because with each message every change of place counts.
/// Handles a message from a contact's key: a text, a post or the answer to a command line.
public typealias ContactMessageHandler =
    nonisolated(nonsending) @Sendable (ReceivedContactMessage, MessageArrival) async -> Void
/// Handles a text on a channel; data on channels is emitted as an event instead.
public typealias ChannelMessageHandler =
    nonisolated(nonsending) @Sendable (ReceivedChannelMessage, MessageArrival) async -> Void
/// Receives the count of messages after each.
public typealias PollProgressHandler = nonisolated(nonsending) @Sendable (Int) async -> Void

/// The requests of a synchronisation to the receiver of the radio's messages.
public protocol MessagePolling: Sendable {
    /// The session with which it shares an executor; `nil` where it has its own.
    var sharedTurn: MeshCoreSession? { get }
    /// Sends messages to an intake from now on; an earlier one receives none any more.
    func setIntake(_ intake: MessageIntake?) async
    /// Empties the radio's queue; returns the number of messages. `progress` receives the count after each.
    @discardableResult
    func pollAllMessages(progress: @escaping PollProgressHandler) async throws -> Int
    /// Waits until every message that came is handled; returns `false` after the limit.
    @discardableResult
    func waitForPendingHandlers(timeout: Duration) async -> Bool
    /// Empties the queue now, and from now on whenever the radio says that messages wait.
    func startAutoFetch(deviceID: UUID) async
    /// Ends automatic fetching.
    func stopAutoFetch() async
}

extension MessagePolling {
    /// `nil`: by default the turn is not the session's.
    public var sharedTurn: MeshCoreSession? { nil }

    /// Empties the radio's queue without reports of progress; returns the number of messages.
    @discardableResult
    public func pollAllMessages() async throws -> Int { try await pollAllMessages { _ in } }
}

/// The receiver of messages, and its readiness to store them.
///
/// The radio forgets messages that it delivers. So none is requested while they cannot be stored, and none before the
/// last one is handled.
///
/// A class, because it is looked at with each message.
public final class MessageIntake: Sendable {
    /// Receives texts of contacts; while it is `nil` they are dropped.
    public let contact: ContactMessageHandler?
    /// Receives texts on channels; while it is `nil` they are dropped.
    public let channel: ChannelMessageHandler?
    /// Receives posts of rooms: texts that name their author.
    public let signed: ContactMessageHandler?
    /// Receives answers of repeaters, rooms and sensors to command lines.
    public let commandAnswer: ContactMessageHandler?
    /// Returns whether everything that came is stored.
    public let isOpen: @Sendable () -> Bool
    /// Stores the waiting messages; returns whether none is left.
    public let reopen: @Sendable () async -> Bool
    /// Stores a message without waiting; returns `false` when its handler has to.
    ///
    /// Called on the polling service's executor.
    public let takeAtOnce: @Sendable (MessageResult, MessageArrival) -> Bool

    public init(
        contact: ContactMessageHandler? = nil, channel: ChannelMessageHandler? = nil,
        signed: ContactMessageHandler? = nil, commandAnswer: ContactMessageHandler? = nil,
        isOpen: @escaping @Sendable () -> Bool = { true }, reopen: @escaping @Sendable () async -> Bool = { true },
        takeAtOnce: @escaping @Sendable (MessageResult, MessageArrival) -> Bool = { _, _ in false }
    ) {
        self.contact = contact
        self.channel = channel
        self.signed = signed
        self.commandAnswer = commandAnswer
        self.isOpen = isOpen
        self.reopen = reopen
        self.takeAtOnce = takeAtOnce
    }

    /// An intake with one handler for all messages, for an app without a store.
    package convenience init(all handle: @escaping @Sendable (MessageResult) async -> Void) {
        let contact: ContactMessageHandler = { message, _ in await handle(.contactMessage(message)) }
        self.init(
            contact: contact, channel: { message, _ in await handle(.channelMessage(message)) }, signed: contact,
            commandAnswer: contact)
    }
}
