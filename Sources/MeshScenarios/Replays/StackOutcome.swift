/// The contents of a service stack after a recording was replayed into it, as its user would see them.
public struct StackOutcome: Hashable, Sendable, Codable {
    /// The stack's knowledge of its radio.
    public struct Radio: Hashable, Sendable, Codable {
        /// The node's name.
        public var name = ""
        /// In hex.
        public var publicKey = ""
        /// The release as the radio gives it.
        public var firmware = ""
        /// Maker and board as the radio gives them.
        public var board = ""
        /// Frequency, in kHz.
        public var frequencyKHz: UInt32 = 0
        /// Bandwidth, in Hz.
        public var bandwidthHz: UInt32 = 0
        /// Spreading factor.
        public var spreadingFactor: UInt8 = 0
        /// Coding rate, as the denominator of 4/x.
        public var codingRate: UInt8 = 0
        /// Transmit power, in dBm.
        public var txPower: Int8 = 0
        /// Latitude, in degrees.
        public var latitude = 0.0
        /// Longitude, in degrees.
        public var longitude = 0.0
        /// Tells whether new contacts wait for the app.
        public var manualAddContacts = false
        /// The number of contacts that the radio can store.
        public var maxContacts = 0
        /// The number of channel slots of the radio.
        public var maxChannels = 0
    }

    /// A contact as the user sees it.
    public struct Contact: Hashable, Sendable, Codable {
        /// The contact's name.
        public var name: String
        /// The contact's key, in hexadecimal digits.
        public var publicKey: String
        /// As the firmware numbers them: 1 a person, 2 a repeater, 3 a room, 4 a sensor.
        public var type: UInt8
        /// Hops of the stored path; −1 when it is unknown.
        public var hops: Int
        /// Messages of the contact that are not read.
        public var unread: Int
    }

    /// A channel as the user sees it.
    public struct Channel: Hashable, Sendable, Codable {
        /// Slot of the channel.
        public var index: UInt8
        /// The channel's name.
        public var name: String
        /// Messages of the channel that are not read.
        public var unread: Int
    }

    /// A message as the user sees it.
    public struct Message: Hashable, Sendable, Codable {
        /// The contact's or channel's name, a room's, or the key of somebody unknown.
        public var thread: String
        /// Tells whether the user wrote it.
        public var isOutgoing: Bool
        /// The text of the message.
        public var text: String
        /// Unix seconds, by the sender's clock.
        public var timestamp: UInt32
        /// The delivery status, in the stack's own word.
        public var status: String
        /// Tells whether the user has read it.
        public var isRead: Bool
        /// The writer's name; `nil` where the thread names the writer.
        public var sender: String?
    }

    /// The radio that was played.
    public var radio = Radio()
    /// `ready`, unless the first synchronisation was never reached.
    public var connection = ""
    /// The reason why there is no connection.
    public var error: String?
    /// The contacts, by name, then by key.
    public var contacts: [Contact] = []
    /// The channels, by slot.
    public var channels: [Channel] = []
    /// The messages, by thread, in the order in which the app shows them.
    public var messages: [Message] = []
    /// Messages that are not read, in all threads.
    public var unread = 0
    /// Commands of the stack that the recording has no answer to.
    public var departures: [String] = []
    /// Commands of the recording that the stack did not send: each name once, `CMD_GET_CHANNEL 40 times`.
    public var neverSent: [String] = []

    public init() {}

    /// The texts of a thread.
    public func texts(in thread: String) -> [String] { messages.filter { $0.thread == thread }.map(\.text) }
}
