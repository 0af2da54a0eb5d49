public import MeshCore
public import MeshWire

/// The app of one person on the stage: what scenarios ask of it, whether it is a whole stack or a bare session.
public protocol ScenarioApp: Sendable {
    /// Connects to the radio, and stays with it until `close`.
    func open() async throws
    /// Closes the link and stays away.
    func close() async
    /// The session of the connection; throws while there is none.
    func session() async throws -> MeshCoreSession
    /// Tells whether it can talk to its radio now.
    func isConnected() async -> Bool

    /// Sends a text to a contact, and returns when it is on its way. Its message shows what becomes of it.
    func send(_ text: String, to key: FixedBytes<32>) async throws
    /// Sends a text on a channel, and returns when it is on its way.
    func send(_ text: String, on channel: ChannelWord) async throws
    /// Has the channel from now on.
    func join(_ channel: ChannelWord) async throws
    /// Enters a room.
    func enter(_ room: FixedBytes<32>, password: String) async throws
    /// Tells whether the app believes to be in a room.
    func isIn(_ room: FixedBytes<32>) async throws -> Bool
    /// Posts in a room, and returns when the post is on its way; throws when it has not entered the room.
    func post(_ text: String, in room: FixedBytes<32>) async throws

    /// All it has sent and received, in its own order.
    func messages() async throws -> [ScenarioMessage]
}

/// The reason why an app could not do what a scenario asked for.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
