import ArgumentParser
import MeshBoards
import MeshCompliance
import MeshCore
import PocketMeshServices

/// `meshbed client`: the service stack on the command line.
struct Client: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Use a radio as an app does: contacts, messages, channels, rooms, repeaters, sensors, settings.",
        discussion: """
            Connects to a companion radio with the whole service stack, synchronises contacts, channels and messages, \
            carries out the command, and ends. --db keeps the synchronised data, so that the next run asks only for \
            new data.

            Examples:
              meshbed client --target tcp://127.0.0.1:5000 info
              meshbed client --target serial:/dev/ttyUSB0 --db radio.sqlite contacts
              meshbed client send bob 'are you there?'
              meshbed client --db radio.sqlite messages bob
              meshbed client channel send Public 'hello all'
              meshbed client login rep1 --password password --command ver \\
                --command 'get name'
              meshbed client telemetry sens1 --password password --over 86400
              meshbed client room room1 --password hello --post 'good morning'
              meshbed client watch --json
              meshbed client settings --name alice --preset eu-narrow
              meshbed client import meshcore_config.json --dry-run
              meshbed client --db radio.sqlite shell

            Without --target the radio is that of MESHBED_TARGET, else that of the configuration file, else \
            tcp://127.0.0.1:5000. The file is $XDG_CONFIG_HOME/meshbed/config.json (~/.config without the variable). It \
            is one JSON object. Its keys are \(ConfigurationFile.keys.joined(separator: ", ")), all optional. A relative \
            db is beside it:
              {"target": "serial:/dev/ttyUSB0", "db": "radio.sqlite", "retries": "long", "at-most": 500}
            Passwords are not kept there: MESHBED_PASSWORD is that of a node.

            Exit status: 0 when it was done; 1 when a message was not delivered, a node refused, or the \
            synchronisation is incomplete; 2 when the radio is out of reach or the arguments are wrong.
            """,
        subcommands: [
            ClientInfo.self, ClientContacts.self, ClientSend.self, ClientMessages.self, ClientChannel.self,
            ClientImage.self, ClientLogin.self, ClientTelemetry.self, ClientRoom.self, ClientSync.self,
            ClientWatch.self, ClientSettings.self, ClientVariables.self, ClientClock.self, ClientAdvert.self,
            ClientDiscover.self, ClientTrace.self, ClientImport.self, ClientReboot.self, ClientFactoryReset.self,
            ClientForget.self, ClientShell.self,
        ])

    @OptionGroup var options: ClientOptions
}

/// A command of `meshbed client` that works with a connection.
protocol ClientCommand: AsyncParsableCommand, Sendable {
    var options: ClientOptions { get }
    /// The sink that receives notifications of incoming messages.
    var sink: any NotificationSink { get }
    /// True when the output was synchronised: the command then fails if the synchronisation was incomplete.
    var showsSynchronised: Bool { get }
    /// True when the command resumes the radio of the last run, and waits for it.
    var resumes: Bool { get }

    /// Does what was asked for; returns whether it succeeded.
    @MainActor
    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool

    /// Handles a connection that failed; returns whether the command succeeded all the same.
    @MainActor
    func performOffline(_ app: ClientApp, because error: any Error) async throws -> Bool
}

/// A command of `meshbed client` that needs no radio.
protocol OfflineClientCommand: AsyncParsableCommand, Sendable {}

extension ClientCommand {
    var sink: any NotificationSink { MemoryNotificationSink() }
    var showsSynchronised: Bool { false }
    var resumes: Bool { false }

    func run() async throws {
        guard try await connectAndPerform() else { throw ExitCode(1) }
    }

    @MainActor
    func performOffline(_ app: ClientApp, because error: any Error) async throws -> Bool { throw error }

    @MainActor
    func connectAndPerform() async throws -> Bool {
        do {
            let (setup, claim) = try options.claimed()
            defer { claim?.release() }
            return try await perform(with: try await ClientApp(setup, sink: sink))
        } catch let code as ExitCode {
            throw code
        } catch {
            throw Console.failed("client", error)
        }
    }

    /// Connects, does what was asked for, and ends the connection.
    @MainActor
    func perform(with app: ClientApp) async throws -> Bool {
        let connection: ClientApp.Connection
        do { connection = try await resumes ? app.resume() : app.connect() } catch let error as StackError
            where error.operation == .connection
        {
            await app.manager.stop()
            return try await performOffline(app, because: error)
        }
        let result: Result<Bool, any Error>
        do { result = .success(try await perform(within: app, connection)) } catch { result = .failure(error) }
        await app.manager.stop()
        return try result.get()
    }

    /// Does what was asked for over a connection that stands.
    @MainActor
    func perform(within app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        if let shortfall = connection.shortfall {
            Console.note("meshbed client: the synchronisation is not complete: \(shortfall)")
        }
        do {
            let isDone = try await perform(app, connection)
            return isDone && (connection.shortfall == nil || !showsSynchronised)
        } catch let refusal where Self.isRefusal(refusal) {
            Console.note("meshbed client: \(refusal)")
            return false
        }
    }

    /// Tells whether a node or the radio refused or did not answer: the command was understood, and did not complete.
    private static func isRefusal(_ error: any Error) -> Bool {
        guard let operation = (error as? StackError)?.operation else { return false }
        return [.nodes, .requests, .settings, .pictures].contains(operation)
    }

    /// One value as JSON in one line.
    func json(_ value: some Encodable) throws -> String { try BenchCommand.line(value) }

    /// Prints one value, to people or to programs.
    func say(_ row: some Encodable & CustomStringConvertible) throws {
        Console.out(options.json ? try json(row) : "\(row)")
    }
}
