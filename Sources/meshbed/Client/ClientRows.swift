import FoundationEssentials
import MeshPacket
import MeshWire
import PocketMeshServices
import PocketMeshUI

/// A contact as `meshbed client` prints it, to people and to programs.
struct PrintedContact: Encodable {
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

    init(_ contact: ContactDTO) {
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

    static let heading = ["name", "type", "key", "route", "last advert", "unread"]

    var columns: [String] {
        [
            name + (isFavorite ? " *" : "") + (isBlocked ? " (blocked)" : "")
                + (isOnRadio ? "" : " (not on the radio)"), type, String(key.prefix(12)),
            route, lastAdvert == 0 ? "never" : Moment.text(seconds: lastAdvert), unread == 0 ? "" : "\(unread)",
        ]
    }
}

struct PrintedChannel: Encodable {
    let slot: UInt8
    let name: String
    let unread: Int

    init(_ channel: ChannelDTO) {
        slot = channel.index
        name = channel.displayName
        unread = channel.unreadCount
    }

    static let heading = ["slot", "name", "unread"]

    var columns: [String] { ["\(slot)", name, unread == 0 ? "" : "\(unread)"] }
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
    }

    var description: String {
        let place = channel.map { " [\($0)]" } ?? ""
        let signal = snr.map { "  (SNR \($0.fixed(1)) dB)" } ?? ""
        let speaker = from ?? (to == nil && channel == nil ? "?" : "me")
        let fate = from == nil || from == "me" ? "  (\(status))" : ""
        return "\(Moment.text(seconds: timestamp))\(place) \(speaker): \(text)\(signal)\(fate)"
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
