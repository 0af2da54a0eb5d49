import ArgumentParser
import MeshDesktop
import MeshTestbed
import MeshWire
import PocketMeshServices

/// `meshbed client sync`.
struct ClientSync: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Synchronise the database, and summarise it.",
        discussion: """
            Every command does it when it connects; this one sends what is queued as well, and does nothing else. \
            Messages that the radio held are in the database then, and no longer on the radio. Missing data is reported \
            on standard error, and the exit status is 1.

            Example:
              meshbed client --db radio.sqlite sync --at-most 500
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("Wait so long until queued messages are confirmed.", valueName: "seconds"))
    var wait = 120

    var showsSynchronised: Bool { true }

    func validate() throws {
        try ClientOptions.check("--wait", wait)
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let id = connection.device.id
        _ = try await connection.services.messageService.finishSending(deviceID: id, within: .seconds(wait))
        let contacts = try await app.store.fetchContacts(deviceID: id)
        let channels = try await app.store.fetchChannels(deviceID: id)
        let unread = try await app.store.getTotalUnreadCounts(deviceID: id)
        let row = SyncRow(
            contacts: contacts.count, channels: channels.count, unread: unread.total,
            queued: try await app.store.countPendingMessages(deviceID: id), problem: connection.shortfall)
        try say(row)
        return true
    }
}

/// The contents of the database after a synchronisation.
struct SyncRow: Encodable, CustomStringConvertible {
    let contacts: Int
    let channels: Int
    let unread: Int
    let queued: Int
    /// A description of what the synchronisation did not bring over.
    let problem: String?

    var description: String {
        "\(contacts) contacts, \(channels) channels, \(unread) unread messages, \(queued) waiting to be sent"
    }
}

/// `meshbed client watch`.
struct ClientWatch: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Stay connected and print messages, posts and contacts as they arrive.",
        discussion: """
            Connects again when the link is lost. Runs until it is interrupted (Ctrl-C), or for as long as --for says. \
            With --json each event is one line. As a service of the system, --resume goes on with the radio of the \
            last run, whenever that appears.

            Examples:
              meshbed client watch --json --for 60
              meshbed client --db radio.sqlite watch --resume --notify
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Show notifications on the desktop, where there is one.")
    var notify = false

    @Flag(help: "Go on with the radio of the last run with this database, and wait for it; no --target.")
    var resume = false

    var resumes: Bool { resume }
    var sink: any NotificationSink { notify ? DesktopNotificationSink() : MemoryNotificationSink() }

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after so long.", valueName: "seconds"))
    var duration: Int?

    func validate() throws {
        if let duration { try ClientOptions.check("--for", duration) }
        if resume, options.givenTarget != nil { throw ValidationError("--resume takes no --target") }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let interrupt = Interrupt()
        let arrivals = ArrivalPrinter(isJSON: options.json)
        arrivals.listen(to: connection)
        app.manager.onConnectionReady = {
            // The services of a new connection know nothing of those before.
            guard let connection = try? app.connection() else { return }
            arrivals.listen(to: connection)
        }
        app.manager.onStateChange = { state in
            arrivals.say(StateRow(state: state.rawValue))
            if StandardOutput.isClosed { interrupt.comeNow() }
        }
        arrivals.say(StateRow(state: app.manager.connectionState.rawValue))
        let clock = connection.services.dependencies.clock
        let timer = duration.map { interrupt.come(after: .seconds($0), on: clock) }
        await interrupt.wait()
        timer?.cancel()
        app.manager.onStateChange = nil
        await arrivals.end()
        return true
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
