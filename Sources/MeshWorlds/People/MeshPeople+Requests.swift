import MeshCompanion
package import MeshFirmware
import MeshPacket
package import MeshSimulator
package import MeshTime
package import MeshWire

// What people do because somebody outside the world asks for it.

/// The texts that the app of one node has received, as far as they are kept.
package struct Inbox: Sendable {
    /// A text that an app has fetched.
    package struct Entry: Sendable {
        /// The way in which a text came.
        package enum Origin: Hashable, Sendable {
            /// From the contact whose key begins with these bytes.
            case direct(from: FixedBytes<6>)
            /// On the channel at this place.
            case channel(UInt8)
            /// In a room, by an author of whose key four bytes are known.
            case post(room: FixedBytes<6>, author: FixedBytes<4>)
        }

        /// The moment when the app received it.
        package let at: Instant
        package let origin: Origin
        package let text: String
    }

    /// Entries that are kept.
    package static let capacity = 10_000

    /// Oldest first.
    package private(set) var entries: [Entry] = []
    /// The number of earlier entries that were dropped.
    package private(set) var forgotten = 0

    package init() {}

    mutating func add(_ entry: Entry) {
        if entries.count == Self.capacity {
            entries.removeFirst(Self.capacity / 2)
            forgotten += Self.capacity / 2
        }
        entries.append(entry)
    }
}

extension MeshPeople {
    /// The reason why a node's app does not carry out a request.
    package enum Reluctance: Error, Hashable, Sendable {
        /// The node has no app: it is no companion radio.
        case noApp
        /// The node's app is a program outside.
        case foreign
        /// A text to itself.
        case itself
        /// The other node is none that texts are sent to.
        case noRecipient
        /// The other node is no room.
        case noRoom
        /// The room has not let it in.
        case notIn
        /// The radio has no channel at this place.
        case noChannel(UInt8)
    }

    /// The texts that the app of a node has received.
    package func inbox(of node: NodeID) throws(Reluctance) -> Inbox {
        try check(node.index)
        return inboxes[node.index] ?? Inbox()
    }

    /// Tells whether a room has accepted the login of a node's app.
    package func isIn(_ node: NodeID, _ room: RoomServer) -> Bool {
        rooms[node.index].contains { room.publicKey.starts(with: $0.array) }
    }

    /// True while an app waits for its radio or has a command to send.
    package var isBusy: Bool { apps.contains { $0?.isBusy == true } }

    /// The number of messages that were written so far.
    package var messageCount: Int { ledger.count }

    /// The facts about a message; `nil` when there is none of this number.
    package func account(of number: Int, at now: Instant) -> MessageAccount? {
        (1...max(1, ledger.count)).contains(number) && ledger.count > 0 ? ledger.account(of: number, at: now) : nil
    }

    /// Has the app of a node send a text to another node, which becomes a contact; returns the message's number.
    package mutating func send(
        _ text: String, from node: NodeID, to other: NodeID, in world: inout World
    ) throws(Reluctance) -> Int {
        try check(node.index)
        guard node != other else { throw .itself }
        guard world.companion(other) != nil else { throw .noRecipient }
        acquaint(node.index, with: other.index, in: &world)
        let event = Traffic.Event(at: world.now, from: node.index, message: .directText(to: other.index, text))
        return say(event, in: &world)
    }

    /// Has the app of a node say a text on the channel at this place of its radio.
    package mutating func say(
        _ text: String, on channel: UInt8, from node: NodeID, in world: inout World
    ) throws(Reluctance) -> Int {
        try check(node.index)
        // The firmware would send on an unused slot too, with a key that nobody else has.
        guard world.companion(node)?.channels[Int(channel)]?.isUnused == false else { throw .noChannel(channel) }
        let event = Traffic.Event(at: world.now, from: node.index, message: .channelText(text))
        return say(event, channel: channel, in: &world)
    }

    /// Has the app of a node send an advert; repeaters forward one with `isFlood`.
    package mutating func advert(
        from node: NodeID, isFlood: Bool, in world: inout World
    ) throws(Reluctance) -> Int {
        try check(node.index)
        return say(Traffic.Event(at: world.now, from: node.index, message: .advert), isFlood: isFlood, in: &world)
    }

    /// Has the app of a node log in at a room; `isIn` says when it is let in.
    package mutating func enter(
        _ room: NodeID, password: String, from node: NodeID, in world: inout World
    ) throws(Reluctance) {
        try check(node.index)
        guard let server = world.firmware(room) as? RoomServer else { throw .noRoom }
        acquaint(node.index, with: room.index, in: &world)
        let login = SendLogin(publicKey: server.publicKey, password: ByteText(password))
        change(node.index) { $0.queue(login) }
    }

    /// Has the app of a node post a text in a room that has accepted its login; returns the message's number.
    package mutating func post(
        _ text: String, from node: NodeID, in room: NodeID, _ world: inout World
    ) throws(Reluctance) -> Int {
        try check(node.index)
        guard let server = world.firmware(room) as? RoomServer else { throw .noRoom }
        guard isIn(node, server) else { throw .notIn }
        let event = Traffic.Event(at: world.now, from: node.index, message: .directText(to: room.index, text))
        return say(event, in: &world)
    }

    private func check(_ node: Int) throws(Reluctance) {
        guard topology.nodes[node].role == .companion else { throw .noApp }
        guard !isForeign[node] else { throw .foreign }
    }

    // MARK: News

    /// Keeps what an app has learned, where it is asked for.
    mutating func learn(_ news: MeshApp.News, of node: Int, at now: Instant) {
        guard !inboxes.isEmpty else { return }
        switch news {
        case .received(let message):
            let sender = message.publicKeyPrefix
            let isPost = message.textType == .signedPlain
            let origin: Inbox.Entry.Origin =
                isPost ? .post(room: sender, author: message.authorPrefix) : .direct(from: sender)
            keep(Inbox.Entry(at: now, origin: origin, text: message.text.string), of: node)
        case .heard(let message):
            keep(Inbox.Entry(at: now, origin: .channel(message.channelIndex), text: message.text.string), of: node)
        case .loggedIn(let prefix): rooms[node].insert(prefix)
        case .taken, .refused, .confirmed, .answered, .logged: break
        }
    }

    private mutating func keep(_ entry: Inbox.Entry, of node: Int) {
        var inbox = inboxes[node] ?? Inbox()
        // No second copy while it grows.
        inboxes[node] = nil
        inbox.add(entry)
        inboxes[node] = inbox
    }
}
