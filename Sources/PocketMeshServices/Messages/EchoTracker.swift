import FoundationEssentials
import MeshCrypto
import MeshPacket
import MeshWire

/// Recognises own channel messages among the packets that the radio receives: repeaters relayed them.
///
/// A packet is compared by its content, because the radio does not report the packet that it made.
struct EchoTracker {
    private struct Track {
        var messageID: UUID
        var hash: UInt8
        var secret: SharedSecret
        var content: GroupTextPlaintext
        var end: Duration
    }

    /// Messages that are remembered: more than a radio sends in a minute.
    static let limit = 64

    private var tracks: [Track] = []

    /// A message is about to be sent under this name; its echoes count until `end`. Those of its earlier sends do not
    /// count any more.
    mutating func begin(
        _ messageID: UUID, channel secret: FixedBytes<16>, sender: ByteText, text: String, timestamp: UInt32,
        end: Duration
    ) {
        stop(messageID)
        if tracks.count == Self.limit { tracks.removeFirst() }
        let secret = SharedSecret(channel: secret)
        let content = GroupTextPlaintext(timestamp: timestamp, sender: sender, text: ByteText(text))
        tracks.append(
            Track(
                messageID: messageID, hash: MeshHash.channelHash(secret: secret), secret: secret, content: content,
                end: end))
    }

    mutating func stop(_ messageID: UUID) {
        tracks.removeAll { $0.messageID == messageID }
    }

    mutating func stopAll() {
        tracks = []
    }

    /// Returns the message of which the packet is an echo; `nil` for other packets.
    mutating func message(heard packet: PacketView, at now: Duration) -> UUID? {
        tracks.removeAll { $0.end <= now }
        guard packet.type == .grpTxt, let hash = packet.channelHash else { return nil }
        return tracks.first { $0.hash == hash && Self.says(packet, $0.content, $0.secret) }?.messageID
    }

    private static func says(_ packet: PacketView, _ content: GroupTextPlaintext, _ secret: SharedSecret) -> Bool {
        guard let heard = try? packet.opened(with: secret)?.read(GroupTextPlaintext.self) else { return false }
        return heard.timestamp == content.timestamp && heard.type == .plain && heard.text == content.text
    }
}
