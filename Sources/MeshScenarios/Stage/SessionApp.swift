import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshWire
import PocketMeshServices

/// An app of one session. It fetches what arrives, shows repetitions once, and sends each text once, or again until it
/// is confirmed or given up.
///
/// It stands for the clients of others, and changes when their habits do; a scenario chooses these. So it is no
/// `StackApp`, whose policies send, resume and synchronise by themselves. And it is no `MeshApp`, which has no link:
/// the same scenario is played with real radios.
actor SessionApp: ScenarioApp {
    private let link: any MeshTransport
    private let dependencies: ServiceDependencies
    private let seconds: @Sendable () -> UInt32
    /// The number of times that a text is sent at most. From the third time on, it floods without a path.
    private let attempts: Int
    /// Tells whether each attempt has its own time, which makes it another text for its recipients.
    private let datesEachAttempt: Bool
    private static let attemptsOnPath = 2
    private var pauses: RandomStream
    private var current: MeshCoreSession?
    private var polling: MessagePollingService?
    private var book: [ScenarioMessage] = []
    /// Indices in the book of received texts, by thread, text and the sender's time.
    private var received: [Arrival: Int] = [:]
    private var channels: [ChannelWord] = [.everybody]
    private var rooms: Set<FixedBytes<32>> = []
    private var lastTimestamp: UInt32 = 0
    private var lastLine: (text: String, slot: UInt8, timestamp: UInt32)?
    private var waits: [Task<Void, Never>] = []

    init(
        link: any MeshTransport, dependencies: ServiceDependencies, attempts: Int, datesEachAttempt: Bool = false,
        pauses: RandomStream, seconds: @escaping @Sendable () -> UInt32
    ) {
        self.link = link
        self.dependencies = dependencies
        self.attempts = attempts
        self.datesEachAttempt = datesEachAttempt
        self.pauses = pauses
        self.seconds = seconds
    }

    func open() async throws {
        // A session does not outlive its link; whoever opens the app again begins a new one.
        await close()
        let session = MeshCoreSession(transport: link, clock: dependencies.clock)
        try await session.start()
        try await session.queryDeviceIfTold()
        current = session
        await fetchMessages(of: session)
    }

    /// Fetches messages each time the radio announces some.
    private func fetchMessages(of session: MeshCoreSession) async {
        guard let key = await session.currentSelfInfo?.publicKey else { return }
        var profile = StackProfile()
        // A drain that fails is over: the radio calls again, or the link has gone.
        profile.sync.retries = 0
        let polling = MessagePollingService(session: session, store: nil, profile: profile, dependencies: dependencies)
        self.polling = polling
        await polling.setIntake(MessageIntake(all: { [weak self] message in await self?.take(message) }))
        await polling.startAutoFetch(deviceID: StableIdentifier.device(publicKey: Data(key.array)))
    }

    func close() async {
        for wait in waits { wait.cancel() }
        waits = []
        await polling?.stop()
        polling = nil
        await current?.stop()
        current = nil
    }

    func session() async throws -> MeshCoreSession {
        guard let current else { throw ScenarioError("the app is not connected to its radio") }
        return current
    }

    func isConnected() async -> Bool {
        guard current != nil else { return false }
        return await link.connectionState == .connected
    }

    func messages() -> [ScenarioMessage] { book }

    // MARK: Sending

    /// Rooms treat a text of the same second as a repetition, and so do radios.
    private func freshTimestamp() -> UInt32 {
        lastTimestamp = max(seconds(), lastTimestamp &+ 1)
        return lastTimestamp
    }

    func send(_ text: String, to key: FixedBytes<32>) async throws {
        try await send(text, to: key, in: .contact(key.sixBytes))
    }

    private func send(_ text: String, to key: FixedBytes<32>, in thread: ScenarioMessage.Thread) async throws {
        let session = try await session()
        let index = book.count
        book.append(ScenarioMessage(text: text, thread: thread, standing: .sending))
        do {
            let outgoing = Outgoing(text: text, key: key, timestamp: freshTimestamp(), session: session)
            let sent = try await attempt(0, of: outgoing)
            book[index].standing = .sent
            book[index].isFlood = sent.route == 1
            waits.append(Task(name: "confirmation") { await self.confirm(index, sent, outgoing) })
        } catch {
            book[index].standing = .failed
            throw error
        }
    }

    /// A text with what all its attempts have in common.
    private struct Outgoing: Sendable {
        let text: String
        let key: FixedBytes<32>
        var timestamp: UInt32
        let session: MeshCoreSession
    }

    /// Sends it; an app that makes several attempts waits while its radio has no packet free.
    private func attempt(_ number: Int, of outgoing: Outgoing) async throws -> MessageSentInfo {
        while true {
            do {
                return try await outgoing.session.sendMessage(
                    to: .bytes(outgoing.key.array), text: outgoing.text, timestamp: outgoing.timestamp,
                    attempt: UInt8(number))
            } catch SessionError.refused(_, .tableFull) where attempts > 1 {
                try await pause(.milliseconds(500))
            }
        }
    }

    /// Waits for the confirmation of any attempt, and makes further ones.
    private func confirm(_ index: Int, _ first: MessageSentInfo, _ outgoing: Outgoing) async {
        var (sent, codes) = (first, [first.tag])
        for number in 1...attempts {
            let limit = Duration.milliseconds(Int64(sent.timeout)) * 2
            let confirmation = await outgoing.session.acknowledgement(of: codes, within: limit)
            guard !Task.isCancelled else { return }
            if let confirmation {
                book[index].standing = .delivered
                book[index].roundTrip = confirmation.tripTime
                return
            }
            guard number < attempts else { break }
            do {
                try await pause(.milliseconds(500 * Int64(number)))
                if number >= Self.attemptsOnPath { try await outgoing.session.resetPath(outgoing.key) }
                var next = outgoing
                if datesEachAttempt { next.timestamp = freshTimestamp() }
                sent = try await attempt(datesEachAttempt ? 0 : number, of: next)
                codes.append(sent.tag)
                book[index].attempts += 1
            } catch { break }
        }
        guard !Task.isCancelled else { return }
        book[index].standing = .failed
    }

    private func pause(_ least: Duration) async throws { try await dependencies.clock.sleep(for: pauses.pause(least)) }

    func join(_ channel: ChannelWord) async throws {
        if channels.contains(channel) { return }
        let secret = FixedBytes<16>([UInt8](ChannelSecret.hash(channel.name)))
        try await session().setChannel(UInt8(channels.count), name: channel.name, secret: secret)
        channels.append(channel)
    }

    func send(_ text: String, on channel: ChannelWord) async throws {
        guard let index = channels.firstIndex(of: channel) else {
            throw ScenarioError("has not joined the channel \(channel.name)")
        }
        lastLine = (text, UInt8(index), freshTimestamp())
        try await session().sendChannelMessage(channel: UInt8(index), text: text, timestamp: lastTimestamp)
        book.append(ScenarioMessage(text: text, thread: .channel(channel), standing: .sent))
    }

    /// Sends the last line on a channel once more, as apps do of which nobody has repeated it.
    func repeatLine() async throws {
        guard let line = lastLine else { throw ScenarioError("has said nothing on a channel") }
        try await session().sendChannelMessage(
            channel: line.slot, text: line.text, timestamp: datesEachAttempt ? freshTimestamp() : line.timestamp)
    }

    func enter(_ room: FixedBytes<32>, password: String) async throws {
        _ = try await session().sendLogin(to: room, password: password)
        rooms.insert(room)
        // A room takes a post of the login's second for a repetition.
        lastTimestamp = max(lastTimestamp, seconds() &+ 1)
    }

    func isIn(_ room: FixedBytes<32>) -> Bool { rooms.contains(room) }

    func post(_ text: String, in room: FixedBytes<32>) async throws {
        guard rooms.contains(room) else { throw ScenarioError("has not entered the room") }
        try await send(text, to: room, in: .room(room.sixBytes))
    }

    // MARK: Receiving

    private func take(_ message: MessageResult) {
        switch message {
        case .contactMessage(let received):
            let message = received.message
            let thread: ScenarioMessage.Thread =
                message.textType == .signedPlain ? .room(message.publicKeyPrefix) : .contact(message.publicKeyPrefix)
            let isPost = message.textType == .signedPlain
            note(
                ScenarioMessage(
                    text: message.text.readable, thread: thread, isFlood: message.pathLength != .unknown,
                    author: isPost ? message.authorPrefix : nil, postTime: isPost ? message.timestamp : nil),
                from: message.timestamp)
        case .channelMessage(let received):
            let message = received.message
            let slot = Int(message.channelIndex)
            let channel = channels.indices.contains(slot) ? channels[slot] : ChannelWord("slot \(slot)")
            note(
                ScenarioMessage(
                    text: message.text.readable.withoutSender, thread: .channel(channel),
                    isFlood: message.pathLength != .unknown),
                from: message.timestamp)
        case .channelDatagram, .noMoreMessages: break
        }
    }

    /// All attempts of one text have its time.
    private func note(_ message: ScenarioMessage, from timestamp: UInt32) {
        let arrival = Arrival(thread: message.thread, text: message.text, timestamp: timestamp)
        if let index = received[arrival] {
            book[index].copies += 1
        } else {
            received[arrival] = book.count
            book.append(message)
        }
    }

    /// The fields by which a text is a repetition of another.
    private struct Arrival: Hashable {
        let thread: ScenarioMessage.Thread
        let text: String
        let timestamp: UInt32
    }
}

extension FixedBytes<32> {
    /// The first 6 bytes of a key, which messages carry.
    var sixBytes: FixedBytes<6> { FixedBytes<6>([UInt8](array.prefix(6))) }
}

extension String {
    /// The text of a channel message, without the name before the colon.
    var withoutSender: String {
        guard let colon = firstRange(of: ": ") else { return self }
        return String(self[colon.upperBound...])
    }
}
