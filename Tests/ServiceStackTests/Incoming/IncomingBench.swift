import Foundation
import MeshCompanion
import MeshCore
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport

/// Polling and the handling of its messages, with a trace of all events.
struct IncomingBench: Sendable {
    let bench: ServiceBench
    let polling: MessagePollingService
    let coordinator: SyncCoordinator
    let notifier: TracingNotifier
    let trace = Notes<String>()
    let radio: QueueRadio
    /// The source of the coordinator's messages.
    private let source: any MessagePolling

    var store: PersistenceStore { bench.store }
    var deviceID: UUID { bench.device.id }

    /// Makes polling; with a turn of its own it delivers each message and waits for its handler.
    init(_ bench: ServiceBench, _ radio: QueueRadio, hasOwnTurn: Bool = false) async {
        self.bench = bench
        self.radio = radio
        notifier = TracingNotifier(trace)
        polling = MessagePollingService(
            session: bench.session, store: bench.store, profile: .architectureV2, dependencies: bench.dependencies)
        source = hasOwnTurn ? OwnTurn(polling: polling) : polling
        coordinator = SyncCoordinator(
            session: bench.session, store: bench.store, profile: .architectureV2, dependencies: bench.dependencies,
            notifier: notifier)
        let trace = trace
        coordinator.events.note(in: trace) {
            switch $0 {
            case .directMessageReceived(let message, let sender): "event \(message.text) of \(sender.name)"
            case .channelMessageReceived(let message, let slot): "event \(message.text) on \(slot)"
            case .unknownSender(let prefix): "unknown sender \(prefix.hex)"
            case .repeatHeard(_, let count): "repeat \(count)"
            case .contactListChanged: "contacts"
            case .conversationListChanged: "version"
            default: nil
            }
        }
        await wire()
        await polling.startEventMonitoring(deviceID: bench.device.id)
    }

    /// Connects the coordinator to the polled messages, and `roomPost` to the posts of rooms.
    func wire(roomPost: IncomingTakers.RoomPost? = nil) async {
        let takers = IncomingTakers(roomPost: roomPost) { [trace] in
            trace.add("command \($0.message.text.string) of \($1.name)")
        }
        await coordinator.wireIncoming(into: source, takers: takers)
    }

    /// Has the radio give out these messages.
    func drain(_ messages: [UInt8]...) async throws {
        radio.change { $0.queue += messages }
        try await polling.pollAllMessages()
    }

    @discardableResult
    func addContact(_ number: UInt8, name: ByteText = "bob", isBlocked: Bool = false) async throws -> ContactDTO? {
        let id = try await store.saveContact(deviceID: deviceID, from: Frames.contact(number, name: name))
        if isBlocked {
            try await store.updateContactPreferences(id: id, nickname: nil, isBlocked: true, isFavorite: false)
        }
        return try await store.fetchContact(id: id)
    }

    @discardableResult
    func addChannel(_ index: UInt8, name: String, secret: UInt8) async throws -> ChannelDTO? {
        try await store.saveChannel(
            ChannelDTO(deviceID: deviceID, index: index, name: name, secret: Data(repeating: secret, count: 16)))
    }

    /// Joins a room, with the service that handles its posts; returns its session.
    func addRoom(_ number: UInt8, name: String = "lounge") async throws -> UUID {
        let contacts = ContactService(
            session: bench.session, store: store, profile: .architectureV2, dependencies: bench.dependencies)
        let nodes = RemoteNodeService(
            session: bench.session, store: store, profile: .architectureV2, dependencies: bench.dependencies,
            credentials: MemoryCredentialStore(), contacts: contacts)
        let rooms = RoomServerService(
            session: bench.session, store: store, profile: .architectureV2, dependencies: bench.dependencies,
            remoteNodes: nodes)
        await wire { post in
            try await rooms.handleIncomingMessage(
                deviceID: post.deviceID, senderPublicKeyPrefix: post.roomPrefix, timestamp: post.timestamp,
                authorPrefix: post.authorPrefix, text: post.text)
        }
        return try await store.saveRemoteNodeSession(
            RemoteNodeSessionDTO(
                deviceID: deviceID, publicKey: Data(repeating: number, count: 32), name: name, role: .roomServer))
    }

    func texts(_ thread: MessageThread) async throws -> [String] {
        try await store.fetchMessages(deviceID: deviceID, thread: thread).map(\.text)
    }

    /// Returns the store's account of a contact.
    @Sendable func account(of contact: UUID) async -> String {
        let rows = (try? await texts(.contact(contact)).count) ?? -1
        let row = try? await store.fetchContact(id: contact)
        return "rows \(rows), date \(row?.lastMessageDate != nil), unread \(row?.unreadCount ?? -1)"
    }
}

func withIncoming<R: Sendable>(
    order: VirtualTime.Order = .arrival, hasOwnTurn: Bool = false,
    _ body: @escaping @Sendable (IncomingBench) async throws -> R
) throws -> R {
    let radio = QueueRadio()
    return try withQueueRadio(radio, order: order) { bench, _ in
        try await body(await IncomingBench(bench, radio, hasOwnTurn: hasOwnTurn))
    }
}

/// Polling that does not share the session's turn.
private struct OwnTurn: MessagePolling {
    let polling: MessagePollingService

    func setIntake(_ intake: MessageIntake?) async { await polling.setIntake(intake) }
    func pollAllMessages(progress: @escaping PollProgressHandler) async throws -> Int {
        try await polling.pollAllMessages(progress: progress)
    }
    func waitForPendingHandlers(timeout: Duration) async -> Bool {
        await polling.waitForPendingHandlers(timeout: timeout)
    }
    func startAutoFetch(deviceID: UUID) async { await polling.startAutoFetch(deviceID: deviceID) }
    func stopAutoFetch() async { await polling.stopAutoFetch() }
}
