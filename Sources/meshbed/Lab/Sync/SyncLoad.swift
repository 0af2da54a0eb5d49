import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire

/// A companion radio with a deep queue: messages of many contacts and on many channels, mixed, wait for its app.
///
/// No two messages are the same one: each text begins with its number, from 0 on in the order of arrival.
struct SyncLoad: Sendable {
    var messages = 10_000
    /// 1…16,000. Above 350, more than any board keeps, the radio's table is made larger.
    var contacts = 200
    /// 1…40, the package one included.
    var channels = 20
    /// Messages on channels, in percent.
    var channelShare: UInt32 = 40
    /// Tells whether the first contacts of the table are those that were changed last; otherwise they are the oldest.
    var beginsWithNewest = false
    /// The key of the first contact, for one that has to be a node's; drawn like the others when `nil`.
    var firstKey: PublicKey?

    init() {}

    /// The name of the radio in its world.
    static let label = "alice"
    /// The time of the first message; each has a second of its own.
    static let firstTimestamp: UInt32 = 1_750_000_000

    /// A world of this radio alone.
    func world(seed: Seed) -> WorldDescription {
        var stream = seed.stream("sync", "contacts")
        var contacts = (0..<contacts).map { Self.contact($0, drawnFrom: &stream) }
        if let firstKey { contacts[0].publicKey = firstKey }
        if beginsWithNewest {
            let times = contacts.map(\.lastModified)
            for (index, time) in times.reversed().enumerated() { contacts[index].lastModified = time }
        }
        var radio = NodeDescription(
            Self.label, .companion(.serial), board: .bench,
            flash: CompanionStorage.flash(contacts: contacts, channels: (0..<channels).map(Self.channel)))
        radio.board.maxContacts = max(radio.board.maxContacts, contacts.count)
        radio.backlog = backlog(of: contacts, seed: seed)
        return WorldDescription(
            name: "sync", summary: "companion radio alice with \(messages) messages in its queue", nodes: [radio])
    }

    private static func contact(_ number: Int, drawnFrom stream: inout RandomStream) -> Contact {
        var contact = Contact()
        contact.publicKey = FixedBytes((0..<32).map { _ in stream.nextByte() })
        contact.name = FixedBytes(text: ByteText("contact \(number)"))
        contact.type = .chat
        contact.outPathLength = .unknown
        contact.lastAdvert = firstTimestamp
        // Each has its own, so that a listing of what has changed since one of them is short.
        contact.lastModified = firstTimestamp + UInt32(truncatingIfNeeded: number)
        return contact
    }

    /// Channels but the first have their number for a key.
    private static func channel(_ number: Int) -> GroupChannel {
        if number == 0 { return .publicChannel }
        var secret = FixedBytes<32>()
        secret[0] = UInt8(truncatingIfNeeded: number)
        return GroupChannel(name: ByteText("#channel \(number)"), secret: secret)
    }

    private func backlog(of contacts: [Contact], seed: Seed) -> [[UInt8]] {
        var stream = seed.stream("sync", "messages")
        return (0..<messages).map { number in
            let text = Self.text(number, drawnFrom: &stream)
            let timestamp = Self.firstTimestamp + UInt32(truncatingIfNeeded: number)
            let snr = Int8(truncatingIfNeeded: Int(stream.draw(0, 80)) - 40)
            let author = contacts[Int(stream.draw(0, UInt32(contacts.count)))]
            guard stream.draw(0, 100) < channelShare else {
                var message = ContactMessage()
                message.publicKeyPrefix = FixedBytes(author.publicKey.prefix(6))
                message.timestamp = timestamp
                message.text = ByteText(text)
                return Resp.ContactMsgRecvV3(snr: snr, message: message).encoded()
            }
            var message = ChannelMessage()
            message.channelIndex = UInt8(truncatingIfNeeded: stream.draw(0, UInt32(channels)))
            message.timestamp = timestamp
            message.text = ByteText("\(author.displayName.string): \(text)")
            return Resp.ChannelMsgRecvV3(snr: snr, message: message).encoded()
        }
    }

    /// 12 to 100 bytes, the number first.
    static func text(_ number: Int, drawnFrom stream: inout RandomStream) -> String {
        let words = "the weather on the ridge is fine and the repeater hears two new nodes since this morning"
        return "\(number): " + String(words.prefix(Int(stream.draw(4, 88))))
    }
}
