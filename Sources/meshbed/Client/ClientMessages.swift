import ArgumentParser
import MeshWire
import PocketMeshServices

/// `meshbed client messages`.
struct ClientMessages: OfflineClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Read stored messages; no radio is needed.",
        discussion: """
            Reads the database of the radio that was connected last. Without a name it lists conversations.

            Examples:
              meshbed client --db radio.sqlite messages
              meshbed client --db radio.sqlite messages bob --limit 20
              meshbed client --db radio.sqlite messages Public --json
              meshbed client --db radio.sqlite messages --search 'north hill'
              meshbed client --db radio.sqlite messages bob --mark-read
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: "A contact's or a channel's name.")
    var name: String?

    @Option(help: "So many of the latest.")
    var limit = 50

    @Option(help: ArgumentHelp("Messages with these characters in their text alone.", valueName: "text"))
    var search: String?

    @Flag(help: "Mark the messages of the conversation as read.")
    var markRead = false

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be 1 or more") }
        if search?.isEmpty == true { throw ValidationError("--search needs a text") }
        if markRead, name == nil { throw ValidationError("--mark-read needs the name of a conversation") }
    }

    func run() async throws {
        do {
            try await read(ClientSetup(options).db)
        } catch {
            throw Console.failed("client", error)
        }
    }

    /// The place that messages are read from: one conversation, or all.
    private struct Conversation {
        var thread: MessageThread
        var channel: String?
    }

    func read(_ db: String?) async throws {
        guard let db else { throw ClientError.noDatabase("messages are read from a database") }
        let store = try PersistenceStore(path: db, options: .init(isReadOnly: !markRead))
        guard let device = try await store.fetchActiveDevice() else { throw ClientError.noRadio }
        let contacts = try await store.fetchContacts(deviceID: device.id)
        let channels = try await store.fetchChannels(deviceID: device.id)
        if name == nil, search == nil {
            let rows =
                contacts.filter { $0.lastMessageDate != nil }.map { PrintedConversation($0) }
                + channels.map { PrintedConversation($0) }
            for row in rows { try say(row) }
            return
        }
        let conversation = try name.map { try Self.conversation($0, contacts, channels) }
        let messages =
            if let search {
                try await store.searchMessages(
                    deviceID: device.id, for: search, in: conversation?.thread, limit: limit)
            } else if let conversation {
                try await store.fetchMessages(deviceID: device.id, thread: conversation.thread, limit: limit)
            } else {
                [MessageDTO]()
            }
        for message in messages {
            try say(Self.row(message, contacts, channels, in: conversation))
        }
        if markRead, let conversation { try await Self.markRead(conversation.thread, in: store) }
    }

    private static func conversation(
        _ name: String, _ contacts: [ContactDTO], _ channels: [ChannelDTO]
    ) throws(ClientError) -> Conversation {
        if let contact = contacts.first(where: { $0.displayName == name || $0.name == name }) {
            return Conversation(thread: .contact(contact.id))
        }
        guard let channel = channels.first(where: { $0.displayName == name }) else {
            throw .unknownConversation(name)
        }
        return Conversation(thread: .channel(channel.id), channel: channel.displayName)
    }

    private static func row(
        _ message: MessageDTO, _ contacts: [ContactDTO], _ channels: [ChannelDTO], in conversation: Conversation?
    ) -> MessageRow {
        let contact = contacts.first { $0.id == message.contactID }?.displayName
        let channel = conversation?.channel ?? channels.first { $0.id == message.channelID }?.displayName
        return message.isOutgoing
            ? MessageRow(sent: message, to: contact, channel: channel)
            : MessageRow(received: message, from: message.senderNodeName ?? contact, channel: channel)
    }

    private static func markRead(_ thread: MessageThread, in store: PersistenceStore) async throws {
        switch thread {
        case .contact(let id): try await store.clearUnreadCount(contactID: id)
        case .channel(let id): try await store.clearChannelUnreadCount(channelID: id)
        case .unknownSender, .unknownChannel: break
        }
    }

    private func say(_ row: some Encodable & CustomStringConvertible) throws {
        Console.out(options.json ? try BenchCommand.line(row) : "\(row)")
    }
}

/// A conversation in the list.
struct PrintedConversation: Encodable, CustomStringConvertible {
    let name: String
    let kind: String
    let unread: Int

    init(_ contact: ContactDTO) {
        name = contact.displayName
        kind = "direct"
        unread = contact.unreadCount
    }

    init(_ channel: ChannelDTO) {
        name = channel.displayName
        kind = "channel"
        unread = channel.unreadCount
    }

    var description: String { "\(name) (\(kind))" + (unread == 0 ? "" : ": \(unread) unread") }
}
