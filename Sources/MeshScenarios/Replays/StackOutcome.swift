/// What a service stack has after a recording was replayed into it: what its user would see.
public struct StackOutcome: Hashable, Sendable, Codable {
    public struct Radio: Hashable, Sendable, Codable {
        public var name = ""
        /// In hex.
        public var publicKey = ""
        public var firmware = ""
        public var board = ""
        public var frequencyKHz: UInt32 = 0
        public var bandwidthHz: UInt32 = 0
        public var spreadingFactor: UInt8 = 0
        public var codingRate: UInt8 = 0
        public var txPower: Int8 = 0
        public var latitude = 0.0
        public var longitude = 0.0
        public var manualAddContacts = false
        public var maxContacts = 0
        public var maxChannels = 0
    }

    public struct Contact: Hashable, Sendable, Codable {
        public var name: String
        public var publicKey: String
        /// As the firmware numbers them: 1 a person, 2 a repeater, 3 a room, 4 a sensor.
        public var type: UInt8
        /// Hops of the stored path; −1 when it is unknown.
        public var hops: Int
        public var unread: Int
    }

    public struct Channel: Hashable, Sendable, Codable {
        public var index: UInt8
        public var name: String
        public var unread: Int
    }

    public struct Message: Hashable, Sendable, Codable {
        /// The contact's or channel's name, a room's, or the key of somebody unknown.
        public var thread: String
        public var isOutgoing: Bool
        public var text: String
        /// Unix seconds, by the sender's clock.
        public var timestamp: UInt32
        public var status: String
        public var isRead: Bool
        /// Who wrote it, where the thread does not say so.
        public var sender: String?
    }

    public var radio = Radio()
    /// `ready`, unless the first synchronisation was never reached.
    public var connection = ""
    /// Why there is no connection.
    public var error: String?
    /// By name, then by key.
    public var contacts: [Contact] = []
    /// By slot.
    public var channels: [Channel] = []
    /// By thread, in the order in which the app shows them.
    public var messages: [Message] = []
    public var unread = 0
    /// What the stack asked and the recording has no answer to.
    public var departures: [String] = []
    /// Commands of the recording that the stack did not send: each name once, `CMD_GET_CHANNEL 40 times`.
    public var neverSent: [String] = []

    public init() {}

    /// The texts of a thread.
    public func texts(in thread: String) -> [String] { messages.filter { $0.thread == thread }.map(\.text) }
}
