import ArgumentParser
import Logging
import MeshCore
import MeshDesktop
import MeshEmulator
import MeshPacket
import MeshTestbed
import MeshTransports
import MeshWire
import PocketMeshServices
import PocketMeshUI

/// One run of the stack for `meshbed client`: the database, the connection, and the services while it is up.
@MainActor
final class ClientApp {
    let store: PersistenceStore
    let manager: ConnectionManager
    let setup: ClientSetup
    let dependencies: ServiceDependencies
    /// The services of the connection that was made last, and its radio; they stay when the link goes.
    private var latest: (services: ServiceContainer, device: DeviceDTO)?

    /// On real time, with one thread for link, session and store. Opens the database; nothing is connected yet.
    convenience init(_ setup: ClientSetup, sink: any NotificationSink) async throws {
        let executor = StackExecutor()
        let log = Logger(label: "meshbed.client") { _ in SwiftLogNoOpLogHandler() }
        let dependencies = ServiceDependencies.real(log: log, executor: executor)
        try await self.init(
            setup, sink: sink, dependencies: dependencies,
            transports: URLTransports(clock: dependencies.clock, executor: executor, target: setup.target))
    }

    /// Opens the database; nothing is connected yet.
    init(
        _ setup: ClientSetup, sink: any NotificationSink, dependencies: ServiceDependencies,
        transports: any TransportMaking, credentials: (any CredentialStore)? = nil
    ) async throws {
        self.setup = setup
        self.dependencies = dependencies
        let store = try setup.db.map { try PersistenceStore(path: $0) } ?? PersistenceStore()
        self.store = store
        let keyring = if let credentials { credentials } else { await Self.credentials(besides: setup.db) }
        manager = ConnectionManager(
            store: store, transports: transports, profile: setup.profile, dependencies: dependencies,
            credentials: keyring,
            notifications: NotificationService(sink: sink, settings: store, clock: dependencies.clock),
            bonds: LinkBonds(), imageCodec: JPEGCodec())
    }

    /// The store of passwords: in memory without a database, else the desktop's keyring.
    ///
    /// Where no keyring is open, it is a file beside the database.
    static func credentials(besides db: String?) async -> any CredentialStore {
        guard let db else { return MemoryCredentialStore() }
        let keyring = SecretServiceCredentialStore()
        return await keyring.isAvailable() ? keyring : FileCredentialStore(directory: db + ".passwords")
    }

    /// Connects, and returns when the first synchronisation has ended.
    func connect() async throws -> Connection {
        guard let endpoint = RadioEndpoint("\(setup.target)") else {
            throw StackError(.connection, .addressUnknown("\(setup.target)"))
        }
        StandardError.progress("Connecting to \(setup.target) …")
        defer { StandardError.endProgress() }
        manager.onConnectionReady = { [weak self] in self?.begin() }
        defer {
            manager.onConnectionReady = nil
            // Retries of the synchronisation must not write over what a command prints.
            latest?.services.syncCoordinator.status.onStateChange = nil
        }
        try await manager.connect(endpoint: endpoint)
        // The link may be gone again: what was synchronised, and whether that was all, is known all the same.
        guard let latest else { throw manager.lastError ?? StackError(.connection, .notConnected) }
        return Connection(services: latest.services, device: latest.device)
    }

    /// Resumes the radio that was wanted when the last run with this database ended, and waits until it is ready.
    ///
    /// The radio may be switched on at any time later.
    func resume() async throws -> Connection {
        guard setup.db != nil else { throw ClientError.noDatabase("the radio of the last run is kept in a database") }
        let (states, source) = AsyncStream<DeviceConnectionState>.makeStream()
        manager.onStateChange = { source.yield($0) }
        manager.onConnectionReady = { [weak self] in self?.begin() }
        defer {
            manager.onStateChange = nil
            manager.onConnectionReady = nil
            latest?.services.syncCoordinator.status.onStateChange = nil
            StandardError.endProgress()
        }
        try await manager.activate()
        guard let wanted = manager.wantedEndpoint else { throw ClientError.nothingWanted }
        StandardError.progress("Waiting for \(wanted) …")
        for await state in states {
            if state == .ready { return try connection() }
            if state == .disconnected { break }
        }
        throw manager.lastError ?? StackError(.connection, .notConnected)
    }

    /// Shows people the progress of the synchronisation, once the radio has introduced itself.
    private func begin() {
        guard let services = manager.container, let device = manager.connectedDevice else { return }
        latest = (services, device)
        services.syncCoordinator.status.onStateChange = { state in
            if case .syncing(let progress) = state { StandardError.progress(progress.line) }
        }
    }

    /// The services as they are now; those of an earlier connection end with it.
    func connection() throws -> Connection {
        guard let services = manager.container, let device = manager.connectedDevice else {
            throw manager.lastError ?? StackError(.connection, .notConnected)
        }
        return Connection(services: services, device: device)
    }

    /// The services and the radio that a command works with.
    @MainActor
    struct Connection {
        let services: ServiceContainer
        let device: DeviceDTO
        /// A description of what the first synchronisation did not bring over; `nil` when it was complete.
        let shortfall: String?

        init(services: ServiceContainer, device: DeviceDTO) {
            self.services = services
            self.device = device
            // Retries may be under way, which change the state, so only how the first one ended counts.
            let outcome = services.syncCoordinator.lastOutcome
            shortfall = outcome?.isComplete == true ? nil : outcome.map { "\($0)" } ?? "it was broken off"
        }

        /// The contact of this name, nickname, or beginning of a key in hex; a clear error when there is none, or
        /// several.
        func contact(_ name: String, of kinds: [NodeKind] = NodeKind.contacts) async throws -> ContactDTO {
            let contacts = try await services.contactService.getContacts(deviceID: device.id)
            return try contacts.contact(name, of: kinds)
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

extension NodeKind {
    /// The kinds of contacts that a command may be for.
    static let contacts: [NodeKind] = [.chat, .room, .repeater, .sensor]

    /// The word of an error.
    fileprivate var noun: String { self == .chat ? "chat contact" : rawValue }
}

extension [ContactDTO] {
    /// The contact of this name, nickname, or beginning of a key in hex; a clear error when there is none, or several.
    func contact(_ name: String, of kinds: [NodeKind] = NodeKind.contacts) throws(ClientError) -> ContactDTO {
        let wanted = filter { kinds.contains(NodeKind($0)) }
        let exact = wanted.filter { $0.displayName == name || $0.name == name }
        let key = name.lowercased()
        let found = exact.isEmpty ? wanted.filter { key.count >= 4 && $0.publicKey.hex.hasPrefix(key) } : exact
        guard let contact = found.first else { throw .unknownContact(name, kinds) }
        guard found.count == 1 else {
            throw .ambiguousContact(name, found.map { String($0.publicKey.hex.prefix(12)) })
        }
        return contact
    }
}

/// An error about something that a user asked for and that does not exist.
enum ClientError: Error, CustomStringConvertible {
    case unknownContact(String, [NodeKind])
    case ambiguousContact(String, [String])
    case unknownChannel(String)
    case unknownConversation(String)
    /// A trace follows a path, and none is known.
    case noPath(String)
    /// The contact is reached directly, and does not forward.
    case noHops(String)
    /// No picture has come in the conversation.
    case noPicture(String)
    /// A question that needs a person, and no terminal is there to ask at.
    case needsYes
    /// The last run has disconnected, or there was none.
    case nothingWanted
    /// The database has never seen a radio.
    case noRadio
    /// Neither the options nor the configuration file name one.
    case noDatabase(String)

    var description: String {
        switch self {
        case .unknownContact(let name, let kinds):
            "no \(kinds == NodeKind.contacts ? "contact" : kinds.map(\.noun).joined(separator: " or ")) is called "
                + "\"\(name)\"; 'meshbed client contacts' lists them. A node is known once its advert was heard."
        case .ambiguousContact(let name, let keys):
            "\"\(name)\" is the name of several contacts; use the beginning of a key: \(keys.joined(separator: ", "))"
        case .unknownChannel(let name):
            "no channel is called \"\(name)\" or has that slot; 'meshbed client channel list' lists them"
        case .unknownConversation(let name):
            "there is no conversation with \"\(name)\"; 'meshbed client messages' lists them"
        case .noPath(let name):
            "no path to \"\(name)\" is known; 'meshbed client contacts --find-path' asks for it"
        case .noHops(let name): "no node forwards between here and \"\(name)\", so there is nothing to trace"
        case .noPicture(let name): "no picture of \"\(name)\" has come"
        case .needsYes: "there is no terminal to ask at; --yes answers the question"
        case .noDatabase(let what): "\(what): --db FILE"
        case .nothingWanted:
            "the database names no radio to go on with; connect to one with --target first"
        case .noRadio: "the database has never seen a radio: 'meshbed client sync' fills it"
        }
    }
}

extension SyncProgress {
    /// The progress in one line for people.
    var line: String {
        let count = current == 0 && total == 0 ? "" : total > 0 ? ": \(current) of \(total)" : ": \(current)"
        return "Reading \(phase.rawValue)\(count) …"
    }
}

/// Links by their address, for the connection manager.
struct URLTransports: TransportMaking {
    let clock: any Clock<Duration>
    let executor: StackExecutor
    /// The radio that was asked for, with its PIN; the text of an address never has one.
    let target: RadioAddress

    func transport(to endpoint: RadioEndpoint) async throws -> any MeshTransport {
        let address = try "\(target)" == "\(endpoint)" ? target : RadioAddress("\(endpoint)")
        return try await address.transport(clock: clock, on: executor)
    }
}
