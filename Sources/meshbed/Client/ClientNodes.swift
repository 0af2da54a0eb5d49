import ArgumentParser
import FoundationEssentials
import MeshPacket
import PocketMeshServices
import PocketMeshUI

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

    /// Logs in to a node; throws a `StackError` when it does not let us in.
    @MainActor
    func logIn(
        to contact: ContactDTO, of connection: ClientApp.Connection
    ) async throws -> (session: RemoteNodeSessionDTO, login: LoginResult) {
        let nodes = connection.services.remoteNodeService
        let session = try await nodes.createSession(
            deviceID: connection.device.id, contact: contact, password: value, rememberPassword: !forget)
        return (session, try await nodes.login(sessionID: session.id, password: value))
    }
}

/// `meshbed client login`.
struct ClientLogin: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Log in to a repeater, room or sensor, and send it commands.",
        discussion: """
            Examples:
              meshbed client login rep1 --password password
              meshbed client login rep1 --status --neighbours
              meshbed client login rep1 --command ver --command 'set name North Hill'
              meshbed client login sens1 --telemetry --command 'sensor list'

            The exit status is 1 when the node refused or did not answer.
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var password: PasswordOptions

    @Argument(help: "The node's name, or the beginning of its key.")
    var name: String

    @Flag(help: "Ask how it is doing; sensors never answer that.")
    var status = false

    @Flag(help: "Ask what it measures.")
    var telemetry = false

    @Flag(help: "Ask a repeater for the repeaters that it hears.")
    var neighbours = false

    @Option(
        name: .customLong("command"), help: ArgumentHelp("A command line for it; may be repeated.", valueName: "text"))
    var commands: [String] = []

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let services = connection.services
        let contact = try await connection.contact(name, of: [.repeater, .room, .sensor])
        if status, contact.type == .sensor {
            Console.note("meshbed client: a sensor does not say how it is doing; --telemetry asks what it measures")
            return false
        }
        let (session, login) = try await password.logIn(to: contact, of: connection)
        try say(LoginRow(node: contact.displayName, permission: "\(login.permissionLevel)"))
        if status {
            try say(StatusRow(try await services.remoteNodeService.requestStatus(sessionID: session.id)))
        }
        if telemetry {
            for point in try await services.remoteNodeService.requestTelemetry(sessionID: session.id) {
                try say(MeasurementRow(point))
            }
        }
        if neighbours {
            let heard = try await services.repeaterAdminService.fetchAllNeighbors(sessionID: session.id)
            let contacts = try await app.store.fetchContacts(deviceID: connection.device.id)
            for neighbour in heard { try say(PrintedNeighbour(neighbour, among: contacts)) }
            if heard.isEmpty, !options.json { Console.out("it has heard no other repeater") }
        }
        for command in commands {
            let answer = try await services.remoteNodeService.sendCLICommand(sessionID: session.id, command: command)
            try say(AnswerRow(command: command, answer: answer))
        }
        return true
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
        try ClientOptions.check("--wait", wait)
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let contact = try await connection.contact(name, of: [.room])
        let rooms = connection.services.roomServerService
        let clock = connection.services.dependencies.clock
        let room = try await rooms.joinRoom(
            deviceID: connection.device.id, contact: contact, password: password.value,
            rememberPassword: !password.forget)
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
