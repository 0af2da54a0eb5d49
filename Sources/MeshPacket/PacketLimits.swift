/// The sizes and bounds of on-air packets, under the firmware's names.
///
/// Source: OverTheAir, "Limits"; the firmware's `MeshCore.h`, `Packet.h`, `Mesh.cpp` and `BaseChatMesh.h`.
public enum PacketLimits {
    /// `MAX_TRANS_UNIT`: the largest radio frame, in bytes.
    public static let frame = 255
    /// `MAX_PACKET_PAYLOAD`: the largest payload field, in bytes.
    public static let payload = 184
    /// `MAX_PATH_SIZE`: the largest path field, in bytes.
    public static let path = 64
    /// `MAX_ADVERT_DATA_SIZE`: application data of an advert that is signed and read, in bytes.
    public static let advertData = 32
    /// `MAX_TEXT_LEN`: text of a message, in bytes.
    public static let text = 160
    /// Text of a message whose attempt number is above 3 and rides behind the text, in bytes.
    public static let textWithExtendedAttempt = 158
    /// The password in a login, in bytes; a longer one is cut.
    public static let password = 15
    /// Plaintext of REQ, RESPONSE and TXT_MSG that `createDatagram` still accepts, in bytes.
    public static let datagramPlaintext = 167
    /// Plaintext of ANON_REQ that `createAnonDatagram` still accepts, in bytes.
    public static let anonymousPlaintext = 136
    /// Plaintext of GRP_TXT and GRP_DATA that `createGroupDatagram` still accepts, in bytes.
    public static let groupPlaintext = 168
    /// Path bytes and extra of a PATH that `createPathReturn` still accepts, in bytes.
    public static let pathAndExtra = 161
    /// `MAX_GROUP_DATA_LENGTH`: application data of a group datagram, in bytes.
    public static let groupData = 165
}
