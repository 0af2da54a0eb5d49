/// The sizes and counts of the companion protocol. Source: firmware 1.17.1, `MyMesh` and `BaseSerialInterface`.
public enum CompanionLimits {
    /// `FIRMWARE_VER_CODE`: the protocol level that this release announces.
    public static let firmwareVersionCode: UInt8 = 13
    /// `MAX_FRAME_SIZE`: the largest frame in either direction, code byte included.
    public static let frame = 176
    /// The largest frame before level 13.
    public static let frameBeforeLevel13 = 172
    /// `PUB_KEY_SIZE`.
    public static let publicKey = 32
    /// An expanded private key.
    public static let privateKey = 64
    public static let signature = 64
    /// `MAX_PATH_SIZE`: bytes of a path.
    public static let path = 64
    /// `MAX_TEXT_LEN`: bytes of a message text.
    public static let text = 160
    /// `MAX_CHANNEL_DATA_LENGTH`: what the command lets through as payload of a channel datagram.
    public static let channelDataOfCommand = 167
    /// `MAX_GROUP_DATA_LENGTH`: what a packet can carry of it.
    public static let channelDataOfPacket = 165
    /// `MAX_SIGN_DATA_LEN`: bytes of one signing session.
    public static let signData = 8192
    /// A node, contact or channel name, the NUL included.
    public static let name = 32
    /// `EXPECTED_ACK_TABLE_SIZE`: texts whose acknowledgement is remembered.
    public static let expectedAcks = 8
    /// `ADVERT_PATH_TABLE_SIZE`: adverts whose path is remembered.
    public static let advertPaths = 16
    /// `MAX_ANON_CONTACTS`: hidden slots for nodes that are no contacts.
    public static let transientContacts = 8
    /// `MAX_CONNECTIONS`: keep-alive connections.
    public static let connections = 16
    /// Packets in queues and in flight.
    public static let packetPool = 16
    /// `LAZY_CONTACTS_WRITE_DELAY` in milliseconds.
    public static let contactsWriteDelay = 5000
    /// `SEND_TIMEOUT_BASE_MILLIS`.
    public static let sendTimeoutBase = 500
    /// `FLOOD_SEND_TIMEOUT_FACTOR`: airtimes to wait for a flooded message.
    public static let floodTimeoutFactor = 16
    /// `DIRECT_SEND_PERHOP_FACTOR`: airtimes to wait a hop.
    public static let directPerHopFactor = 6
    /// `DIRECT_SEND_PERHOP_EXTRA_MILLIS`: milliseconds to wait a hop on top of the airtimes.
    public static let directPerHopExtra = 250
    /// Frames that wait for a TCP client; a further one is lost.
    public static let tcpOutQueue = 4
    /// The port that Wi-Fi and Ethernet builds listen on.
    public static let tcpPort: UInt16 = 5000
}
