public import Foundation
public import MeshCompanion
public import MeshCore

// They run where they are called, because with each message every change of place counts.
public typealias ContactMessageHandler =
    nonisolated(nonsending) @Sendable (ReceivedContactMessage, MessageArrival) async -> Void
public typealias ChannelMessageHandler =
    nonisolated(nonsending) @Sendable (ReceivedChannelMessage, MessageArrival) async -> Void
public typealias DatagramHandler =
    nonisolated(nonsending) @Sendable (Resp.ChannelDataRecv, MessageArrival) async -> Void
/// Gets the count of messages after each.
public typealias PollProgressHandler = nonisolated(nonsending) @Sendable (Int) async -> Void
/// Gets the code and, where the radio says it, the trip time in milliseconds.
public typealias AcknowledgementHandler = @Sendable (_ code: UInt32, _ tripTime: UInt32?) async -> Void

/// What a synchronisation asks of whoever takes the messages off the radio.
public protocol MessagePolling: Sendable {
    func setContactMessageHandler(_ handler: ContactMessageHandler?) async
    func setChannelMessageHandler(_ handler: ChannelMessageHandler?) async
    func setSignedMessageHandler(_ handler: ContactMessageHandler?) async
    func setCLIMessageHandler(_ handler: ContactMessageHandler?) async
    /// Asks before it takes a message off the queue whether it could be stored; without an intake it always could.
    func setIntake(_ intake: MessageIntake?) async
    /// Empties the radio's queue; how many messages there were. `progress` gets the count after each.
    @discardableResult
    func pollAllMessages(progress: @escaping PollProgressHandler) async throws -> Int
    /// Waits until every message that came is handled; `false` when that took longer.
    @discardableResult
    func waitForPendingHandlers(timeout: Duration) async -> Bool
    /// Empties the queue now, and from now on whenever the radio says that messages wait.
    func startAutoFetch(deviceID: UUID) async
    func stopAutoFetch() async
}

extension MessagePolling {
    @discardableResult
    public func pollAllMessages() async throws -> Int { try await pollAllMessages { _ in } }
}

/// Whether messages can be stored. The radio forgets what it hands out, so none is asked for while they cannot.
public struct MessageIntake: Sendable {
    /// Whether everything that came is stored.
    public var isOpen: @Sendable () -> Bool
    /// Stores what waits; whether nothing is left.
    public var reopen: @Sendable () async -> Bool
    /// Stores a message where nothing has to be waited for; `false` when it did not, and the message's handler has to.
    /// Called on the polling service's turn.
    public var takeAtOnce: @Sendable (MessageResult, MessageArrival) -> Bool

    public init(
        isOpen: @escaping @Sendable () -> Bool, reopen: @escaping @Sendable () async -> Bool,
        takeAtOnce: @escaping @Sendable (MessageResult, MessageArrival) -> Bool = { _, _ in false }
    ) {
        self.isOpen = isOpen
        self.reopen = reopen
        self.takeAtOnce = takeAtOnce
    }
}
