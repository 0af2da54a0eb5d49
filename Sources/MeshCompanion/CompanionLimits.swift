/// The sizes and counts of the companion protocol. Source: firmware 1.17.1, `MyMesh` and `BaseSerialInterface`.
public enum CompanionLimits {
    /// `FIRMWARE_VER_CODE`: the protocol level that this release announces.
    public static let firmwareVersionCode: UInt8 = 13
    /// `MAX_FRAME_SIZE`: the largest frame in either direction, code byte included.
    public static let frame = 176
    /// `PUB_KEY_SIZE`.
    public static let publicKey = 32
    /// An expanded private key.
    public static let privateKey = 64
    /// `MAX_PATH_SIZE`: bytes of a path.
    public static let path = 64
    /// `MAX_TEXT_LEN`: bytes of a message text.
    public static let text = 160
    /// `MAX_CHANNEL_DATA_LENGTH`: the longest payload of a channel datagram that the command accepts.
    public static let channelDataOfCommand = 167
    /// `MAX_GROUP_DATA_LENGTH`: the longest payload that a packet can carry.
    public static let channelDataOfPacket = 165
    /// A node, contact or channel name, the NUL included.
    public static let name = 32
    /// The port that Wi-Fi and Ethernet builds listen on.
    public static let tcpPort: UInt16 = 5000
}
