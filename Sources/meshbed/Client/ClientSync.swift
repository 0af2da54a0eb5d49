import ArgumentParser
import Foundation
import MeshDesktop
import MeshWire
import PocketMeshServices
import ScenarioTool

/// `meshbed client sync`.
struct ClientSync: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Bring the database up to date, and say what is in it.",
        discussion: """
            Every command does it when it connects; this one does nothing else. Messages that the radio held are in the \
            database then, and no longer on the radio.

            Example:
              meshbed client --db radio.sqlite sync
            """)

    @OptionGroup var options: ClientOptions

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let id = connection.device.id
        let contacts = try await app.store.fetchContacts(deviceID: id)
        let channels = try await app.store.fetchChannels(deviceID: id)
        let unread = try await app.store.getTotalUnreadCounts(deviceID: id)
        let row = SyncRow(
            contacts: contacts.count, channels: channels.count, unread: unread.total,
            queued: try await app.store.countPendingMessages(deviceID: id), problem: problem(connection))
        Console.out(options.json ? try json(row) : "\(row)")
        return row.problem == nil
    }

    @MainActor
    private func problem(_ connection: ClientApp.Connection) -> String? {
        if case .failed(let error) = connection.services.syncCoordinator.state { "\(error)" } else { nil }
    }
}

/// What is in the database after a synchronisation.
struct SyncRow: Encodable, CustomStringConvertible {
    let contacts: Int
    let channels: Int
    let unread: Int
    let queued: Int
    /// Why the synchronisation failed.
    let problem: String?

    var description: String {
        (problem.map { "not complete: \($0)\n" } ?? "")
            + "\(contacts) contacts, \(channels) channels, \(unread) unread messages, \(queued) waiting to be sent"
    }
}

/// `meshbed client watch`.
struct ClientWatch: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Stay connected and print messages, posts and contacts as they come.",
        discussion: """
            Connects again when the link is lost. Runs until it is interrupted (Ctrl-C), or for as long as --for says. \
            With --json each event is one line.

            Example:
              meshbed client watch --json --for 60
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Show notifications on the desktop, where there is one.")
    var notify = false

    var sink: any NotificationSink { notify ? DesktopNotificationSink() : MemoryNotificationSink() }

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after so long.", valueName: "seconds"))
    var duration: Int?

    func validate() throws {
        if let duration, !(0...ClientOptions.longestWait ~= duration) {
            throw ValidationError("--for is 0 to \(ClientOptions.longestWait) seconds")
        }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let interrupt = Interrupt()
        try await listen(to: connection)
        app.manager.onConnectionReady = { [options] in
            // The services of a new connection know nothing of those before.
            guard let connection = try? app.connection() else { return }
            try? await Self(options: options, duration: nil).listen(to: connection)
        }
        app.manager.onStateChange = { state in
            say(StateRow(state: state.rawValue))
            if StandardOutput.isClosed { interrupt.comeNow() }
        }
        say(StateRow(state: app.manager.connectionState.rawValue))
        let clock = connection.services.surroundings.clock
        let timer = duration.map { interrupt.come(after: .seconds($0), on: clock) }
        await interrupt.wait()
        timer?.cancel()
        app.manager.onStateChange = nil
        return true
    }

    init() {}

    private init(options: ClientOptions, duration: Int?) {
        self.init()
        self.options = options
        self.duration = duration
    }

    @MainActor
    private func listen(to connection: ClientApp.Connection) async throws {
        let services = connection.services
        let id = connection.device.id
        let store = services.store
        await services.syncCoordinator.setMessageEventCallbacks(
            onDirectMessageReceived: { message, contact in
                say(MessageRow(received: message, from: contact.displayName))
            },
            onChannelMessageReceived: { message, index in
                let channel = try? await store.fetchChannel(deviceID: id, index: index)
                say(
                    MessageRow(
                        received: message, from: message.senderNodeName,
                        channel: channel?.displayName ?? "slot \(index)"))
            })
        await services.syncCoordinator.incoming.setUnknownSenderHandler { prefix in
            say(ContactHeard(name: "a sender who is no contact: \(prefix.hex)", kind: "unknown sender"))
        }
        await services.roomServerService.setRoomMessageHandler { room, post in
            say(MessageRow(post: post, in: room.name))
        }
        await services.advertisementService.setNewContactDiscoveredHandler { name, _ in
            say(ContactHeard(name: name))
        }
    }

    private func say(_ row: some Encodable & CustomStringConvertible) {
        Console.out(options.json ? (try? json(row)) ?? "" : "\(row)")
    }
}

/// The connection's state has changed.
struct StateRow: Encodable, CustomStringConvertible {
    let state: String

    var description: String { "-- \(state)" }
}

/// A node that is no contact yet was heard.
struct ContactHeard: Encodable, CustomStringConvertible {
    let name: String
    var kind = "contact"

    var description: String { "-- heard of \(name)" }
}
