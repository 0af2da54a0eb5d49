import ArgumentParser
import Foundation
import PocketMeshServices

/// `meshbed client`: the service stack on the command line.
struct Client: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Use a radio as an app does: contacts, messages, channels, rooms, repeaters, settings.",
        discussion: """
            Connects to a companion radio with the whole service stack, brings contacts, channels and messages up to \
            date, does what was asked for, and ends. With --db what was synchronised stays, so that the next run asks \
            for what is new.

            Examples:
              meshbed client --target tcp://127.0.0.1:5000 info
              meshbed client --target serial:/dev/ttyUSB0 --db radio.sqlite contacts
              meshbed client send bob 'are you there?'
              meshbed client --db radio.sqlite messages bob
              meshbed client channel send Public 'hello all'
              meshbed client login rep1 --password password --command ver --command 'get name'
              meshbed client room room1 --password hello --post 'good morning'
              meshbed client watch --json
              meshbed client settings --name alice --preset eu-narrow

            Exit status: 0 when it was done, 1 when a message was not delivered or a node refused, 2 when the radio could \
            not be reached or the arguments were not understood.
            """,
        subcommands: [
            ClientInfo.self, ClientContacts.self, ClientSend.self, ClientMessages.self, ClientChannel.self,
            ClientLogin.self,
            ClientRoom.self, ClientSync.self, ClientWatch.self, ClientSettings.self,
        ])

    @OptionGroup var options: ClientOptions
}

/// A command of `meshbed client` that works with a connection.
protocol ClientCommand: AsyncParsableCommand, Sendable {
    var options: ClientOptions { get }
    /// Who is told of messages that come.
    var sink: any NotificationSink { get }

    /// Does what was asked for; whether it came to a good end.
    @MainActor
    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool
}

extension ClientCommand {
    var sink: any NotificationSink { MemoryNotificationSink() }

    func run() async throws {
        guard try await connectAndPerform() else { throw ExitCode(1) }
    }

    @MainActor
    func connectAndPerform() async throws -> Bool {
        do {
            let app = try await ClientApp(options, sink: sink)
            let connection = try await app.connect()
            let result: Result<Bool, any Error>
            do { result = .success(try await perform(app, connection)) } catch { result = .failure(error) }
            await app.manager.stop()
            return try result.get()
        } catch let code as ExitCode {
            throw code
        } catch {
            throw Console.failed("client", error)
        }
    }

    /// One value as JSON in one line.
    func json(_ value: some Encodable) throws -> String { try Bench.line(value) }
}
