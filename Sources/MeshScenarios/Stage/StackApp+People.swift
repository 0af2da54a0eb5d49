import FoundationEssentials
import MeshWire
import PocketMeshServices

// What only a whole stack can do.
extension StackApp {
    /// Nodes that were heard and are no contacts.
    func discoveries() async throws -> [ContactDTO] {
        try await services().contactService.getDiscoveredContacts(deviceID: device())
    }

    func discovered(_ key: FixedBytes<32>) async throws -> ContactDTO {
        guard let contact = try await discoveries().first(where: { $0.publicKey == Data(key.array) }) else {
            throw ScenarioError("the app has discovered no such node")
        }
        return contact
    }

    /// Sends a failed text once more.
    func tryAgain(_ text: String, to key: FixedBytes<32>) async throws {
        let contact = try await contact(key)
        let services = try services()
        let rows = try await store.fetchMessages(deviceID: device(), thread: .contact(contact.id), limit: .max)
        guard let failed = rows.last(where: { $0.text == text && $0.status == .failed }) else {
            throw ScenarioError("“\(text)” has not failed")
        }
        try await underway { begun in
            begun()
            return try await services.messageService.retryDirectMessage(messageID: failed.id, to: contact)
        }
    }
}

// What the store says beside the messages.
extension StackApp {
    /// A conversation that counts another number of unread messages than it has; `nil` when there is none.
    func miscount() async throws -> String? {
        let device = try device()
        for contact in try await store.fetchContacts(deviceID: device) {
            let rows = try await store.fetchMessages(deviceID: device, thread: .contact(contact.id), limit: .max)
            if let wrong = Self.miscount(contact.unreadCount, rows, contact.name) { return wrong }
        }
        for channel in try await store.fetchChannels(deviceID: device) {
            let rows = try await store.fetchMessages(deviceID: device, thread: .channel(channel.id), limit: .max)
            if let wrong = Self.miscount(channel.unreadCount, rows, channel.name) { return wrong }
        }
        for room in try await store.fetchRemoteNodeSessions(deviceID: device) where room.isRoom {
            let posts = try await store.fetchRoomMessages(sessionID: room.id, limit: .max).count { !$0.isFromSelf }
            if room.unreadCount != posts { return "\(room.name) counts \(room.unreadCount) unread, and \(posts) are" }
        }
        return nil
    }

    private static func miscount(_ counted: Int, _ rows: [MessageDTO], _ name: String) -> String? {
        let unread = rows.count { $0.direction == .incoming && !$0.isRead }
        return counted == unread ? nil : "\(name) counts \(counted) unread, and \(unread) are"
    }

    /// Describes sends that still wait, and messages without a known sender or channel; `nil` when there are none.
    func rest() async throws -> String? {
        let device = try device()
        let queued = try await store.countPendingMessages(deviceID: device)
        if queued > 0 { return "\(queued) sends still wait" }
        var threads = try await knownKeys().map(\.sixBytes).sorted { $0.array.lexicographicallyPrecedes($1.array) }
            .map { MessageThread.unknownSender(Data($0.array)) }
        threads += channels.indices.map { .unknownChannel(UInt8($0)) }
        for thread in threads {
            let rows = try await store.fetchMessages(deviceID: device, thread: thread, limit: .max)
            if let row = rows.first { return "“\(row.text)” is nobody's" }
        }
        return nil
    }
}

extension Stage {
    /// The app of a person who has a whole stack.
    func stackApp(of member: Member) throws -> StackApp {
        guard let app = try app(of: member) as? StackApp else {
            throw ScenarioError("\(member.name) has a bare session, and this needs a whole stack")
        }
        return app
    }
}
