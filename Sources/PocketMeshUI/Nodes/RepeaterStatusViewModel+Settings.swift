import FoundationEssentials
import MeshPacket
import MeshWire
public import PocketMeshServices

/// The settings of a repeater, as a page edits them.
public struct RepeaterForm: Codable, Sendable, Hashable {
    /// The name in its adverts.
    public var name: String
    /// In degrees, north positive.
    public var latitude: Double
    /// In degrees, east positive.
    public var longitude: Double
    /// The frequency that is stored.
    public var megahertz: Double
    /// The bandwidth that is stored.
    public var kilohertz: Double
    /// The spreading factor that is stored.
    public var spreadingFactor: UInt8
    /// The denominator: 5 is 4/5.
    public var codingRate: UInt8
    /// The password of guests; empty for none.
    public var guestPassword: String

    public init(
        name: String, latitude: Double, longitude: Double, megahertz: Double, kilohertz: Double,
        spreadingFactor: UInt8, codingRate: UInt8, guestPassword: String
    ) {
        self.name = name
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.megahertz, self.kilohertz) = (megahertz, kilohertz)
        (self.spreadingFactor, self.codingRate) = (spreadingFactor, codingRate)
        self.guestPassword = guestPassword
    }

    init(_ settings: RepeaterSettings) {
        self.init(
            name: settings.name, latitude: settings.latitude, longitude: settings.longitude,
            megahertz: settings.radio.megahertz, kilohertz: settings.radio.kilohertz,
            spreadingFactor: settings.radio.spreadingFactor, codingRate: settings.radio.codingRate,
            guestPassword: settings.guestPassword)
    }

    var settings: RepeaterSettings {
        RepeaterSettings(
            name: name, latitude: latitude, longitude: longitude,
            radio: RadioParameters(
                megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: spreadingFactor, codingRate: codingRate),
            guestPassword: guestPassword)
    }
}

/// A client in the access list of a repeater, as a page lists it.
public struct AccessRow: Codable, Sendable, Hashable {
    /// The beginning of its key, in hex: the node gives no more.
    public var key: String
    /// The client's name among the contacts, where only one fits.
    public var name: String?
    /// The client's rights.
    public var role: NodeAccessRole
    /// The words for the rights.
    public var label: String
    /// True when the whole key is known, which a node needs to change an entry. Any entry can be taken out.
    public var isChangeable: Bool
}

/// A contact that may be given rights on a repeater.
public struct AccessCandidate: Codable, Sendable, Hashable {
    /// The whole key, in hex.
    public var key: String
    /// The contact's name.
    public var name: String
}

extension NodeAccessRole {
    /// The text for users.
    public var label: String {
        switch self {
        case .guest: Texts.string(.permissionGuest)
        case .readOnly: Texts.string(.permissionReadOnly)
        case .readWrite: Texts.string(.permissionReadWrite)
        case .admin: Texts.string(.permissionAdmin)
        }
    }
}

// The settings and the access list of a repeater.
extension RepeaterStatusViewModel {
    /// Asks the node for its name, its position, its radio and the password of guests.
    public func refreshSettings() async {
        await ask { services, id in
            settings = RepeaterForm(try await services.repeaterAdminService.requestSettings(sessionID: id))
        }
    }

    /// Sends the node the settings that were changed. Settings that were never read are read first.
    ///
    /// The radio's parameters apply when the node restarts.
    public func save(_ form: RepeaterForm) async {
        await ask { services, id in
            let service = services.repeaterAdminService
            let old =
                if let settings { settings.settings } else { try await service.requestSettings(sessionID: id) }
            try await service.changeSettings(sessionID: id, from: old, to: form.settings)
            settings = form
        }
    }

    /// Requests the rights of the node's clients.
    public func refreshAccessList() async {
        await ask { services, id in try await readAccessList(services, id) }
    }

    private func readAccessList(_ services: ServiceContainer, _ id: UUID) async throws {
        let entries = try await services.repeaterAdminService.requestACL(sessionID: id)
        let known = try await knownKeys()
        accessList = entries.map { entry in
            let match = known.only { $0.key.starts(with: entry.keyPrefix.array) }
            let role = NodeAccessRole(permissions: entry.permissions)
            return AccessRow(
                key: Measures.hex(entry.keyPrefix.array), name: match?.name, role: role, label: role.label,
                isChangeable: match != nil)
        }
        guard let appState else { return }
        candidates = try await appState.store.fetchContacts(deviceID: try appState.requiredDeviceID())
            .filter { contact in
                contact.type == .chat && !entries.contains { contact.publicKey.starts(with: $0.keyPrefix.array) }
            }
            .map { AccessCandidate(key: Measures.hex($0.publicKey), name: $0.displayName) }
    }

    /// Gives a client other rights, or takes its entry out. The client is named by its key in hex, or its beginning.
    public func setRole(_ role: NodeAccessRole, ofKey key: String) async {
        await ask { services, id in
            guard let beginning = [UInt8](hex: key), beginning.count >= 6, beginning.count <= 32 else {
                throw StackError(.nodes, .invalidKey(count: key.utf8.count / 2))
            }
            let match = try await knownKeys().only { $0.key.starts(with: beginning) }
            let whole = beginning.count == 32 ? Data(beginning) : match?.key
            guard let client = whole ?? (role == .guest ? Data(beginning) : nil) else {
                throw StackError(.nodes, .contactNotFound)
            }
            try await services.repeaterAdminService.setRole(sessionID: id, clientKey: client, to: role)
            try await readAccessList(services, id)
        }
    }

    /// The keys that can be written whole: those of the contacts, and our own.
    private func knownKeys() async throws -> [(key: Data, name: String)] {
        guard let appState else { return [] }
        let device = try appState.requiredDeviceID()
        let own = try await appState.store.fetchDevice(id: device)
        return try await appState.store.fetchContacts(deviceID: device).map { ($0.publicKey, $0.displayName) }
            + (own.map { [($0.publicKey, $0.nodeName)] } ?? [])
    }
}

extension [(key: Data, name: String)] {
    /// The only one that fits; `nil` where none does, or more than one.
    fileprivate func only(where fits: (Element) -> Bool) -> Element? {
        let found = filter(fits)
        return found.count == 1 ? found.first : nil
    }
}
