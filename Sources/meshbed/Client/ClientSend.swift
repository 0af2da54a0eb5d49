import ArgumentParser
import FoundationEssentials
import MeshCompanion
import MeshWire
import PocketMeshServices
import PocketMeshUI

/// `meshbed client send`.
struct ClientSend: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send a message to a contact and wait for its delivery.",
        discussion: """
            Shows each attempt, the route that it takes, and what became of the message. The exit status is 1 when it was \
            not confirmed. With --db, a message that finds no radio is queued; the next command that connects sends it.

            Examples:
              meshbed client send bob 'are you there?' --retries direct-first
              meshbed client --db radio.sqlite send bob 'see you at six'
              meshbed client --db radio.sqlite sync
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: "The contact's name, or the beginning of its key.")
    var name: String

    @Argument(help: "At most 160 bytes of UTF-8.")
    var text: String

    func validate() throws {
        let limit = (options.givenRetries ?? .balanced).profile.messages.directLimit
        guard 1...limit ~= text.utf8.count else {
            throw ValidationError("a message has 1 to \(limit) bytes, this one has \(text.utf8.count)")
        }
    }

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let contact = try await connection.contact(name, of: [.chat, .room, .sensor])
        let isJSON = options.json
        let messages = connection.services.messageService
        if !isJSON {
            Console.out("to \(contact.displayName): first attempt, \(Self.way(contact.routing))")
        }
        let progress = isJSON ? nil : connection.services.events.observe { Self.say($0) }
        defer { progress?.cancel() }
        let message = try await messages.sendMessageWithRetry(text: text, to: contact)
        if isJSON {
            Console.out(try json(MessageRow(sent: message, to: contact.displayName)))
        } else {
            Console.out(Self.fate(message))
        }
        return message.status == .delivered
    }

    func performOffline(_ app: ClientApp, because error: any Error) async throws -> Bool {
        // Without a database the queue would end with the command.
        guard app.setup.db != nil, let device = try await app.store.fetchActiveDevice() else { throw error }
        let contacts = try await app.store.fetchContacts(deviceID: device.id)
        let contact = try contacts.contact(name, of: [.chat, .room, .sensor])
        let outbox = MessageOutbox(store: app.store, profile: app.setup.profile, dependencies: app.dependencies)
        let message = try await outbox.enqueueDirectMessage(text: text, to: contact)
        Console.note("meshbed client: \(error)")
        Console.out(
            options.json ? try json(MessageRow(sent: message, to: contact.displayName)) : Self.fate(message))
        return false
    }

    /// Prints the progress of a message.
    private static func say(_ event: StackEvent) {
        switch event {
        case .messageRetried(_, let retry, let most):
            Console.out("not confirmed in time: attempt \(retry + 1) of \(most + 1)")
        case .sendChangedPath(_, let isFlood):
            Console.out(isFlood ? "the path is forgotten: by flood from now on" : "a path is known from now on")
        default: break
        }
    }

    private static func way(_ routing: ContactDTO.Routing) -> String {
        switch routing {
        case .unknown: "by flood"
        case .path(_, 0): "directly"
        case .path(_, let hops): "by a path of \(hops.counted("hop"))"
        }
    }

    private static func fate(_ message: MessageDTO) -> String {
        let attempts = "\(message.retryAttempt + 1) attempt\(message.retryAttempt == 0 ? "" : "s")"
        switch message.status {
        case .delivered:
            let trip = message.roundTripTime.map { " after \((Double($0) / 1000).fixed(1)) s" } ?? ""
            return "delivered\(trip), \(attempts)"
        case .failed: return "not delivered: it was not confirmed, \(attempts)"
        case .pending: return "queued: it is sent when the radio is connected again"
        default: return "sent, not confirmed: the link went, \(attempts)"
        }
    }
}

/// `meshbed client channel`.
struct ClientChannel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "List, use, join, share and leave channels.",
        subcommands: [List.self, Send.self, Join.self, Share.self, Leave.self], defaultSubcommand: List.self)

    @OptionGroup var options: ClientOptions

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "List the channels of the radio.")

        @OptionGroup var options: ClientOptions

        var showsSynchronised: Bool { true }

        func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
            let channels = try await connection.services.channelService.getChannels(deviceID: connection.device.id)
            let rows = channels.map(PrintedChannel.init)
            if options.json {
                Console.out(try json(rows))
            } else {
                for line in TextTable.lines(PrintedChannel.heading, rows.map(\.columns), indent: "") {
                    Console.out(line)
                }
            }
            return true
        }
    }

    struct Send: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a text to a channel; it is not confirmed.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "The channel's name or slot.")
        var channel: String

        @Argument(help: "At most 160 bytes, less the node's name and two.")
        var text: String

        func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
            let channel = try await connection.channel(channel)
            let id = try await connection.services.messageService.sendChannelMessage(
                text: text, channelIndex: channel.index, deviceID: connection.device.id)
            guard let message = try await app.store.fetchMessage(id: id) else { return false }
            Console.out(
                options.json
                    ? try json(MessageRow(sent: message, to: nil, channel: channel.displayName))
                    : "\(message.status) on \(channel.displayName)")
            return message.status == .sent
        }
    }

    struct Join: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Join or create a channel.",
            discussion: """
                The secret of a name that begins with # is made from the name, so everybody who knows the name is a \
                member. That of Public is known to all. A link or the text of a QR code has all there is to know; its \
                region is kept, and only repeaters of that region relay what is sent to the channel.

                Examples:
                  meshbed client channel join '#bot'
                  meshbed client channel join family --passphrase 'correct horse'
                  meshbed client channel join crew --secret 00112233445566778899aabbccddeeff
                  meshbed client channel join '#bot' --region de
                  meshbed client channel join \\
                    'meshcore://channel/add?name=crew&secret=…&region_scope=de'
                """)

        @OptionGroup var options: ClientOptions

        @Argument(help: "A name of at most 31 bytes, or a channel's link.")
        var name: String

        @Option(help: "Make the secret from this text.")
        var passphrase: String?

        @Option(help: "The secret, 16 bytes in hex.")
        var secret: String?

        @Option(help: "Send with the scope of this region; '' for that of the radio.")
        var region: String?

        func validate() throws {
            if name.hasPrefix("meshcore:") {
                guard link != nil else { throw ValidationError("this is no link of a channel") }
                guard passphrase == nil, secret == nil else {
                    throw ValidationError("a link has the secret: --passphrase and --secret do not go with it")
                }
                return
            }
            if passphrase != nil, secret != nil {
                throw ValidationError("--passphrase and --secret exclude each other")
            }
            if passphrase == nil, secret == nil, !name.hasPrefix("#"), !isPublic {
                throw ValidationError("a name without # needs --passphrase or --secret; only Public does not")
            }
            guard 1..<CompanionLimits.name ~= name.utf8.count else {
                throw ValidationError(
                    "a name has 1 to \(CompanionLimits.name - 1) bytes, this one has \(name.utf8.count)")
            }
            if let secret, Self.bytes(secret) == nil { throw ValidationError("--secret needs 32 hex digits") }
        }

        /// True for the channel that every radio has, with a secret that is public.
        private var isPublic: Bool { name == "Public" && passphrase == nil && secret == nil }

        private var link: ChannelLink? { ChannelLink(name) }

        private static func bytes(_ hex: String) -> Data? {
            [UInt8](hex: hex).flatMap { $0.count == 16 ? Data($0) : nil }
        }

        func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
            let channels = connection.services.channelService
            var channel =
                if let link {
                    try await channels.importChannel(uri: "\(link)", deviceID: connection.device.id)
                } else if isPublic {
                    try await channels.setupPublicChannel(deviceID: connection.device.id)
                } else if let secret = secret.flatMap(Self.bytes) {
                    try await channels.createChannel(deviceID: connection.device.id, name: name, secret: secret)
                } else {
                    try await channels.createChannel(
                        deviceID: connection.device.id, name: name, passphrase: passphrase ?? name)
                }
            if let region { channel = try await channels.setRegionScope(id: channel.id, region) }
            Console.out(
                options.json
                    ? try json(PrintedChannel(channel)) : "\(channel.displayName) is in slot \(channel.index)")
            return true
        }
    }

    struct Share: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the link of a channel, with its secret and its region.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "The channel's name or slot.")
        var channel: String

        @Flag(name: .customLong("qr"), help: "Show the link as a QR code as well.")
        var showsCode = false

        func validate() throws {
            if showsCode, options.json {
                throw ValidationError("--qr and --json exclude each other: a code is for people")
            }
        }

        func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
            let channel = try await connection.channel(channel)
            let link = try await connection.services.channelService.exportChannelURI(id: channel.id)
            if showsCode {
                Console.code(link)
            } else {
                Console.out(options.json ? try json(LinkRow(name: channel.displayName, link: link)) : link)
            }
            return true
        }
    }

    struct Leave: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a channel from the radio; messages stay.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "The channel's name or slot.")
        var channel: String

        func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
            let channel = try await connection.channel(channel)
            try await connection.services.channelService.clearChannel(
                deviceID: connection.device.id, index: channel.index)
            Console.out(options.json ? try json(PrintedChannel(channel)) : "left \(channel.displayName)")
            return true
        }
    }
}
