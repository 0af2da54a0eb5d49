import ArgumentParser
import Foundation
import MeshWire
import PocketMeshServices

/// `meshbed client messages`.
struct ClientMessages: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Read stored messages; no radio is needed.",
        discussion: """
            Reads the database of the radio that was connected last. Without a name it lists conversations.

            Examples:
              meshbed client --db radio.sqlite messages
              meshbed client --db radio.sqlite messages bob --limit 20
              meshbed client --db radio.sqlite messages Public --json
            """)

    @OptionGroup var options: ClientOptions

    @Argument(help: "A contact's or a channel's name.")
    var name: String?

    @Option(help: "So many of the latest.")
    var limit = 50

    func validate() throws {
        if options.db == nil { throw ValidationError("messages are read from a database: --db FILE") }
        if limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws {
        do {
            try await read()
        } catch {
            throw Console.failed("client", error)
        }
    }

    private func read() async throws {
        let store = try PersistenceStore(path: options.db ?? "", options: .init(isReadOnly: true))
        guard let device = try await store.fetchActiveDevice() else { throw ClientError.noRadio }
        let contacts = try await store.fetchContacts(deviceID: device.id)
        let channels = try await store.fetchChannels(deviceID: device.id)
        guard let name else {
            let rows =
                contacts.filter { $0.lastMessageDate != nil }.map { ConversationRow($0) }
                + channels.map { ConversationRow($0) }
            for row in rows { try say(row) }
            return
        }
        let thread: MessageThread
        var channelName: String?
        if let contact = contacts.first(where: { $0.displayName == name || $0.name == name }) {
            thread = .contact(contact.id)
        } else if let channel = channels.first(where: { $0.displayName == name }) {
            thread = .channel(channel.id)
            channelName = channel.displayName
        } else {
            throw ClientError.unknownConversation(name)
        }
        let messages = try await store.fetchMessages(deviceID: device.id, thread: thread, limit: limit)
        for message in messages {
            try say(
                message.isOutgoing
                    ? MessageRow(sent: message, to: name, channel: channelName)
                    : MessageRow(received: message, from: message.senderNodeName ?? name, channel: channelName))
        }
    }

    private func say(_ row: some Encodable & CustomStringConvertible) throws {
        Console.out(options.json ? try Bench.line(row) : "\(row)")
    }
}

/// A conversation in the list.
struct ConversationRow: Encodable, CustomStringConvertible {
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
