import FoundationEssentials
import Logging
import MeshCompanion
public import MeshCore
import MeshWire
import Synchronization

/// The handlers of received messages: each message is stored, counted, notified and emitted as an event.
///
/// A direct message has its effects in this order: row, date of the conversation, unread count, notification, badge,
/// version of the conversations, event. The first three are one transaction of the store. A message that was stored
/// already has none of them.
public actor IncomingMessageHandlers {
    /// The number of notes that are delivered together while a burst lasts.
    private static let burstSlice = 256

    /// The executor of the session: handlers and the service of the queue share it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { session.unownedExecutor }

    private nonisolated let session: MeshCoreSession
    let store: PersistenceStore
    let notifier: any MessageNotifying
    let dependencies: ServiceDependencies
    nonisolated let events: StackEvents
    private var takers = IncomingTakers()
    /// The receiver of changed conversations; weak, because the object that shows them holds this one.
    private weak var lists: (any ListRefreshing)?
    /// Messages that the store did not accept, in order; few, because none is requested while there are any.
    var unstored: [(number: Int, message: TakenMessage)] = []
    var keptCount = 0
    /// True while none of those is there; read without a hop to this actor, before each message.
    nonisolated let isIntakeOpen = Mutex(true)
    /// The notifications of a burst's messages; `nil` while there is no burst.
    private var burst: [MessageNote]?
    /// Our own name in a burst; `nil` until it was asked for.
    private(set) var burstName: String??
    /// True when the burst had a message without notification that the badge may show.
    private var isBadgeOld = false
    /// True when the burst has changed a conversation.
    private var isConversationOld = false

    /// Makes the handlers of one connection: its session, and the store that keeps the results.
    public init(
        session: MeshCoreSession, store: PersistenceStore, notifier: any MessageNotifying,
        dependencies: ServiceDependencies, events: StackEvents = StackEvents()
    ) {
        self.session = session
        self.store = store
        self.notifier = notifier
        self.dependencies = dependencies
        self.events = events
    }

    // MARK: Wiring

    /// Becomes the receiver of all messages, in place of an earlier one.
    ///
    /// Posts and answers go to `takers`, and `lists` receive changes of conversations.
    public func wire(
        into polling: any MessagePolling, takers: IncomingTakers = IncomingTakers(),
        lists: (any ListRefreshing)? = nil
    ) async {
        self.takers = takers
        self.lists = lists
        // Who has the same turn does not have to wait for it.
        let hasSameTurn = polling.sharedTurn === session
        await polling.setIntake(
            MessageIntake(
                contact: { [weak self] in await self?.direct($0, $1) },
                channel: { [weak self] in await self?.channel($0, $1) },
                signed: { [weak self] in await self?.roomPost($0, $1) },
                commandAnswer: { [weak self] in await self?.commandAnswer($0, $1) },
                isOpen: { [weak self] in self?.isIntakeOpen.withLock { $0 } ?? true },
                reopen: { [weak self] in await self?.storeAgain() ?? true },
                takeAtOnce: { [weak self] message, arrival in
                    guard hasSameTurn, let self else { return false }
                    return self.assumeIsolated { $0.takeAtOnce(message, arrival) }
                }))
    }

    /// Ends all reports. Messages that could not be stored have their last try here.
    public func stop() async {
        if await !storeAgain() {
            dependencies.log.error("messages are lost", metadata: ["count": "\(unstored.count)"])
            unstored = []
        }
        takers = IncomingTakers()
        burst = nil
    }

    // MARK: Notifications

    /// Begins a burst: notifications are only counted and delivered in heaps.
    ///
    /// Each hop to the main actor costs more time than storing a message.
    func beginBurst() { burst = burst ?? [] }

    /// Delivers the rest of a burst.
    func endBurst() async {
        guard let notes = burst else { return }
        burst = nil
        burstName = nil
        await notifier.post(notes)
        if isBadgeOld { await notifier.updateBadgeCount() }
        isBadgeOld = false
        if isConversationOld { await lists?.notifyConversationsChanged() }
        isConversationOld = false
    }

    /// Returns the radio's own name as others read it on channels, without blanks at its ends.
    ///
    /// It is requested once in a burst.
    func trimmedOwnName() async -> String? {
        if let burstName { return burstName }
        let name = await session.currentSelfInfo?.name.readable.trimmingBlanks
        if burst != nil { burstName = name }
        return name
    }

    /// Reports the change of a conversation; once for a burst.
    func tellOfChange() async {
        if burst != nil {
            isConversationOld = true
        } else {
            await lists?.notifyConversationsChanged()
        }
    }

    /// True while a burst is on whose heap is not about to be delivered.
    var hasRoomInBurst: Bool { (burst?.count).map { $0 < Self.burstSlice - 1 } ?? false }

    /// Notes a message of a burst that has changed its conversation.
    func noteInBurst(_ note: MessageNote?) {
        if let note { burst?.append(note) } else { isBadgeOld = true }
        isConversationOld = true
    }

    /// Reports a message, if there is a note of it, and has the badge counted.
    func tell(_ note: MessageNote?) async {
        if burst != nil {
            if let note { burst?.append(note) } else { isBadgeOld = true }
            guard let notes = burst, notes.count >= Self.burstSlice else { return }
            burst = []
            await notifier.post(notes)
        } else {
            if let note { await notifier.post(note) }
            await notifier.updateBadgeCount()
        }
    }

    // MARK: Rooms and command lines

    private func roomPost(_ received: ReceivedContactMessage, _ arrival: MessageArrival) async {
        await take(.post(received, arrival))
    }

    func storePost(_ received: ReceivedContactMessage, _ arrival: MessageArrival) async throws {
        guard let handler = takers.roomPost else {
            return dependencies.log.warning("nobody takes posts of rooms; one is dropped")
        }
        let post = try await handler(IncomingRoomPost(received.message, deviceID: arrival.deviceID))
        guard let post, !post.isFromSelf else { return }
        do { try await tell(of: post) } catch {
            // It is stored, so there is nothing to try again.
            dependencies.log.warning("nobody was told of a post", metadata: ["error": "\(error)"])
        }
    }

    private func tell(of post: RoomMessageDTO) async throws {
        if let room = try await store.fetchRemoteNodeSession(id: post.sessionID) {
            await notifier.postRoomMessageNotification(
                roomName: room.name, sessionID: room.id, authorName: post.authorDisplayName, messageText: post.text,
                messageID: post.id)
        }
        await notifier.updateBadgeCount()
        await tellOfChange()
    }

    private func commandAnswer(_ received: ReceivedContactMessage, _ arrival: MessageArrival) async {
        do {
            let prefix = Data(received.message.publicKeyPrefix.array)
            guard let sender = try await store.fetchContact(deviceID: arrival.deviceID, publicKeyPrefix: prefix) else {
                return dependencies.log.warning("the answer to a command line is dropped: its sender is no contact")
            }
            guard let handler = takers.commandAnswer else {
                return dependencies.log.warning("nobody takes answers to command lines; one is dropped")
            }
            await handler(received, sender.contact)
        } catch {
            dependencies.log.error("a sender was not looked up", metadata: ["error": "\(error)"])
        }
    }
}
