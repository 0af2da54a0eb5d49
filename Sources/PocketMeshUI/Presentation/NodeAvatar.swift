public import FoundationEssentials
import MeshCrypto
import MeshPacket
import MeshWire
public import PocketMeshServices

/// The kind of a node, for marks and filters.
public enum NodeKind: String, Codable, Sendable, Hashable, CaseIterable {
    case chat, repeater, room, sensor, channel

    /// The kind of a contact; unknown types are shown as chat.
    public init(_ contact: ContactDTO) {
        self =
            switch contact.type {
            case .repeater: .repeater
            case .room: .room
            case .sensor: .sensor
            default: .chat
            }
    }

    /// The word for it.
    public var label: String {
        switch self {
        case .chat: Texts.string(.kindChat)
        case .repeater: Texts.string(.kindRepeater)
        case .room: Texts.string(.kindRoom)
        case .sensor: Texts.string(.kindSensor)
        case .channel: Texts.string(.kindChannel)
        }
    }
}

/// The round mark of a node: the same for the same key and name, on every host.
public struct NodeAvatar: Codable, Sendable, Hashable {
    /// One or two characters.
    public var initials: String
    /// The place on the colour wheel, 0 to 359 degrees, from the key.
    public var hue: Int
    /// Decides the mark beside the initials.
    public var kind: NodeKind
    /// The sentence that a screen reader speaks.
    public var accessibilityLabel: String

    /// The mark of a node.
    public init(name: String, key: Data, kind: NodeKind) {
        initials = Self.initials(of: name)
        let digest = SHA256.hash(Array(key))
        hue = (Int(digest[0]) << 8 | Int(digest[1])) % 360
        self.kind = kind
        accessibilityLabel = Texts.string(.avatarLabel, kind.label, name)
    }

    /// The mark of a contact.
    public init(_ contact: ContactDTO) {
        self.init(name: contact.displayName, key: contact.publicKey, kind: NodeKind(contact))
    }

    /// The mark of a conversation. A channel's colour comes from its row: its secret does not leave the store.
    public init(_ conversation: Conversation) {
        switch conversation {
        case .direct(let contact): self.init(contact)
        case .channel(let channel):
            let id = Data(channel.id.uuidString.utf8)
            self.init(name: channel.displayName, key: id, kind: .channel)
        case .room(let session):
            self.init(name: session.name, key: session.publicKey, kind: session.isRoom ? .room : .repeater)
        }
    }

    /// Returns the initials of the first and the last word with readable characters; "?" without any.
    static func initials(of name: String) -> String {
        let words = name.prefix(256).split { !$0.isLetter && !$0.isNumber && !$0.isSymbolOrPicture }
        guard let first = words.first?.first else { return "?" }
        guard words.count > 1, let last = words.last?.first else { return first.uppercased() }
        return (first.uppercased() + last.uppercased())
    }
}

extension Character {
    fileprivate var isSymbolOrPicture: Bool {
        unicodeScalars.first.map { $0.properties.isEmoji && $0.value > 0xFF } ?? false
    }
}
