import ArgumentParser
import Foundation
import PocketMeshServices

/// The password of a node: from the option, the environment, or what an earlier login kept.
struct PasswordOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The node's password; MESHBED_PASSWORD in the environment when not given, else the one that an earlier "
                + "login has kept.", valueName: "text"))
    var password: String?

    @Flag(help: "Don't keep the password after the login.")
    var forget = false

    var value: String? { password ?? ProcessInfo.processInfo.environment["MESHBED_PASSWORD"] }
}

/// `meshbed client login`.
struct ClientLogin: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to a repeater or room, and ask or command it.",
        discussion: """
            Examples:
              meshbed client login rep1 --password password
              meshbed client login rep1 --status --neighbours
              meshbed client login rep1 --command ver --command 'set name North Hill'

            The exit status is 1 when the node refused or did not answer.
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var password: PasswordOptions

    @Argument(help: "The node's name, or the beginning of its key.")
    var name: String

    @Flag(help: "Ask how it is doing.")
    var status = false

    @Flag(help: "Ask a repeater for the repeaters that it hears.")
    var neighbours = false

    @Option(
        name: .customLong("command"), help: ArgumentHelp("A command line for it; may be repeated.", valueName: "text"))
    var commands: [String] = []

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let services = connection.services
        let contact = try await connection.contact(name, of: [.repeater, .room])
        do {
            let session = try await services.remoteNodeService.createSession(
                deviceID: connection.device.id, contact: contact, password: password.value,
                rememberPassword: !password.forget)
            let login = try await services.remoteNodeService.login(sessionID: session.id, password: password.value)
            try say(LoginRow(node: contact.displayName, permission: "\(login.permissionLevel)"))
            if status {
                try say(StatusRow(try await services.remoteNodeService.requestStatus(sessionID: session.id)))
            }
            if neighbours {
                let heard = try await services.repeaterAdminService.fetchAllNeighbors(sessionID: session.id)
                for neighbour in heard { try say(NeighbourRow(neighbour)) }
                if heard.isEmpty, !options.json { Console.out("it has heard no other repeater") }
            }
            for command in commands {
                let answer = try await services.remoteNodeService.sendCLICommand(
                    sessionID: session.id, command: command)
                try say(AnswerRow(command: command, answer: answer))
            }
            return true
        } catch let error as RemoteNodeError {
            Console.note("meshbed client: \(error)")
            return false
        }
    }

    private func say(_ row: some Encodable & CustomStringConvertible) throws {
        Console.out(options.json ? try json(row) : "\(row)")
    }
}

/// `meshbed client room`.
struct ClientRoom: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Join a room, post, and read what others posted.",
        discussion: """
            Examples:
              meshbed client room room1 --password hello
              meshbed client --db radio.sqlite room room1 --post 'good morning' --wait 60
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var password: PasswordOptions

    @Argument(help: "The room's name, or the beginning of its key.")
    var name: String

    @Option(help: ArgumentHelp("Post this.", valueName: "text"))
    var post: String?

    @Option(help: ArgumentHelp("Wait so long for posts: a room brings them one by one.", valueName: "seconds"))
    var wait = 20

    func validate() throws {
        guard 0...ClientOptions.longestWait ~= wait else {
            throw ValidationError("--wait is 0 to \(ClientOptions.longestWait) seconds")
        }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let contact = try await connection.contact(name, of: [.room])
        let rooms = connection.services.roomServerService
        let clock = connection.services.surroundings.clock
        let room: RemoteNodeSessionDTO
        do {
            room = try await rooms.joinRoom(
                deviceID: connection.device.id, contact: contact, password: password.value,
                rememberPassword: !password.forget)
        } catch let error as RemoteNodeError {
            Console.note("meshbed client: \(error)")
            return false
        }
        if !options.json { Console.out("in \(contact.displayName) as \(room.permissionLevel)") }
        if let post { _ = try await rooms.postMessage(sessionID: room.id, text: post) }
        try await clock.sleep(for: .seconds(wait))
        let posts = try await rooms.fetchMessages(sessionID: room.id)
        for message in posts {
            let row = MessageRow(post: message, in: contact.displayName)
            Console.out(options.json ? try json(row) : "\(row)")
        }
        let own = posts.last { $0.isFromSelf && $0.text == post }
        return post == nil || own?.status == .delivered
    }
}
