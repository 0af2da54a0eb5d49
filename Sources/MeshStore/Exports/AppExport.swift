package import FoundationEssentials
import MeshCore
package import MeshFiles
package import MeshPacket
package import MeshWire

/// What an app handed out of a radio: contacts, channels, settings, cards and links, in one file or several.
///
/// The readers keep no private key: they say that there is one. Entries that cannot be used are refusals, each with its
/// line and name; the caller decides whether the rest of the file is used.
package struct AppExport: Hashable, Sendable {
    /// A node that the radio is to know.
    package struct Contact: Hashable, Sendable {
        package var publicKey: FixedBytes<32>
        /// 1 to 31 bytes.
        package var name: String
        /// The node type: 1 companion, 2 repeater, 3 room server, 4 sensor.
        package var type: UInt8
        package var flags: UInt8 = 0
        package var path = Path()
        package var place: GeoPoint?
        /// The user's own name for the node.
        package var nickname: String?
        /// The signed advert of a card; `nil` for a contact that its node has not signed.
        package var card: [UInt8]?
    }

    /// The way to a contact, as the exporting radio had it.
    package struct Path: Hashable, Sendable {
        package var length = PathLength.unknown
        package var hashes: [UInt8] = []
    }

    /// A channel with its secret.
    package struct Channel: Hashable, Sendable {
        /// 1 to 31 bytes.
        package var name: String
        /// 16 bytes.
        package var secret: Data
        /// Without its `#`; `nil` for the scope of the radio.
        package var region: String?
    }

    /// Settings; `nil` leaves one as it is.
    package struct Settings: Hashable, Sendable {
        package var name: String?
        package var radio: RadioParameters?
        package var txPower: Int8?
        package var place: GeoPoint?
        package var manualAdd: Bool?
        package var sharesLocation: Bool?
        package var telemetryBase: UInt8?
        package var telemetryLocation: UInt8?
        package var telemetryEnvironment: UInt8?
        package var multiAcks: UInt8?

        package init() {}
    }

    /// In the order of the file; no key twice.
    package internal(set) var contacts: [Contact] = []
    /// In the order of the file; no secret twice.
    package internal(set) var channels: [Channel] = []
    package internal(set) var settings = Settings()
    /// The key of the radio that was exported, where the file has it.
    package internal(set) var publicKey: FixedBytes<32>?
    /// The parts that were not taken over, and why.
    package internal(set) var leftOut = LeftOut(of: "item")
    /// Entries that cannot be used: damaged, forged, or beyond what a radio takes.
    package internal(set) var refusals: [FileProblem] = []

    private var keys: Set<FixedBytes<32>> = []
    private var secrets: Set<Data> = []

    /// Bytes of a file that is read: 350 contacts have 100 kB.
    package static let longest = 4 << 20
    /// Entries of all kinds that are read; radios have a few hundred contacts.
    package static let mostEntries = 10_000
    /// Refusals that are kept.
    static let mostRefusals = 100

    package init() {}

    /// True where a file had nothing to take over, and nothing that should have been.
    package var isEmpty: Bool {
        contacts.isEmpty && channels.isEmpty && settings == Settings() && refusals.isEmpty
    }

    mutating func refuse(_ problem: FileProblem) {
        if refusals.count < Self.mostRefusals { refusals.append(problem) }
    }

    mutating func add(_ contact: Contact, line: Int) {
        guard hasRoom(line) else { return }
        guard keys.insert(contact.publicKey).inserted else {
            return leftOut.note("for a contact that was there before", isFault: false, line: line)
        }
        contacts.append(contact)
    }

    mutating func add(_ channel: Channel, line: Int) {
        guard hasRoom(line) else { return }
        // The key of such a region is not made of its name.
        guard channel.region?.hasPrefix("$") != true else {
            let field = "channel \"\(channel.name)\""
            return refuse(FileProblem(line: line, field: field, reason: "has a private region, whose key is unknown"))
        }
        guard secrets.insert(channel.secret).inserted else {
            return leftOut.note("for a channel that was there before", isFault: false, line: line)
        }
        channels.append(channel)
    }

    private mutating func hasRoom(_ line: Int) -> Bool {
        guard contacts.count + channels.count < Self.mostEntries else {
            leftOut.note("behind the first \(Self.mostEntries)", line: line)
            return false
        }
        return true
    }

    /// A name as radios take it, cut to 31 bytes between characters; `nil` for none, and for one with a NUL.
    static func name(_ text: String?) -> String? {
        guard let text, !text.isEmpty, !text.utf8.contains(0) else { return nil }
        return ByteText(text).cut(to: 31).string
    }
}
