public import FoundationEssentials
import MeshCrypto
import MeshWire

/// The key that two copies of a received message share: same radio, conversation, sender, second and text.
///
/// A sender that tries again keeps timestamp and text, so that its copies have one key. The attempt byte is no part of
/// the text.
public enum DeduplicationKey {
    /// A direct message, by the sender's first 6 key bytes.
    public static func direct(deviceID: UUID, senderKeyPrefix: Data, timestamp: UInt32, text: String) -> String {
        "v1|\(deviceID.text)|\(senderKeyPrefix.hex)|\(timestamp)|\(digest(text))"
    }

    /// Returns the key of a channel message. `channelID` represents the secret: an earlier channel of the slot does not
    /// count.
    public static func channel(
        deviceID: UUID, channelIndex: UInt8, channelID: UUID?, senderNodeName: String?, timestamp: UInt32, text: String
    ) -> String {
        let channel = "\(channelIndex)-\(channelID?.text ?? "unknown")"
        // The name is not proven, but it is part of what was sent.
        let content = senderNodeName.map { "\($0): \(text)" } ?? text
        return "v1|\(deviceID.text)|\(channel)|\(timestamp)|\(digest(content))"
    }

    /// A post of a room, by the author's first 4 key bytes. Unique within a session.
    public static func room(timestamp: UInt32, authorKeyPrefix: Data, text: String) -> String {
        "\(timestamp)-\(authorKeyPrefix.hex.uppercased())-\(digest(text).uppercased())"
    }

    /// A picture, by the sender's number for it and by its bytes.
    public static func image(
        deviceID: UUID, senderKeyPrefix: Data, imageID: UInt32, data: [UInt8]
    ) -> String {
        "v1|\(deviceID.uuidString)|\(senderKeyPrefix.hex)|image \(imageID)|\(digest(data))"
    }

    private static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    /// The first 4 bytes of SHA-256.
    private static func digest(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).prefix(4).hex }
}
