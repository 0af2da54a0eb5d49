import FoundationEssentials
import MeshPacket
import MeshWire
import PocketMeshServices
import PocketMeshUI

/// A contact as `meshbed client` prints it, to people and to programs.
struct PrintedContact: Encodable {
    /// The last advert by UTC, as the mesh has it.
    private static let style = PresentationStyle(hours: .twentyFour, localTime: .fixed(secondsFromUTC: 0))

    let name: String
    let key: String
    let type: String
    /// `flood`, or the number of hops.
    let route: String
    let path: String
    let lastAdvert: UInt32
    let unread: Int
    let isFavorite: Bool
    let isBlocked: Bool
    let isOnRadio: Bool
    let latitude: Double?
    let longitude: Double?
    /// The line for people, in columns.
    let columns: [String]

    enum CodingKeys: CodingKey {
        case name, key, type, route, path, lastAdvert, unread, isFavorite, isBlocked, isOnRadio, latitude, longitude
    }

    init(_ contact: ContactDTO) {
        let row = ContactRow(contact, style: Self.style)
        let marks = [
            row.isFavorite ? " *" : "", row.isBlocked ? " (blocked)" : "", row.isOnRadio ? "" : " (not on the radio)",
        ]
        columns =
            [row.name + marks.joined()] + row.values(key: row.keyPrefix)
            + [contact.unreadCount == 0 ? "" : "\(contact.unreadCount)"]
        name = contact.displayName
        key = contact.publicKey.hex
        type = contact.type.description
        route = Measures.route(to: contact).lowercased()
        path = contact.outPath.hex
        lastAdvert = contact.lastAdvertTimestamp
        unread = contact.unreadCount
        isFavorite = contact.isFavorite
        isBlocked = contact.isBlocked
        isOnRadio = contact.onRadio
        latitude = contact.position?.latitude
        longitude = contact.position?.longitude
    }

    static var heading: [String] { ["Name"] + ContactRow.labels + ["Unread"] }
}

struct PrintedChannel: Encodable {
    let slot: UInt8
    let name: String
    let unread: Int
    let region: String?

    init(_ channel: ChannelDTO) {
        slot = channel.index
        name = channel.displayName
        region = channel.regionScope
        unread = channel.unreadCount
    }

    static let heading = ["Slot", "Name", "Unread", "Region"]

    var columns: [String] { ["\(slot)", name, unread == 0 ? "" : "\(unread)", region ?? ""] }
}

/// One message, received or sent.
struct MessageRow: Encodable, CustomStringConvertible {
    /// The text that stands for a picture.
    static let picture = "[picture]"

    let kind: String
    let from: String?
    let to: String?
    let channel: String?
    let text: String
    let timestamp: UInt32
    let status: String
    /// The attempts that were made; for sent messages alone.
    let attempts: Int?
    /// The round trip in milliseconds.
    let roundTripTime: UInt32?
    /// The SNR in decibels; for received messages alone.
    let snr: Double?
    /// The line for people.
    let description: String

    enum CodingKeys: CodingKey {
        case kind, from, to, channel, text, timestamp, status, attempts, roundTripTime, snr
    }

    init(received message: MessageDTO, from: String?, channel: String? = nil) {
        kind = channel == nil ? "direct" : "channel"
        self.from = from
        to = nil
        self.channel = channel
        text = message.kind == .image ? Self.picture : message.text
        timestamp = message.timestamp
        status = "received"
        attempts = nil
        roundTripTime = nil
        snr = message.snr
        description = Self.line(message, by: from, in: channel, note: MessageBubble.metadata(of: message))
    }

    init(sent message: MessageDTO, to: String?, channel: String? = nil) {
        kind = channel == nil ? "direct" : "channel"
        from = nil
        self.to = to
        self.channel = channel
        text = message.kind == .image ? Self.picture : message.text
        timestamp = message.timestamp
        status = "\(message.status)"
        attempts = message.retryAttempt + 1
        roundTripTime = message.roundTripTime
        snr = nil
        description = Self.line(message, by: nil, in: channel, note: DeliveryStatus(message).label)
    }

    init(post: RoomMessageDTO, in room: String) {
        kind = "room"
        from = post.isFromSelf ? "me" : post.authorDisplayName
        to = nil
        channel = room
        text = post.text
        timestamp = post.timestamp
        status = post.isFromSelf ? "\(post.status)" : "received"
        attempts = nil
        roundTripTime = nil
        snr = nil
        description = Self.line(
            post.text, at: post.timestamp,
            by: MessageBubble.author(isSelf: post.isFromSelf, name: post.authorDisplayName), in: room,
            note: post.isFromSelf ? DeliveryStatus(post.status).label : "")
    }

    private static func line(_ message: MessageDTO, by name: String?, in channel: String?, note: String) -> String {
        line(
            message.kind == .image ? Texts.string(.image) : message.text, at: message.timestamp,
            by: MessageBubble.author(isSelf: message.isOutgoing, name: name), in: channel, note: note)
    }

    private static func line(
        _ text: String, at timestamp: UInt32, by author: String, in channel: String?, note: String
    ) -> String {
        let place = channel.map { " [\($0)]" } ?? ""
        return "\(Moment.text(seconds: timestamp))\(place) \(author): \(text)" + (note.isEmpty ? "" : "  (\(note))")
    }
}

/// Dates as people read them, by UTC, as the mesh has them.
enum Moment {
    static func text(seconds: UInt32) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds))
            .formatted(
                Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day().time(
                    includingFractionalSeconds: false))
    }
}
