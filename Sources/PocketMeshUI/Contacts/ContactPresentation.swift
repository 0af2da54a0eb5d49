public import FoundationEssentials
import PocketMeshServices

/// A line of the list of contacts.
public struct ContactRow: Codable, Sendable, Hashable, Identifiable {
    /// The contact's row.
    public var id: UUID
    /// The nickname, else the name.
    public var name: String
    /// The mark of the contact.
    public var avatar: NodeAvatar
    /// The kind of the node.
    public var kind: NodeKind
    /// The first 6 bytes of the key, in hex.
    public var keyPrefix: String
    /// The route of messages to it.
    public var route: String
    /// The time when it was last heard; empty for never.
    public var lastHeard: String
    /// The same in seconds since 1970; `nil` for never.
    public var lastHeardDate: Double?
    /// True when the contact stays on top.
    public var isFavorite: Bool
    /// True when nothing of the contact is shown or notified.
    public var isBlocked: Bool
    /// True for a node that was heard and is no contact yet.
    public var isDiscovered: Bool
    /// True when the radio holds the contact.
    public var isOnRadio: Bool
    /// True when the node has sent its position.
    public var hasLocation: Bool
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String

    /// A contact, with times in this style.
    package init(_ contact: ContactDTO, style: PresentationStyle) {
        id = contact.id
        name = contact.displayName
        avatar = NodeAvatar(contact)
        kind = NodeKind(contact)
        keyPrefix = Measures.hex(contact.publicKeyPrefix)
        route = Measures.route(to: contact)
        let heard = Self.heard(contact)
        lastHeard = heard.map(style.dateAndTime) ?? ""
        lastHeardDate = heard?.timeIntervalSince1970
        isFavorite = contact.isFavorite
        isBlocked = contact.isBlocked
        isDiscovered = contact.isDiscovered
        isOnRadio = contact.onRadio
        hasLocation = contact.hasLocation
        accessibilityLabel = Texts.string(.contactAccessibility, name, kind.label, route)
    }

    /// The labels of `values`.
    package static var labels: [String] {
        [
            Texts.string(.contactKind), Texts.string(.contactKey), Texts.string(.contactRoute),
            Texts.string(.contactHeard),
        ]
    }

    /// Type, key, route and last advert as text, with the shown part of the key; the last is empty without an advert.
    package func values(key: String) -> [String] { [kind.label, key, route, lastHeard] }

    /// The time when a node was heard, by the clock of our radio.
    ///
    /// It is that of the node's own clock where the radio has not noted any.
    private static func heard(_ contact: ContactDTO) -> Date? {
        guard contact.lastAdvertTimestamp > 0 else { return nil }
        let time = contact.lastModified > 0 ? contact.lastModified : contact.lastAdvertTimestamp
        return Date(timeIntervalSince1970: TimeInterval(time))
    }

    /// The sentence about a node's clock that is wrong: its advert came from the future.
    ///
    /// An old time of an advert proves nothing: the radio notes other changes of a contact, too.
    static func clock(_ contact: ContactDTO) -> String? {
        let lead = Int(contact.lastAdvertTimestamp) - Int(contact.lastModified)
        return contact.lastModified > 0 && lead > 0 ? Measures.clock(lead: lead) : nil
    }
}

/// Everything that is known of a contact.
public struct ContactDetail: Codable, Sendable, Hashable {
    /// The line of the list.
    public var row: ContactRow
    /// The name that the node gives itself.
    public var advertisedName: String
    /// The user's name for it.
    public var nickname: String?
    /// All 32 bytes, in hex.
    public var publicKey: String
    /// The hops of the path, in hex; `nil` while none is known.
    public var hops: [String]?
    /// The latitude in degrees; `nil` where the node has not sent it.
    public var latitude: Double?
    /// The longitude in degrees.
    public var longitude: Double?
    /// Fields as lines, in order.
    public var fields: [MessageDetails.Row]

    init(_ contact: ContactDTO, style: PresentationStyle) {
        row = ContactRow(contact, style: style)
        advertisedName = contact.name
        nickname = contact.nickname
        publicKey = Measures.hex(contact.publicKey)
        hops = PathHop.split(contact)?.map(\.key)
        latitude = contact.position?.latitude
        longitude = contact.position?.longitude
        var fields: [(TextKey, String, Double?)] = [
            (.contactKind, row.kind.label, nil), (.contactKey, publicKey, nil), (.contactRoute, row.route, nil),
        ]
        if !row.lastHeard.isEmpty { fields.append((.contactHeard, row.lastHeard, row.lastHeardDate)) }
        if let clock = ContactRow.clock(contact) { fields.append((.contactClock, clock, nil)) }
        if let position = contact.position { fields.append((.contactPosition, position.text, nil)) }
        self.fields = fields.map { MessageDetails.Row(label: Texts.string($0.0), value: $0.1, date: $0.2) }
    }
}

/// The kinds of contacts that a list shows.
public enum ContactFilter: String, Codable, Sendable, Hashable, CaseIterable {
    case all, favorites, chat, repeaters, rooms, sensors, blocked

    /// The word for it.
    public var label: String {
        switch self {
        case .all: Texts.string(.filterAll)
        case .favorites: Texts.string(.filterFavorites)
        case .chat: Texts.string(.filterChat)
        case .repeaters: Texts.string(.filterRepeaters)
        case .rooms: Texts.string(.filterRooms)
        case .sensors: Texts.string(.filterSensors)
        case .blocked: Texts.string(.filterBlocked)
        }
    }

    func includes(_ contact: ContactDTO) -> Bool {
        switch self {
        case .all: !contact.isBlocked
        case .blocked: contact.isBlocked
        case .favorites: contact.isFavorite && !contact.isBlocked
        case .chat: NodeKind(contact) == .chat && !contact.isBlocked
        case .repeaters: NodeKind(contact) == .repeater && !contact.isBlocked
        case .rooms: NodeKind(contact) == .room && !contact.isBlocked
        case .sensors: NodeKind(contact) == .sensor && !contact.isBlocked
        }
    }
}
