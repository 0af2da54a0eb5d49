import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshScenarios
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices

/// Alice: the whole stack over a store in memory, and a user who writes to her contacts whether her radio is there or
/// not.
@MainActor
final class HourAlice {
    /// How often the user looks whether a room has to be entered again.
    private static let roomInterval = Duration.seconds(20)

    private static let patience = Duration.seconds(600)

    private let hour: StackHour
    private let keys: HourKeys
    private let clock: VirtualClock
    private let store: PersistenceStore
    private let link: CuttableLink
    private let manager: ConnectionManager
    private let outbox: MessageOutbox
    private var readies = 0
    private var errors: [String: Int] = [:]

    /// Sets the radio up, then connects as any app does.
    init(_ hour: StackHour, keys: HourKeys, world: LoopbackWorld, clock: VirtualClock, seed: Seed) async throws {
        self.hour = hour
        self.keys = keys
        self.clock = clock
        link = CuttableLink(try await world.transport(to: "alice"))
        let store = try PersistenceStore()
        let dependencies = ServiceDependencies(
            clock: clock, startDate: Date(timeIntervalSince1970: Double(HourWorld.seconds(at: clock.now))),
            seed: seed.part("alice"))
        let profile = StackProfile.architectureV2
        self.store = store
        outbox = MessageOutbox(store: store, profile: profile, dependencies: dependencies)
        let credentials = MemoryCredentialStore()
        let notifications = NotificationService(
            sink: MemoryNotificationSink(), settings: store, clock: dependencies.clock)
        manager = ConnectionManager(
            store: store, transports: HourTransports(link: link), profile: profile, dependencies: dependencies,
            credentials: credentials, notifications: notifications)
        try await setUpRadio()
        manager.onStateChange = { [weak self] state in if state == .ready { self?.readies += 1 } }
        try await manager.connect(endpoint: RadioEndpoint(kind: .loopback, address: "hour/alice"))
    }

    private func setUpRadio() async throws {
        let session = MeshCoreSession(transport: link, clock: clock)
        try await session.start()
        try await session.queryDevice()
        try await session.setTime(HourWorld.seconds(at: clock.now))
        try await session.tune()
        for contact in keys.roomContacts + keys.peerContacts { try await session.updateContact(contact) }
        try await session.join(hour.channels)
        await session.stop()
    }

    func stop() async { await manager.stop() }

    private var services: ServiceContainer? { manager.container }

    private var device: UUID { StableIdentifier.device(publicKey: Data(keys.alice.array)) }

    private func contact(_ key: FixedBytes<32>) -> UUID {
        StableIdentifier.contact(deviceID: device, publicKey: Data(key.array))
    }

    // MARK: The user

    /// Writes everything at its time, and returns when all of it has come to its end.
    func talk(_ sayings: [HourPlan.Saying]) async throws {
        let start = clock.now
        try await withThrowingTaskGroup { writing in
            for saying in sayings {
                try await clock.sleep(until: start.advanced(by: saying.at))
                writing.addTask { try await self.write(saying) }
            }
            try await writing.waitForAll()
        }
    }

    private func write(_ saying: HourPlan.Saying) async throws {
        do {
            switch saying.target {
            case .contact(let peer): try await write(saying.text, to: keys.peers[peer])
            case .channel(let channel): try await call(saying.text, on: HourWorld.channel(channel).index)
            case .room(let room): try await post(saying.text, to: keys.rooms[room])
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            note(error)
        }
    }

    private func write(_ text: String, to key: FixedBytes<32>) async throws {
        guard let contact = try await store.fetchContact(id: contact(key)) else {
            throw StackError(.messages, .contactNotFound)
        }
        if manager.connectionState.canSend, let services {
            _ = try await services.messageService.sendMessageWithRetry(text: text, to: contact)
        } else {
            _ = try await outbox.enqueueDirectMessage(text: text, to: contact)
        }
    }

    private func call(_ text: String, on channel: UInt8) async throws {
        if manager.connectionState.canSend, let services {
            try await services.messageService.sendChannelMessage(
                text: text, channelIndex: channel, deviceID: device)
        } else {
            _ = try await outbox.enqueueChannelMessage(text: text, channelIndex: channel, deviceID: device)
        }
    }

    /// There is no queue for rooms: the user waits until the room is entered, for as long as anybody would.
    private func post(_ text: String, to key: FixedBytes<32>) async throws {
        let start = clock.now
        while start.duration(to: clock.now) < Self.patience {
            if let services, manager.connectionState.canSend, let room = try await session(key), room.isConnected {
                do {
                    _ = try await services.roomServerService.postMessage(sessionID: room.id, text: text)
                    return
                } catch {
                    note(error)
                    if try await isPosted(text, in: room.id) { return }
                }
            }
            try await clock.sleep(for: .seconds(1))
        }
        errors["room-closed", default: 0] += 1
    }

    private func session(_ key: FixedBytes<32>) async throws -> RemoteNodeSessionDTO? {
        try await store.fetchRemoteNodeSession(deviceID: device, publicKey: Data(key.array))
    }

    private func isPosted(_ text: String, in room: UUID) async throws -> Bool {
        try await store.fetchRoomMessages(sessionID: room, limit: .max).contains { $0.text == text }
    }

    /// Enters rooms, and again when a reconnection did not, until cancelled.
    func keepRoomsEntered() async throws {
        while true {
            for key in keys.rooms {
                guard manager.connectionState.canSend, let services else { break }
                do { try await enter(key, services.roomServerService) } catch let error as CancellationError {
                    throw error
                } catch {
                    note(error)
                }
            }
            try await clock.sleep(for: Self.roomInterval)
        }
    }

    /// A password is kept when it was good, so the user gives it each time.
    private func enter(_ key: FixedBytes<32>, _ rooms: RoomServerService) async throws {
        if let session = try await session(key), session.isConnected { return }
        guard let contact = try await store.fetchContact(id: contact(key)) else { return }
        try await rooms.joinRoom(deviceID: device, contact: contact, password: HourWorld.password)
    }

    private func note(_ error: any Error) {
        errors[HourErrors.code(of: error), default: 0] += 1
    }

    // MARK: The link

    /// Takes the link away and gives it back, as planned.
    func loseLink(_ cuts: [HourPlan.Cut]) async throws {
        let start = clock.now
        for cut in cuts {
            try await clock.sleep(until: start.advanced(by: cut.at))
            await link.cut()
            try await clock.sleep(for: cut.length)
            await link.mend()
        }
    }

    // MARK: What is stored

    func books() async throws -> HourBooks {
        var books = HourBooks()
        for key in keys.peers { books.contacts.append(try await conversation(with: key)) }
        for number in 0..<hour.channels {
            books.channels.append(try await conversation(on: HourWorld.channel(number).index))
        }
        for key in keys.rooms { books.rooms.append(try await conversation(in: key)) }
        books.strangers = try await strangers()
        books.queued = try await store.countPendingMessages(deviceID: device)
        books.connectionState = manager.connectionState.rawValue
        (books.losses, books.readies, books.errors) = (await link.losses, readies, errors)
        return books
    }

    private func conversation(with key: FixedBytes<32>) async throws -> HourBooks.Conversation<MessageDTO> {
        let id = contact(key)
        let rows = try await store.fetchMessages(deviceID: device, thread: .contact(id), limit: .max)
        return .init(rows: rows, unread: try await store.fetchContact(id: id)?.unreadCount ?? -1)
    }

    private func conversation(on index: UInt8) async throws -> HourBooks.Conversation<MessageDTO> {
        guard let channel = try await store.fetchChannel(deviceID: device, index: index) else {
            return .init(unread: -1)
        }
        let rows = try await store.fetchMessages(deviceID: device, thread: .channel(channel.id), limit: .max)
        return .init(rows: rows, unread: channel.unreadCount)
    }

    private func conversation(in key: FixedBytes<32>) async throws -> HourBooks.Conversation<RoomMessageDTO> {
        guard let room = try await session(key) else { return .init(unread: -1) }
        return .init(
            rows: try await store.fetchRoomMessages(sessionID: room.id, limit: .max), unread: room.unreadCount)
    }

    private func strangers() async throws -> [MessageDTO] {
        var threads = (keys.peers + keys.rooms).map { MessageThread.unknownSender(Data($0.prefix(6))) }
        threads += (0..<hour.channels).map { .unknownChannel(HourWorld.channel($0).index) }
        var rows: [MessageDTO] = []
        for thread in threads {
            rows += try await store.fetchMessages(deviceID: device, thread: thread, limit: .max)
        }
        return rows
    }
}

/// There is one radio, and one link to it.
private struct HourTransports: TransportMaking {
    let link: CuttableLink

    func transport(to endpoint: RadioEndpoint) -> any MeshTransport { link }
}

enum HourErrors {
    /// The word that the error has for programs.
    static func code(of error: any Error) -> String {
        switch error {
        case let error as StackError: error.code
        case let error as SessionError: error.code
        default: "\(error)"
        }
    }
}
