import ArgumentParser
import Foundation
import Logging
import MeshCore
import MeshDesktop
import MeshPacket
import MeshTransports
import MeshWire
import PocketMeshServices
import ScenarioTool

/// One run of the stack for `meshbed client`: the database, the connection, and the services while it is up.
@MainActor
final class ClientApp {
    let store: PersistenceStore
    let manager: ConnectionManager
    let options: ClientOptions
    private let credentials: any CredentialStore

    /// Opens the database; nothing is connected yet.
    init(_ options: ClientOptions, sink: any NotificationSink) async throws {
        self.options = options
        let surroundings = ServiceSurroundings.real(
            log: Logger(label: "meshbed.client") { _ in SwiftLogNoOpLogHandler() })
        let store = try options.db.map { try PersistenceStore(path: $0) } ?? PersistenceStore()
        let credentials = await Self.credentials(besides: options.db)
        self.store = store
        self.credentials = credentials
        let profile = options.profile
        manager = ConnectionManager(
            store: store, transports: URLTransports(clock: surroundings.clock), profile: profile,
            surroundings: surroundings
        ) { session in
            ServiceContainer(
                session: session, store: store, profile: profile, surroundings: surroundings, credentials: credentials,
                notifications: NotificationService(
                    sink: sink, settings: store, clock: surroundings.clock))
        }
    }

    /// Where passwords are kept: nowhere without a database, else in the desktop's keyring or, where there is none that
    /// is open, in a file beside the database.
    private static func credentials(besides db: String?) async -> any CredentialStore {
        guard let db else { return MemoryCredentialStore() }
        let keyring = SecretServiceCredentialStore()
        return await keyring.isAvailable() ? keyring : FileCredentialStore(directory: db + ".passwords")
    }

    /// Connects, and returns when the first synchronisation has ended.
    func connect() async throws -> Connection {
        guard let endpoint = RadioEndpoint("\(options.target)") else {
            throw ConnectionError.deviceNotFound("\(options.target)")
        }
        if StandardError.isTerminal { Console.note("Connecting to \(options.target) …") }
        try await manager.connect(endpoint: endpoint)
        return try connection()
    }

    /// The services as they are now; those of an earlier connection end with it.
    func connection() throws -> Connection {
        guard let services = manager.services as? ServiceContainer, let device = manager.connectedDevice else {
            throw manager.lastError ?? ConnectionError.notConnected
        }
        return Connection(services: services, device: device)
    }

    /// What a command works with.
    @MainActor
    struct Connection {
        let services: ServiceContainer
        let device: DeviceDTO

        /// The contact of this name, nickname, or beginning of a key in hex; a clear error when there is none, or several.
        func contact(_ name: String, of types: [ContactKind] = ContactKind.allCases) async throws -> ContactDTO {
            let contacts = try await services.contactService.getContacts(deviceID: device.id)
            let wanted = contacts.filter { contact in types.contains { $0.includes(contact) } }
            let exact = wanted.filter { $0.displayName == name || $0.name == name }
            let key = name.lowercased()
            let found = exact.isEmpty ? wanted.filter { key.count >= 4 && $0.publicKey.hex.hasPrefix(key) } : exact
            guard let contact = found.first else { throw ClientError.unknownContact(name, types) }
            guard found.count == 1 else {
                throw ClientError.ambiguousContact(name, found.map { String($0.publicKey.hex.prefix(12)) })
            }
            return contact
        }

        /// The channel of this name, or in this slot.
        func channel(_ name: String) async throws -> ChannelDTO {
            let channels = try await services.channelService.getChannels(deviceID: device.id)
            if let channel = channels.first(where: { $0.displayName == name }) { return channel }
            if let slot = UInt8(name), let channel = channels.first(where: { $0.index == slot }) { return channel }
            throw ClientError.unknownChannel(name)
        }
    }
}

/// Kinds of contacts that a command is for.
enum ContactKind: String, CaseIterable {
    case person = "chat contact"
    case room, repeater, sensor

    func includes(_ contact: ContactDTO) -> Bool {
        switch contact.type {
        case .room: self == .room
        case .repeater: self == .repeater
        case .sensor: self == .sensor
        default: self == .person
        }
    }
}

/// What a user has asked for and does not exist.
enum ClientError: Error, CustomStringConvertible {
    case unknownContact(String, [ContactKind])
    case ambiguousContact(String, [String])
    case unknownChannel(String)
    case unknownConversation(String)
    /// The database has never seen a radio.
    case noRadio

    var description: String {
        switch self {
        case .unknownContact(let name, let kinds):
            "no \(kinds == ContactKind.allCases ? "contact" : kinds.map(\.rawValue).joined(separator: " or ")) is called "
                + "\"\(name)\"; 'meshbed client contacts' lists them. A node is known once its advert was heard."
        case .ambiguousContact(let name, let keys):
            "\"\(name)\" is the name of several contacts; use the beginning of a key: \(keys.joined(separator: ", "))"
        case .unknownChannel(let name):
            "no channel is called \"\(name)\" or has that slot; 'meshbed client channel list' lists them"
        case .unknownConversation(let name):
            "there is no conversation with \"\(name)\"; 'meshbed client messages' lists them"
        case .noRadio: "the database has never seen a radio: 'meshbed client sync' fills it"
        }
    }
}

/// Links by their address, for the connection manager.
struct URLTransports: TransportMaking {
    let clock: any Clock<Duration>

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        try await TransportURL("\(endpoint)").transport(clock: clock)
    }
}
