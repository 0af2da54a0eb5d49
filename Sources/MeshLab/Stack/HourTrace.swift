import MeshCompanion
import MeshCore
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire

/// What the radios handed to their apps, by the world's own trace: the truth that the stack is held against.
struct HourTrace: Sendable {
    /// A text as a radio handed it out.
    struct Text: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case direct
            case channel(UInt8)
            /// With the first bytes of the author's key.
            case post(FixedBytes<4>)
        }

        var kind: Kind
        /// Of the contact or room; zeros for a channel.
        var sender: FixedBytes<6>
        var timestamp: UInt32
        var text: String
    }

    /// One radio's.
    struct Handed: Sendable {
        var texts: [Text] = []
        /// Acknowledgements, with the moment of the first of a code.
        var confirmations: [UInt32: Instant] = [:]
    }

    /// By node.
    private(set) var radios: [Handed]

    /// The texts of posts that each room has stored.
    private(set) var posts: [Set<String>]

    init(nodes: Int, rooms: Int) {
        radios = Array(repeating: Handed(), count: nodes)
        posts = Array(repeating: [], count: rooms)
    }

    mutating func take(_ ring: [PostRing.Post], of room: Int) {
        for post in ring { posts[room].insert(post.text.readable) }
    }

    mutating func take(_ records: [TraceRecord]) {
        for record in records {
            guard case .appBytes(let bytes) = record.event else { continue }
            var rest = bytes[...]
            while rest.count > StreamFraming.headerSize {
                let length = Int(rest[rest.startIndex + 1]) | Int(rest[rest.startIndex + 2]) << 8
                take(Array(rest.dropFirst(StreamFraming.headerSize).prefix(length)), of: record)
                rest = rest.dropFirst(StreamFraming.headerSize + length)
            }
        }
    }

    private mutating func take(_ frame: [UInt8], of record: TraceRecord) {
        // What else a radio says is not counted, and most of it is the log of what it heard.
        guard let code = frame.first, Self.counted.contains(code) else { return }
        let node = record.node.index
        switch PacketParser.parse(frame) {
        case .contactMessageReceived(let received):
            let message = received.message
            guard message.textType == .plain || message.textType == .signedPlain else { return }
            radios[node].texts.append(
                Text(
                    kind: message.textType == .plain ? .direct : .post(message.authorPrefix),
                    sender: message.publicKeyPrefix, timestamp: message.timestamp, text: message.text.readable))
        case .channelMessageReceived(let received):
            let message = received.message
            radios[node].texts.append(
                Text(
                    kind: .channel(message.channelIndex), sender: FixedBytes(), timestamp: message.timestamp,
                    text: message.text.readable))
        case .acknowledgement(let code, _):
            if radios[node].confirmations[code] == nil { radios[node].confirmations[code] = record.time }
        default: break
        }
    }

    private static let counted: [UInt8] = [
        ResponseCode.contactMsgRecv.rawValue, ResponseCode.contactMsgRecvV3.rawValue,
        ResponseCode.channelMsgRecv.rawValue, ResponseCode.channelMsgRecvV3.rawValue,
        PushCode.sendConfirmed.rawValue,
    ]
}
