import FoundationEssentials
package import MeshCore
import MeshTime
package import MeshWire
package import PocketMeshServices

/// An app with the whole service stack, over a store in memory.
@MainActor
package final class StackApp: ScenarioApp {
    package let store: PersistenceStore
    package let manager: ConnectionManager
    private let link: any MeshTransport
    private let endpoint: RadioEndpoint
    private let clock: any Clock<Duration>
    private let outbox: MessageOutbox
    private(set) var channels: [ChannelWord] = [.everybody]
    private var sendings: [Task<Void, Never>] = []
    /// The codes of what the services threw when something was sent or a room was entered.
    private(set) var errors: [String] = []

    package init(
        _ name: String, choices: StackChoices, link: any MeshTransport, dependencies: ServiceDependencies,
        defect: StackDefect? = nil, isPaired: Bool = false
    ) throws {
        let profile = choices.preset.profile.with(defect)
        let store = try PersistenceStore()
        self.store = store
        self.link = link
        clock = dependencies.clock
        endpoint = RadioEndpoint(kind: isPaired ? .ble : .loopback, address: "scenario/\(name)")
        outbox = MessageOutbox(store: store, profile: profile, dependencies: dependencies)
        let notifications = NotificationService(
            sink: MemoryNotificationSink(), settings: store, clock: dependencies.clock)
        manager = ConnectionManager(
            store: store, transports: OneLink(link: link), profile: profile, dependencies: dependencies,
            credentials: MemoryCredentialStore(), notifications: notifications)
    }

    package func open() async throws { try await manager.connect(endpoint: endpoint) }

    package func close() async {
        for sending in sendings { sending.cancel() }
        sendings = []
        await manager.stop()
    }

    package func session() throws -> MeshCoreSession { try services().session }

    func services() throws -> ServiceContainer {
        guard let container = manager.container else {
            throw ScenarioError("the app is not connected to its radio (\(manager.connectionState))")
        }
        return container
    }

    func device() throws -> UUID {
        guard let device = manager.lastConnectedDeviceID else { throw ScenarioError("the app has met no radio") }
        return device
    }

    package func isConnected() -> Bool { manager.connectionState.canSend }

    func contact(_ key: FixedBytes<32>) async throws -> ContactDTO {
        guard let contact = try await store.fetchContact(deviceID: device(), publicKey: Data(key.array)) else {
            throw ScenarioError("has no such contact")
        }
        return contact
    }

    /// The keys of the contacts that the app believes to be on its radio. It keeps others, too: a contact that the
    /// radio has forgotten keeps its messages. A send puts it back.
    func contactKeys() async throws -> Set<FixedBytes<32>> { try await contactKeys(\.onRadio) }

    /// The keys of all contacts that the app knows.
    func knownKeys() async throws -> Set<FixedBytes<32>> { try await contactKeys { _ in true } }

    private func contactKeys(_ isMeant: (ContactDTO) -> Bool) async throws -> Set<FixedBytes<32>> {
        let contacts = try await store.fetchContacts(deviceID: device()).filter(isMeant)
        return Set(contacts.map { FixedBytes<32>([UInt8]($0.publicKey)) })
    }

    // MARK: Sending

    package func send(_ text: String, to key: FixedBytes<32>) async throws {
        let contact = try await contact(key)
        guard manager.connectionState.canSend, let services = manager.container else {
            _ = try await outbox.enqueueDirectMessage(text: text, to: contact)
            return
        }
        try await underway { created in
            try await services.messageService.sendMessageWithRetry(text: text, to: contact) { _ in created() }
        }
    }

    /// Begins to send, and returns when the message is stored; what is not even stored is refused.
    ///
    /// Attempts go on for minutes; what became of them is in the store.
    func underway(
        _ send: @escaping @Sendable (_ created: @escaping @Sendable () -> Void) async throws -> MessageDTO
    ) async throws {
        let (stored, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
        sendings.append(
            Task(name: "sending") {
                do {
                    _ = try await send { continuation.finish() }
                    continuation.finish()
                } catch {
                    self.note(error)
                    continuation.finish(throwing: error)
                }
            })
        for try await _ in stored {}
    }

    package func join(_ channel: ChannelWord) async throws {
        if channels.contains(channel) { return }
        _ = try await services().channelService.setChannel(
            deviceID: device(), index: UInt8(channels.count), name: channel.name, passphrase: channel.name)
        channels.append(channel)
    }

    package func send(_ text: String, on channel: ChannelWord) async throws {
        guard let index = channels.firstIndex(of: channel) else {
            throw ScenarioError("has not joined the channel \(channel.name)")
        }
        let device = try device()
        guard manager.connectionState.canSend, let services = manager.container else {
            _ = try await outbox.enqueueChannelMessage(text: text, channelIndex: UInt8(index), deviceID: device)
            return
        }
        try await noting {
            _ = try await services.messageService.sendChannelMessage(
                text: text, channelIndex: UInt8(index), deviceID: device)
        }
    }

    package func enter(_ room: FixedBytes<32>, password: String) async throws {
        let (rooms, device, contact) = (try services().roomServerService, try device(), try await contact(room))
        try await noting { try await rooms.joinRoom(deviceID: device, contact: contact, password: password) }
    }

    package func isIn(_ room: FixedBytes<32>) async throws -> Bool {
        try await store.fetchRemoteNodeSession(deviceID: device(), publicKey: Data(room.array))?.isConnected ?? false
    }

    package func post(_ text: String, in room: FixedBytes<32>) async throws {
        let session = StableIdentifier.session(deviceID: try device(), publicKey: Data(room.array))
        let rooms = try services().roomServerService
        try await noting { try await rooms.postMessage(sessionID: session, text: text) }
    }

    private func noting<R>(_ body: () async throws -> R) async throws {
        do { _ = try await body() } catch {
            note(error)
            throw error
        }
    }

    private func note(_ error: any Error) {
        switch error {
        case is CancellationError: break
        case let error as StackError: errors.append(error.code)
        case let error as SessionError: errors.append(error.code)
        default: errors.append("\(error)")
        }
    }

    // MARK: Messages

    package func messages() async throws -> [ScenarioMessage] {
        guard let device = manager.lastConnectedDeviceID else { return [] }
        var messages: [ScenarioMessage] = []
        for contact in try await store.fetchContacts(deviceID: device) {
            let rows = try await store.fetchMessages(deviceID: device, thread: .contact(contact.id), limit: .max)
            let prefix = FixedBytes<6>([UInt8](contact.publicKey.prefix(6)))
            messages += rows.filter { $0.kind == .text }.map { message($0, .contact(prefix)) }
        }
        for (index, word) in channels.enumerated() {
            guard let channel = try await store.fetchChannel(deviceID: device, index: UInt8(index)) else { continue }
            let rows = try await store.fetchMessages(deviceID: device, thread: .channel(channel.id), limit: .max)
            messages += rows.map { message($0, .channel(word)) }
        }
        // Also those whose answer to the login was lost: the room has let us in, and brings its posts.
        for room in try await store.fetchRemoteNodeSessions(deviceID: device) where room.isRoom {
            for row in try await store.fetchRoomMessages(sessionID: room.id, limit: .max) {
                messages.append(message(row, FixedBytes([UInt8](room.publicKey.prefix(6)))))
            }
        }
        return messages
    }

    private func message(_ row: MessageDTO, _ thread: ScenarioMessage.Thread) -> ScenarioMessage {
        ScenarioMessage(
            text: row.text, thread: thread, standing: row.direction == .outgoing ? row.status.standing : nil,
            attempts: row.retryAttempt + 1, roundTrip: row.roundTripTime,
            isFlood: row.direction == .incoming ? row.pathLength != 0xFF : nil, repeats: row.heardRepeats)
    }

    private func message(_ row: RoomMessageDTO, _ room: FixedBytes<6>) -> ScenarioMessage {
        ScenarioMessage(
            text: row.text, thread: .room(room), standing: row.isFromSelf ? row.status.standing : nil,
            author: row.isFromSelf ? nil : FixedBytes([UInt8](row.authorKeyPrefix)),
            postTime: row.isFromSelf ? nil : row.timestamp)
    }
}

extension MessageStatus {
    var standing: ScenarioMessage.DeliveryStatus {
        switch self {
        case .pending: .waiting
        case .sending: .sending
        case .sent: .sent
        case .delivered: .delivered
        case .failed: .failed
        case .retrying: .retrying
        }
    }
}

extension StackChoices.Preset {
    var profile: StackProfile {
        switch self {
        case .architectureV2: .architectureV2
        case .architectureV1: .architectureV1
        case .prd: .prd
        case .upstreamFinal: .upstreamFinal
        }
    }
}

/// A defect that tests plant in the stacks of all people, to see whether a soak finds it.
package enum StackDefect: Hashable, Sendable {
    /// Confirmations are matched by the time at which they come, and not by their code.
    case confirmsByTime
    /// Texts follow each other as fast as the radio accepts them, and those lost together are sent together again.
    case sendsAtOnce
    /// A listing of contacts that broke off is believed to be the whole table.
    case trustsCutListing
}

extension StackProfile {
    fileprivate func with(_ defect: StackDefect?) -> StackProfile {
        var profile = self
        switch defect {
        case .confirmsByTime: profile.messages.confirmationMatch = .time
        case .sendsAtOnce:
            profile.messages.spacing = nil
            profile.messages.retry.jitter = 0
        case .trustsCutListing: profile.contacts.trustsCutListing = true
        case nil: break
        }
        return profile
    }
}

/// There is one radio, and one link to it.
private struct OneLink: TransportMaking {
    let link: any MeshTransport

    func transport(to endpoint: RadioEndpoint) -> any MeshTransport { link }
}
